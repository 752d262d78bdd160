// Tests of how a window says which one it is, and whether its Beckon is running.

import { expect, test } from "vitest";
import { calls, press } from "./answer.mjs";
import { pagesOf } from "./window.mjs";

const answer = pagesOf("answer");
const settings = pagesOf("settings");

const back = (page) => page.evaluate(() => window.fake.change({}));

test("each window says which one it is in its title", async () => {
  const page = await answer("inbox");
  expect(await page.title()).toBe("Beckon inbox");
  expect(await (await answer("single")).title()).toBe("Beckon requests");
  expect(await (await settings("general")).title()).toBe("Beckon settings");
});

test("a Beckon that dies is told at once, what was typed stays, and nothing says so when it is back", async () => {
  const page = await answer("single");
  await page.fill("textarea", "MariaDB");
  await page.evaluate(() => window.fake.die());
  await page.getByRole("alert").getByText("Beckon isn't running. What").waitFor();
  await press(page, "Control+Enter");
  await page.locator("p.problem").getByText("Beckon isn't running").waitFor();
  expect(await page.locator("textarea").inputValue()).toBe("MariaDB");
  await back(page);
  await page.getByText("Beckon isn't running").first().waitFor({ state: "detached" });
  expect(await page.locator("textarea").inputValue()).toBe("MariaDB");
});

test("a setting that nobody took says so until Beckon is back", async () => {
  const page = await settings("telegram-new");
  await page.evaluate(() => window.fake.die());
  await page.getByRole("alert").getByText("Beckon isn't running. What").waitFor();
  await back(page);
  await page.getByRole("alert").waitFor({ state: "detached" });
});

test("a press that finds nobody there tells it, without any other word of it", async () => {
  const page = await answer("single");
  await page.evaluate(() => (window.fake.isGone = true));
  await page.fill("textarea", "MariaDB");
  await press(page, "Control+Enter");
  await page.getByRole("alert").getByText("Beckon isn't running. What").waitFor();
  await back(page);
  await page.getByText("Beckon isn't running").first().waitFor({ state: "detached" });
});

test("a project of two letters is named whole beside a long title", async () => {
  const page = await answer("single");
  await page.evaluate(() => {
    const [first, second, ...rest] = window.fake.view.asks;
    const session = { ...second.session, directory: "/home/dana/qa" };
    const question = { ...second.questions[0], header: "", question: "Where ".repeat(20) };
    const next = { ...second, session, questions: [question] };
    window.fake.change({ asks: [first, next, ...rest] });
  });
  const name = page.locator("nav .next b");
  expect(await name.innerText()).toBe("qa");
  const [shown, whole] = await name.evaluate((b) => [b.clientWidth, b.scrollWidth]);
  expect(shown).toBe(whole);
  expect(shown).toBeGreaterThan(10);
});

test("a Beckon that watches nobody doesn't say that it keeps trying", async () => {
  const page = await answer("empty-none");
  const text = await page.locator("main").innerText();
  expect(text).toContain("No agents connected");
  expect(text).not.toContain("trying");
  expect(await (await answer("empty-deaf")).locator("main").innerText()).toContain("trying");
});

test("a token that can't be tried at the moment stays in its field", async () => {
  const page = await settings("telegram-new");
  await page.fill("#token", "0:AAFake-Token_0123456789abcdefghijklm");
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByText("Telegram can't be reached").waitFor();
  expect(await page.locator("#token").inputValue()).toBe("0:AAFake-Token_0123456789abcdefghijklm");
  // The next text that is pasted replaces it.
  await page.keyboard.insertText("7:AAFake-Token_0123456789abcdefghijklm");
  await page.keyboard.press("Enter");
  await page.getByText("@my_beckon_bot").first().waitFor();
  expect((await calls(page)).filter(([verb]) => verb === "telegram_login")).toHaveLength(2);
  expect(await page.locator("#token").count()).toBe(0);
});
