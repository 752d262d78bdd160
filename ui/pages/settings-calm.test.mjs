// Tests of the settings window by keyboard, and that nothing in it jumps.

import { expect, test } from "vitest";
import { calls, pagesOf } from "./window.mjs";

const open = pagesOf("settings");

test("a hot key is pressed, not spelled", async () => {
  const page = await open("general");
  await page.focus("#hotkey");
  await page.keyboard.press("Control+Alt+b");
  await page.waitForFunction(() => document.querySelector("#hotkey").value === "Ctrl+Alt+B");
  expect(await calls(page)).toEqual([["save_setting", "window.hotkey", "Ctrl+Alt+B"]]);
});

test("what was typed is saved although the window is closed by Escape", async () => {
  const page = await open("general");
  await page.fill("#hotkey", "Ctrl+Alt+K");
  await page.keyboard.press("Escape");
  expect(await calls(page)).toEqual([
    ["save_setting", "window.hotkey", "Ctrl+Alt+K"],
    ["close_window"],
  ]);
});

test("Escape leaves a question before the window, and the focus stays where it was", async () => {
  const page = await open("telegram");
  const remove = page.getByRole("button", { name: "Remove Ada Lovelace" });
  await remove.press("Enter");
  await page.keyboard.press("Escape");
  expect(await remove.evaluate((button) => button === document.activeElement)).toBe(true);
  expect(await calls(page)).toEqual([]);
  await page.keyboard.press("Escape");
  expect(await calls(page)).toEqual([["close_window"]]);
});

test("the code for a phone takes the focus of the button that showed it", async () => {
  const page = await open("telegram-pair");
  await page.getByRole("button", { name: "Show QR code" }).press("Enter");
  const copy = page.getByRole("button", { name: "Copy" });
  await copy.waitFor();
  expect(await copy.evaluate((button) => button === document.activeElement)).toBe(true);
});

test.each(["telegram", "history", "health"])("%s: nothing jumps while it arrives", async (tab) => {
  const page = await open(`${tab}&slow=150`);
  const jumps = await page.evaluate(async () => {
    const seen = [];
    new PerformanceObserver((list) => seen.push(...list.getEntries())).observe({
      type: "layout-shift",
      buffered: true,
    });
    await new Promise((done) => setTimeout(done, 600));
    return seen.reduce((sum, { value }) => sum + value, 0);
  });
  expect(jumps).toBeLessThan(0.01);
});

test("no row jumps while a choice is made or a switch turns", async () => {
  const page = await open("presence");
  // Measured in the page, not in the window, which scrolls when the focus is far down.
  const below = () =>
    page.evaluate(() => {
      const top = (selector) => document.querySelector(selector).getBoundingClientRect().top;
      return top("[data-leg='idle'], section:last-of-type") - top("h1");
    });
  const before = await below();
  await page.selectOption("#presence-away_after", "30m");
  await page.waitForSelector(`#presence-away_after-about:has-text("After 30 min")`);
  await page.focus("#lock");
  await page.keyboard.press("Space");
  await page.waitForSelector("#lock[aria-checked=false]");
  expect(await below()).toBe(before);
});
