// Tests of what Enter does where nothing is chosen yet, and what the main button says about that.

import { expect, test } from "vitest";
import { calls, first, notice, press } from "./answer.mjs";
import { pagesOf } from "./window.mjs";

const open = pagesOf("answer");

test("the first Enter chooses and the second one sends; Ctrl sends only what was chosen", async () => {
  let page = await open("alone");
  const id = await first(page);
  await press(page, "Enter");
  expect(await calls(page)).toEqual([]);
  expect(await page.locator("input:checked").count()).toBe(1);
  await press(page, "Enter");
  expect(await calls(page)).toEqual([["answer", id, [{ choices: [0] }]]]);
  await page.close();
  page = await open("alone");
  await press(page, "Control+Enter");
  expect(await page.locator("[role=alert]").count()).toBe(1);
  expect(await page.locator("input:checked").count()).toBe(0);
  expect(await calls(page)).toEqual([]);
  await press(page, "1", "Control+Enter");
  expect(await calls(page)).toEqual([["answer", id, [{ choices: [0] }]]]);
});

test("of several choices Enter takes the first one, and goes on once there is one", async () => {
  const page = await open("multiple");
  await press(page, "Space", "3", "Enter");
  expect(await page.locator("input:checked").count()).toBe(1);
  expect(await calls(page)).toEqual([]);
  await press(page, "Enter");
  expect(await calls(page)).toHaveLength(1);
});

test("a review that lacks an answer says where it leads, and leads there", async () => {
  const page = await open("review");
  expect(await page.locator("[data-main]").innerText()).toBe("Answer question 3");
  await press(page, "Enter");
  expect(await page.locator("[role=alert]").count()).toBe(0);
  await page.waitForSelector("text=Question 3 of 3");
  expect(await calls(page)).toEqual([]);
});

test("what became of an answer stands in the strip, and goes with the next choice", async () => {
  const page = await open("single");
  await press(page, "1", "Enter");
  await expect.poll(() => notice(page)).toContain("shop-api: PostgreSQL");
  expect(await page.locator("footer .notice").innerText()).toBe("");
  await page.waitForSelector("[data-main]");
  await press(page, "1");
  await page.waitForSelector(".passing:empty", { state: "attached" });
});

test("a second Enter right after sending chooses nothing in the request that comes next", async () => {
  const page = await open("single");
  await press(page, "1");
  await page.evaluate(() => {
    const press = () =>
      document.activeElement.dispatchEvent(
        new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }),
      );
    press();
    window.again = press;
  });
  await page.waitForSelector("h1:has-text('Where will it run?')");
  await page.evaluate(() => window.again());
  expect(await page.locator("input:checked").count()).toBe(0);
});

test("what was written is sent by Ctrl+Enter, wherever the focus is", async () => {
  const page = await open("alone");
  const id = await first(page);
  await page.fill("textarea", "MariaDB");
  await page.locator("input[type=radio]").first().focus();
  await press(page, "Control+Enter");
  expect(await calls(page)).toEqual([["answer", id, [{ choices: [], text: "MariaDB" }]]]);
});

test("a box of a batch is no choice: Enter leads on to what allows the batch", async () => {
  const page = await open("inbox");
  await press(page, "j", "j", "Enter");
  await page.waitForSelector(".pile");
  const ticked = () => page.locator(".pile input:checked").count();
  const before = await ticked();
  await page.locator(".pile input").first().focus();
  await press(page, "Enter");
  expect(await ticked()).toBe(before);
  expect(await calls(page)).toEqual([]);
});
