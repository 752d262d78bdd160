// The settings window as somebody uses it.

import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { stage } from "./stage.mjs";

let set;
let opened;
beforeAll(async () => (set = await stage()));
afterAll(() => set?.close());
afterEach(() => opened?.close());

async function open(scene, options) {
  opened = await set.open("settings", scene, options);
  return opened.page;
}

const calls = (page) => page.evaluate(() => window.fake.calls);

test("a slider saves when it is let go, and its sentence says what will happen", async () => {
  const page = await open("presence");
  await page.focus("#presence-away_after");
  await page.keyboard.press("ArrowRight");
  expect(await page.locator("#presence-away_after-about").innerText()).toContain("After 5 min");
  expect(await calls(page)).toEqual([["save_setting", "presence.away_after", "5m"]]);
});

test("a switch shows what Beckon has, also by keyboard", async () => {
  const page = await open("presence");
  await page.focus("#lock");
  await page.keyboard.press("Space");
  await page.waitForSelector("#lock[aria-checked=false]");
  expect(await page.locator("#lock").isChecked()).toBe(false);
  expect(await calls(page)).toEqual([["save_setting", "presence.lock_is_away", false]]);
});

test("the notifications say what they can do, and their sound is turned off beside the test", async () => {
  const page = await open("notifications");
  await page.getByText("Buttons: you answer in the notification.").waitFor();
  await page.getByText("Plays sounds.", { exact: true }).waitFor();
  await page.getByText("Keeps what you have not dealt with in a list.").waitFor();
  expect(await page.locator("#sound-about > span").first().innerText()).toContain("is heard");
  await page.focus("#sound");
  await page.keyboard.press("Space");
  await page.waitForSelector("#sound[aria-checked=false]");
  expect(await page.locator("#sound-about > span").first().innerText()).toContain(
    "without a sound",
  );
  expect(await calls(page)).toEqual([["save_setting", "notifications.sound", false]]);
});

test("notifications without buttons and sounds say so", async () => {
  const page = await open("notifications-plain");
  await page.getByText("No buttons: the notification says how else to answer.").waitFor();
  await page.getByText("Plays no sounds.", { exact: true }).waitFor();
  await page.getByText("Keeps no list").waitFor();
  expect(await page.locator("#sound-about > span").first().innerText()).toContain("play no sounds");
});

test("what Beckon refuses stands beside its field until it is mended", async () => {
  const page = await open("presence");
  await page.fill("#quiet", "at night");
  await page.press("#quiet", "Tab");
  await page.waitForSelector("[role=alert]");
  expect(await page.locator("[role=alert]").innerText()).toContain("23:00-07:30");
  await page.fill("#quiet", "22:00-06:00");
  await page.press("#quiet", "Tab");
  await page.waitForSelector("[role=alert]", { state: "detached" });
});

test("a server is tested before it is added, and removed only after a second press", async () => {
  const page = await open("agents");
  await page.click("p > button");
  await page.fill("#add-name", "laptop");
  await page.fill("#add-password", "hunter2");
  await page.click("form button.main");
  await page.waitForSelector("text=laptop is added");
  expect(await calls(page)).toEqual([
    [
      "add_server",
      { kind: "opencode", name: "laptop", url: "http://127.0.0.1:4096", username: "opencode" },
    ],
    ["set_secret", "opencode:laptop"],
  ]);
  const remove = page.getByRole("button", { name: "Remove laptop" });
  await remove.click();
  expect(await page.getByText("laptop", { exact: true }).count()).toBe(1);
  await page.getByRole("button", { name: "Remove", exact: true }).first().click();
  await page.getByText("laptop", { exact: true }).waitFor({ state: "detached" });
});

/** The field or button that the keyboard is in. */
const focused = (page) =>
  page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent?.trim());

async function press(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
}

async function opensTheForm(page) {
  await page.getByRole("button", { name: "Add a server" }).focus();
  await press(page, "Enter");
  await page.waitForFunction(() => document.activeElement?.id === "add-name");
}

test("a service with interrupts is added by keyboard alone", async () => {
  const page = await open("agents");
  await opensTheForm(page);
  await press(page, "Shift+Tab");
  await page.keyboard.type("Service");
  await press(page, "Tab");
  await page.keyboard.type("thesis");
  await press(page, "Tab", "Tab", "Tab");
  expect(await focused(page)).toBe("add-password");
  await page.keyboard.type("hunter2");
  await press(page, "Enter");
  await page.waitForSelector("text=thesis is added");
  expect(await focused(page)).toBe("Add a server");
  const base = "http://127.0.0.1:8000/api";
  const added = { kind: "interrupts", name: "thesis", url: `${base}/stream` };
  expect(await calls(page)).toEqual([
    ["add_server", { ...added, resume: `${base}/resume` }],
    ["set_secret", "interrupts:thesis"],
  ]);
  await page.waitForSelector(`text=Service with interrupts · ${base}/stream`);
});

test("what turns out to be of another kind is added as that with two more presses", async () => {
  const page = await open("agents");
  await opensTheForm(page);
  await page.keyboard.type("flows");
  await press(page, "Tab", "Control+a");
  await page.keyboard.type("http://10.0.0.9:2024");
  await press(page, "Enter");
  const turn = page.getByRole("button", { name: "Choose LangGraph" });
  await turn.press("Enter");
  expect(await page.inputValue("#add-kind")).toBe("langgraph");
  expect(await focused(page)).toBe("add-kind");
  await page.press("#add-url", "Enter");
  await page.waitForSelector("text=flows is added");
  const added = { kind: "langgraph", name: "flows", url: "http://10.0.0.9:2024" };
  expect(await calls(page)).toEqual([["add_server", added]]);
});

test("a refused token leads into its field, and nothing is added until it is right", async () => {
  const page = await open("agents");
  await opensTheForm(page);
  await page.selectOption("#add-kind", "interrupts");
  await page.fill("#add-name", "thesis");
  await page.fill("#add-password", "wrong");
  await press(page, "Enter");
  await page.waitForFunction(() => document.activeElement?.id === "add-password");
  expect(await page.locator("[role=alert]").innerText()).toContain("token");
  expect(await calls(page)).toEqual([]);
  await press(page, "Control+a");
  await page.keyboard.type("right");
  await press(page, "Enter");
  await page.waitForSelector("text=thesis is added");
});

test("a name that is taken is told beside its field", async () => {
  const page = await open("agents");
  await opensTheForm(page);
  await page.keyboard.type("graphs");
  expect(await page.locator("[role=alert]").innerText()).toContain("has that name already");
  await press(page, "Enter");
  expect(await focused(page)).toBe("add-name");
  expect(await calls(page)).toEqual([]);
});

test("where nobody is let in the token is one press away", async () => {
  const page = await open("agents");
  await page.getByRole("button", { name: "Enter the token…" }).press("Enter");
  await page.waitForFunction(() => document.activeElement?.id === "secret-interrupts:research");
  await page.keyboard.type("hunter2");
  await press(page, "Enter");
  await page.getByRole("button", { name: "New token…" }).waitFor();
  expect(await calls(page)).toEqual([["set_secret", "interrupts:research"]]);
  expect(await page.locator("main button.main").count()).toBe(0);
});

test("a test says what answers there", async () => {
  const page = await open("agents");
  await page.getByRole("button", { name: "Test", exact: true }).last().press("Enter");
  await page.waitForSelector("text=LangGraph 0.16.7 answers.");
});

test("first start to a test question: three steps, every one by keyboard", async () => {
  const page = await open("welcome");
  await page.getByRole("button", { name: "Next" }).press("Enter");
  await page.fill("#token", "123:abc");
  await page.press("#token", "Enter");
  await page.getByRole("button", { name: "Show the code" }).press("Enter");
  await page.waitForSelector("img");
  expect(await page.locator("#token").count()).toBe(0);
  await page.getByRole("button", { name: "Later" }).press("Enter");
  await page.getByRole("button", { name: "Send a test question" }).press("Enter");
  await page.getByRole("button", { name: "Done" }).press("Enter");
  const verbs = (await calls(page)).map(([verb]) => verb);
  expect(verbs).toEqual(["telegram_login", "test_question", "close_window"]);
});

/** Every sentence that a row says from now on, in order. */
const sentences = (row) =>
  row.evaluateHandle((row) => {
    const said = [];
    const hear = () => said.push(row.querySelector(".sentence > span").textContent);
    new MutationObserver(hear).observe(row, {
      subtree: true,
      childList: true,
      characterData: true,
    });
    return said;
  });

test("a test card waits for a tap, then says after how long it came back and from whom", async () => {
  const page = await open("telegram&slow=150");
  const send = page.getByRole("button", { name: "Send a test card" });
  const row = page.locator(".row", { has: send });
  const { height } = await row.boundingBox();
  const said = await sentences(row);
  await send.press("Enter");
  await row.getByText("came back").waitFor();
  expect(await said.jsonValue()).toEqual([
    "It is on its way: tap its button in Telegram.",
    "The card came back after 3 s, from Ada Lovelace.",
  ]);
  expect((await row.boundingBox()).height).toBe(height);
});

test("a test card that nobody taps is no failure", async () => {
  const page = await open("telegram-late");
  await page.getByRole("button", { name: "Send a test card" }).press("Enter");
  const sentence = page.locator(".sentence > span:not(.spare)", { hasText: "Nobody has tapped" });
  await sentence.waitFor();
  expect(await page.locator("[role=alert]").count()).toBe(0);
});

test("the history is searched, filtered and exported", async () => {
  const page = await open("history");
  await page.waitForSelector("article");
  await page.fill("input[type=search]", "audit");
  await page.waitForFunction(() => document.querySelectorAll("article").length === 1);
  await page.fill("input[type=search]", "");
  await page.selectOption("select", "ending:expired");
  await page.waitForFunction(() =>
    document.querySelector("article")?.textContent?.includes("Rename"),
  );
  await page.selectOption("select", "by:telegram");
  await page.waitForFunction(() => document.querySelectorAll("article").length === 2);
  await page.getByRole("button", { name: "Export CSV" }).click();
  await page.waitForSelector("text=beckon-history.csv");
});

test.each([
  [
    "en",
    ["Allowed once", "Rejected: Not on a Friday: open a pull request instead", "Always allowed"],
    ["Continued", "Cancelled", "Dismissed", "Expired", "The agent stopped waiting"],
  ],
  [
    "zh-CN",
    ["允许一次", "已拒绝：Not on a Friday: open a pull request instead", "始终允许"],
    ["已继续", "已取消", "已忽略", "已过期", "智能体不再等了"],
  ],
])("the history says in words what was decided (%s)", async (lang, permissions, others) => {
  const page = await open("history", { lang });
  await page.waitForSelector("article");
  const said = await page.locator(".decided").allInnerTexts();
  const replies = ["SQLite", "Auth, Export", "Fly.io"];
  expect(said.filter((text) => !replies.includes(text))).toEqual([...permissions, ...others]);
  const own = "An audit log would be good,\nbut not in the first week";
  expect(await page.locator(".own").allInnerTexts()).toEqual([own]);
  const endings = await page.locator("optgroup").first().locator("option").allInnerTexts();
  expect(endings).toHaveLength(9);
});

test("the language changes without a restart", async () => {
  const page = await open("health");
  const texts = await (async () => {
    const other = await set.open("settings", "health", { lang: "zh-CN" });
    const texts = await other.page.evaluate(() => window.fake.view.texts);
    await other.close();
    return texts;
  })();
  await page.evaluate((texts) => window.fake.change({ texts }), texts);
  await page.waitForSelector("h1:has-text('运行状况')");
  expect(await page.evaluate(() => document.documentElement.lang)).toBe("zh-CN");
});

test("the tray's wish turns the tab, and Escape closes", async () => {
  const page = await open("agents");
  await page.evaluate(() => window.fake.change({ page: { window: "settings", tab: "history" } }));
  await page.waitForSelector("h1:has-text('History')");
  await page.keyboard.press("Escape");
  expect((await calls(page)).at(-1)).toEqual(["close_window"]);
});

test("the plugin is installed and removed by a button", async () => {
  const page = await open("agents");
  await page.getByRole("button", { name: "Install", exact: true }).click();
  await page.waitForSelector("text=The plugin is installed");
  await page.getByRole("button", { name: "Remove", exact: true }).last().click();
  await page.waitForSelector("text=The plugin is not installed");
  expect(await calls(page)).toEqual([
    ["integrate_opencode", true],
    ["integrate_opencode", false],
  ]);
});

test("a server nearby is suggested, and added only by hand", async () => {
  const page = await open("agents");
  await page.getByRole("button", { name: "Look", exact: true }).click();
  await page.getByRole("button", { name: "Use…" }).click();
  expect(await page.inputValue("#add-url")).toBe("http://10.0.0.9:4096");
  expect(await calls(page)).toEqual([]);
});
