// Tests of what the inbox does with several requests at once, and of its headings.

import { expect, test } from "vitest";
import { calls, notice, press } from "./answer.mjs";
import { pagesOf } from "./window.mjs";

const open = pagesOf("answer");

/** Waits until the guard against a press that was meant for something else is over. */
const ready = (page) => page.waitForSelector("[data-several]:not([aria-disabled=true])");

test("several are rejected after a second look, and Enter goes back", async () => {
  const page = await open("inbox");
  await press(page, "j", "j", "Enter");
  await ready(page);
  await press(page, "x", "r", "Enter");
  expect(await calls(page)).toEqual([]);
  await press(page, "r");
  expect(await page.locator(".act").innerText()).toContain("Reject 4 requests?");
  await page.getByRole("button", { name: "Reject 4", exact: true }).click();
  await expect.poll(async () => (await calls(page)).length).toBe(4);
  expect(new Set((await calls(page)).map(([verb]) => verb))).toEqual(new Set(["deny"]));
  expect(await notice(page)).toContain("shop-api: 4 rejected");
});

test("the heading of the project that is read stays above its rows", async () => {
  const page = await open("inbox-many");
  await page.locator(".view").evaluate((view) => view.scrollTo(0, 400));
  const stuck = page.locator(".stuck .heading");
  await stuck.waitFor();
  const [list, heading] = await Promise.all([
    page.locator(".view").boundingBox(),
    stuck.boundingBox(),
  ]);
  expect(Math.abs((heading?.y ?? 0) - (list?.y ?? 0))).toBeLessThan(2);
});
