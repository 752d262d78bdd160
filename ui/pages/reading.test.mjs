// What comes next in the answer window is read from its beginning, however far the one before was scrolled.

import { expect, test } from "vitest";
import { press, settled } from "./answer.mjs";
import { drawn } from "./stage.mjs";
import { pagesOf } from "./window.mjs";

const open = pagesOf("answer");

/** In a window that is too low for a request, its human has scrolled to the buttons. */
async function scrolledDown(page) {
  await page.setViewportSize({ width: 420, height: 240 });
  await drawn(page);
  const frame = page.locator(".window");
  await frame.evaluate((frame) => frame.scrollTo(0, frame.scrollHeight));
  expect(await top(page)).toBeGreaterThan(20);
}

const top = (page) => page.locator(".window").evaluate((frame) => frame.scrollTop);

/** The title is in sight. */
async function isFromTheBeginning(page) {
  await drawn(page);
  const title = await page.locator("h1").first().boundingBox();
  expect(title?.y).toBeGreaterThanOrEqual(0);
}

test("the next request is read from its beginning", async () => {
  const page = await open("single");
  await scrolledDown(page);
  const before = await page.locator("h1").first().innerText();
  await settled(page);
  await page.locator("nav button.next").click();
  await page.waitForFunction(
    (before) => document.querySelector("h1")?.innerText !== before,
    before,
  );
  await isFromTheBeginning(page);
});

test("the next question of a set is read from its beginning", async () => {
  const page = await open("set");
  await press(page, "1");
  await scrolledDown(page);
  await page.locator("[data-main]").click();
  await page.getByRole("heading", { name: /Which features/ }).waitFor();
  await isFromTheBeginning(page);
});
