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
  expect(await calls(page)).toEqual([["set_secret", "opencode:laptop"]]);
  const remove = page.getByRole("button", { name: "Remove laptop" });
  await remove.click();
  expect(await page.getByText("laptop", { exact: true }).count()).toBe(1);
  await page.getByRole("button", { name: "Remove", exact: true }).first().click();
  await page.getByText("laptop", { exact: true }).waitFor({ state: "detached" });
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

test("the history is searched, filtered and exported", async () => {
  const page = await open("history");
  await page.waitForSelector("article");
  await page.fill("input[type=search]", "audit");
  await page.waitForFunction(() => document.querySelectorAll("article").length === 1);
  await page.fill("input[type=search]", "");
  await page.selectOption("select", "expired");
  await page.waitForFunction(() =>
    document.querySelector("article")?.textContent?.includes("Rename"),
  );
  await page.getByRole("button", { name: "Export CSV" }).click();
  await page.waitForSelector("text=beckon-history.csv");
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
