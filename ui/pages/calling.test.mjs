// Tests of calling the window for a request, and of the look that a request takes when it comes up
// after an answer.

import { expect, test } from "vitest";
import { calls, press } from "./answer.mjs";
import { pagesOf } from "./window.mjs";

const open = pagesOf("answer");

const ids = (page) => page.evaluate(() => window.fake.view.asks.map(({ id }) => id));
const call = (page, ask) =>
  page.evaluate((ask) => window.fake.change({ page: { window: "answer", ask } }), ask);
const heading = (page) => page.locator("h1").first().innerText();

test("a call for the request of the last call shows it again", async () => {
  const page = await open("single");
  const [first] = await ids(page);
  await call(page, first);
  const called = await heading(page);
  await press(page, "Alt+ArrowDown");
  await expect.poll(() => heading(page)).not.toBe(called);
  await call(page, first);
  await expect.poll(() => heading(page)).toBe(called);
});

test("a call while an answer can be taken back is kept until that is sent", async () => {
  const page = await open("single");
  const [first, , third] = await ids(page);
  await call(page, third);
  const called = await heading(page);
  await call(page, first);
  await page.evaluate(() => window.fake.change({ undo_ms: 500 }));
  await page.waitForSelector("[data-main]:not([aria-disabled=true])");
  await press(page, "1", "Enter");
  await page.waitForSelector("text=/Sending in/");
  await call(page, third);
  await expect.poll(() => heading(page)).toBe(called);
  expect(await calls(page)).toHaveLength(1);
});

test("Enter and Ctrl+Enter that are pressed on answer nothing in the request that comes next", async () => {
  for (const key of ["Enter", "Control+Enter"]) {
    const page = await open("single");
    const before = await heading(page);
    await press(page, "1", key);
    await expect.poll(() => heading(page)).not.toBe(before);
    await page.waitForSelector("[data-main]:not([aria-disabled=true])");
    await press(page, key, key, key);
    expect(await page.locator("input:checked").count()).toBe(0);
    expect(await calls(page)).toHaveLength(1);
    await press(page, "1", key);
    expect(await calls(page)).toHaveLength(2);
  }
});

test("a call for what is shown already starts over with the focus, and leaves a text alone", async () => {
  const page = await open("command");
  await press(page, "a");
  const focused = () => page.evaluate(() => document.activeElement?.dataset.letter ?? "");
  expect(await focused()).toBe("a");
  await call(page, await page.evaluate(() => window.fake.view.asks[0].id));
  await expect.poll(focused).toBe("");
  await press(page, "Enter");
  expect(await calls(page)).toEqual([]);
});

test("a window that its frame closes sends nothing that can still be taken back", async () => {
  const page = await open("undo");
  await press(page, "1", "Enter");
  await page.waitForSelector("text=/Sending in/");
  await page.evaluate(() => window.fake.closed());
  await page.waitForSelector("[data-main]");
  expect(await page.locator("text=/Sending in/").count()).toBe(0);
  expect(await calls(page)).toEqual([]);
});
