// Tests of the settings window as people use it.

import { expect, test } from "vitest";
import { calls, pagesOf } from "./window.mjs";

const open = pagesOf("settings");

test("a span is chosen by name, and its sentence says what will happen", async () => {
  const page = await open("presence");
  await page.selectOption("#presence-away_after", { label: "5 min" });
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
  await expect
    .poll(() =>
      page.locator("[data-can]").evaluateAll((chips) => chips.map((it) => it.dataset.can)),
    )
    .toEqual(["buttons", "sound", "keeps"]);
  expect(await page.locator("#sound-about > span").first().innerText()).toContain("play a sound");
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
  await page.getByText("The notification says how else to answer.").waitFor();
  await page.locator("li", { hasText: "No sound" }).waitFor();
  await page.getByText("A notification you close isn't kept").waitFor();
  await page.getByText("The notification says how to answer.").first().waitFor();
  expect(await page.locator("#sound-about > span").first().innerText()).toContain(
    "can't play sounds",
  );
});

test("a file with an error is opened where the error is told", async () => {
  const page = await open("presence-broken");
  await page.getByRole("alert").getByRole("button", { name: "Open file" }).click();
  expect(await calls(page)).toEqual([["open_config"]]);
});

test("what Beckon refuses stands beside its field until it is mended", async () => {
  const page = await open("general");
  await page.fill("#hotkey", "Ctrl");
  await page.press("#hotkey", "Tab");
  await page.waitForSelector("[role=alert]");
  expect(await page.locator("[role=alert]").innerText()).toContain("Ctrl+Alt+B");
  await page.fill("#hotkey", "Ctrl+Alt+K");
  await page.press("#hotkey", "Tab");
  await page.waitForSelector("[role=alert]", { state: "detached" });
});

/** Lets somebody else change the settings file, and waits until the window has read it. */
async function changeByHand(page, values) {
  await page.evaluate((byHand) => {
    window.fake.byHand = byHand;
    window.fake.change({});
  }, values);
  await page.waitForFunction(() => Object.keys(window.fake.byHand).length === 0);
  await page.evaluate(() => new Promise((done) => setTimeout(done)));
}

test("a shortcut that is half typed stays when the settings file is changed meanwhile", async () => {
  const page = await open("general");
  await page.focus("#hotkey");
  await page.keyboard.type("Ctrl+Al");
  await changeByHand(page, { "window.hotkey": "Super+B", language: "en" });
  expect(await page.locator("#hotkey").inputValue()).toBe("Ctrl+Al");

  await page.keyboard.type("t+K");
  await page.press("#hotkey", "Tab");
  await expect.poll(() => calls(page)).toEqual([["save_setting", "window.hotkey", "Ctrl+Alt+K"]]);
});

test("a shortcut that nobody is writing follows the settings file", async () => {
  const page = await open("general");
  await changeByHand(page, { "window.hotkey": "Super+B" });
  expect(await page.locator("#hotkey").inputValue()).toBe("Super+B");

  await page.fill("#hotkey", "Super+K");
  await page.press("#hotkey", "Tab");
  await expect.poll(() => calls(page)).toHaveLength(1);
  await changeByHand(page, { "window.hotkey": "Super+M" });
  expect(await page.locator("#hotkey").inputValue()).toBe("Super+M");
});

test("quiet hours are turned on with usual times, changed by two time fields, and off again", async () => {
  const page = await open("telegram");
  const set = page.locator("#quiet");
  await set.press("Space");
  await page.getByLabel("Quiet from").fill("22:15");
  await page.waitForSelector("text=22:15-07:30");
  await set.press("Space");
  await page.getByLabel("Quiet from").waitFor({ state: "detached" });
  const key = "escalation.quiet_hours";
  expect(await calls(page)).toEqual([
    ["save_setting", key, "23:00-07:30"],
    ["save_setting", key, "22:15-07:30"],
    ["save_setting", key, ""],
  ]);
});

test("Beckon starts at login once that is turned on", async () => {
  const page = await open("general");
  await page.locator("#autostart").press("Space");
  await page.waitForSelector("#autostart[aria-checked=true]");
  expect(await calls(page)).toEqual([["autostart", true]]);
});

test("newer versions are looked for once that is turned on, and what is sent is said before", async () => {
  const page = await open("general-updates");
  const row = page.locator("#updates");
  expect(await row.getAttribute("aria-checked")).toBe("false");
  await page
    .getByText(/Off\. When on, checks once a day.*your IP address/)
    .first()
    .waitFor();
  await row.press("Space");
  await page.waitForSelector("#updates[aria-checked=true]");
  expect(await calls(page)).toEqual([["save_setting", "updates.check", true]]);
});

test("a Beckon that knows nobody to ask offers no switch for it", async () => {
  const page = await open("general");
  await page.locator("#autostart").waitFor();
  expect(await page.locator("#updates").count()).toBe(0);
});

test("a newer version is one quiet line under Health", async () => {
  const page = await open("health-updates");
  await page.getByText("Beckon 0.2.0 is out, and this is 0.1.0.").waitFor();
});

test("agents of this computer are connected by a button each, which says what it did", async () => {
  const page = await open("welcome-new");
  await page.getByText("2 running, 2 not connected").waitFor();
  await page.getByRole("button", { name: "Install plugin" }).press("Enter");
  await page.getByText("✓ Plugin installed").waitFor();
  await page.getByText("Restart OpenCode here").first().waitFor();
  await page.getByRole("button", { name: "Add hooks" }).press("Enter");
  await page.getByText("✓ Hooks added").waitFor();
  expect(await calls(page)).toEqual([
    ["integrate_opencode", true],
    ["integrate_claude_code", true],
  ]);
  expect(await page.locator("button.main").allInnerTexts()).toEqual(["Next"]);
});

test("with nothing found the first page is no dead end", async () => {
  const page = await open("welcome-none");
  await page.getByText("Not found. Install it").waitFor();
  await page.getByText("Not running here.").waitFor();
  expect(await page.locator("button.main").allInnerTexts()).toEqual(["Install plugin"]);
  await page.getByRole("button", { name: "Skip for now" }).waitFor();
});

test("first start to a test question: three steps, every one by keyboard", async () => {
  const page = await open("welcome");
  await page.getByRole("button", { name: "Next" }).press("Enter");
  await page.fill("#token", "123:abc");
  await page.press("#token", "Enter");
  await page.getByRole("button", { name: "Show QR code" }).press("Enter");
  await page.waitForSelector("img");
  expect(await page.locator("#token").count()).toBe(0);
  await page.getByRole("button", { name: "Skip for now" }).press("Enter");
  await page.getByRole("button", { name: "Send a test question" }).press("Enter");
  await page.getByRole("heading", { name: "It works" }).waitFor();
  await page.locator("#autostart").waitFor();
  await page.getByRole("button", { name: "Done" }).press("Enter");
  const verbs = (await calls(page)).map(([verb]) => verb);
  expect(verbs).toEqual(["telegram_login", "test_question", "close_window"]);
});

/** Collects every sentence that a row says from now on, in order. */
const sentences = (row) =>
  row.evaluateHandle((row) => {
    const said = [];
    const hear = () => said.push(row.querySelector(".steady > span").textContent);
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
  await row.getByText("works both ways").waitFor();
  expect(await said.jsonValue()).toEqual([
    "Sent. Tap the button in Telegram.",
    "Ada Lovelace tapped it 3 s later: it works both ways.",
  ]);
  expect((await row.boundingBox()).height).toBe(height);
});

test("a test card that nobody taps is no failure", async () => {
  const page = await open("telegram-late");
  await page.getByRole("button", { name: "Send a test card" }).press("Enter");
  const sentence = page.locator(".steady > span:not(.spare)", { hasText: "No tap yet" });
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
    ["Continued", "Stopped here", "Dismissed", "Expired", "The agent stopped waiting"],
  ],
  [
    "zh-CN",
    ["允许一次", "已拒绝：Not on a Friday: open a pull request instead", "始终允许"],
    ["已继续", "到此为止", "已忽略", "已过期", "智能体不再等了"],
  ],
])("the history says in words what was decided (%s)", async (lang, permissions, others) => {
  const page = await open("history", { lang });
  await page.waitForSelector("article");
  const said = await page.locator(".decided").allInnerTexts();
  const replies = ["SQLite", "Auth, Export", "8080", "Fly.io"];
  expect(said.filter((text) => !replies.includes(text))).toEqual([...permissions, ...others]);
  const own = "An audit log would be good,\nbut not in the first week";
  // The words of an answer that came too late are there as well.
  const late = "3000, the proxy expects it there";
  expect(await page.locator(".own").allInnerTexts()).toEqual([own, late]);
  const endings = await page.locator("optgroup").first().locator("option").allInnerTexts();
  expect(endings).toHaveLength(9);
});

test("the history says who asked: the program, the session, and where", async () => {
  const page = await open("history");
  const row = page.locator("article", { hasText: "rm -rf build" });
  expect(await row.locator(".who").innerText()).toMatch(/^Nightly\s·\sClaude Code$/);
  expect(await row.locator("b").getAttribute("title")).toBe("/home/you/infra");
});

test("the language changes without a restart", async () => {
  const page = await open("health");
  const other = await open("health", { lang: "zh-CN" });
  const texts = await other.evaluate(() => window.fake.view.texts);
  await page.evaluate((texts) => window.fake.change({ texts }), texts);
  await page.waitForSelector("h1:has-text('运行状况')");
  expect(await page.evaluate(() => document.documentElement.lang)).toBe("zh-CN");
});

test("the tray's wish turns the tab, and Escape closes", async () => {
  const page = await open("agents");
  await page.evaluate(() => window.fake.change({ page: { window: "settings", tab: "history" } }));
  await page.waitForSelector("h1:has-text('Activity')");
  await page.keyboard.press("Escape");
  expect((await calls(page)).at(-1)).toEqual(["close_window"]);
});
