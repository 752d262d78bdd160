// Tests of what replaces a request that somebody is working on: nothing is answered by accident.

import { expect, test } from "vitest";
import { calls, notice, press } from "./answer.mjs";
import { pagesOf } from "./window.mjs";

const open = pagesOf("answer");

/** Answers the first request elsewhere. */
async function answerElsewhere(page) {
  await page.evaluate(() => {
    const { fake } = window;
    fake.end(fake.view.asks[0].id, "answered elsewhere", "telegram", [["SQLite"]]);
  });
}

test("answered elsewhere: nothing that somebody writes in is replaced, until they go on", async () => {
  const page = await open("single");
  await page.fill("textarea", "MariaDB, of course");
  await answerElsewhere(page);
  await page.waitForSelector(".lost");
  expect(await notice(page)).toContain("shop-api: SQLite · answered on Telegram");
  expect(await page.locator(".lost textarea").inputValue()).toBe("MariaDB, of course");
  expect(await page.locator("h1").innerText()).toBe("Which database should I use?");
  await page.keyboard.type(" and so on, 1 s a", { delay: 110 });
  await press(page, "Control+Enter");
  expect(await page.locator("h1").innerText()).toBe("Which database should I use?");
  expect(await calls(page)).toEqual([]);
  await page.getByRole("button", { name: "Next request" }).click();
  expect(await page.locator("h1").innerText()).toBe("Where will it run?");
  expect(await page.locator(".lost textarea").inputValue()).toBe("MariaDB, of course");
  await page.locator(".notice button:has-text('OK')").click();
  expect(await page.locator(".lost").count()).toBe(0);
});

test("what takes a place by itself gets no key and no click that was meant for the one before", async () => {
  const page = await open("single");
  await page.locator("[data-first]").focus();
  await answerElsewhere(page);
  await page.waitForSelector("h1:has-text('Where will it run?')");
  await page.keyboard.type(" 1 s2", { delay: 110 });
  await press(page, "Enter", "Enter", "Escape");
  expect(await calls(page)).toEqual([]);
  expect(await page.locator("input:checked").count()).toBe(0);
  await page.mouse.move(40, 40);
  await page.mouse.move(90, 90);
  await press(page, "1");
  expect(await page.locator("input:checked").count()).toBe(1);
});
