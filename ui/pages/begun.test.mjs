// Tests of an answer that was begun in a window which is gone: its human goes on where they were,
// and one key sends nothing.

import { expect, test } from "vitest";
import { calls, press, settled } from "./answer.mjs";
import { pagesOf } from "./window.mjs";

const open = pagesOf("answer");

const focused = (page) => page.evaluate(() => document.activeElement?.tagName);

test("own words that are begun have the focus, and Enter goes on with them", async () => {
  const page = await open("own-begun");
  await settled(page);
  expect(await focused(page)).toBe("TEXTAREA");
  await press(page, "Enter");
  await page.keyboard.type("it is late");
  expect(await page.locator("textarea").inputValue()).toBe("MariaDB, unless\nit is late");
  expect(await calls(page)).toEqual([]);
  await press(page, "Control+Enter");
  await expect.poll(() => calls(page)).toHaveLength(1);
});

test("a reason that is begun is gone on with, and no key beside it allows anything", async () => {
  const page = await open("reason-begun");
  await settled(page);
  expect(await focused(page)).toBe("TEXTAREA");
  await press(page, "Enter");
  expect(await calls(page)).toEqual([]);
  expect(await page.locator("textarea").inputValue()).toContain("Not before");
});
