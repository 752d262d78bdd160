// Tests that all arguments of a call are on its page, and that a call with unknown ones takes a
// second press.

import { expect, test } from "vitest";
import { press } from "./answer.mjs";
import { calls, pagesOf } from "./window.mjs";

const open = pagesOf("answer");

/** Waits until the guard against a press that was meant for something else is over. */
const ready = (page) => page.waitForSelector("button[data-letter=a]:not([aria-disabled=true])");

test("every argument stands under its name, and one key allows what is shown in full", async () => {
  const page = await open("tool");
  const named = await page.locator("dl > div").allInnerTexts();
  expect(named.map((text) => text.split("\n")[0])).toEqual(["cascade", "reason", "table"]);
  expect(named[2]).toContain("users");
  await ready(page);
  await press(page, "a", "Enter");
  await expect.poll(() => calls(page)).not.toEqual([]);
});

test("a call whose arguments are not known is not allowed by one key nor by Enter", async () => {
  const page = await open("partial");
  await ready(page);
  await press(page, "Enter");
  expect(await calls(page)).toEqual([]);
  await press(page, "a", "Enter");
  expect(await calls(page)).toEqual([]);
  expect(await page.locator("section[aria-labelledby=sure]").innerText()).toContain("terminal");
  await page.keyboard.press("Enter");
  expect(await calls(page)).toEqual([]);
  await ready(page);
  await press(page, "a", "Enter");
  await page.getByRole("button", { name: "Allow once" }).click();
  await expect.poll(() => calls(page)).not.toEqual([]);
});

test("a patch says what it moves and deletes", async () => {
  const page = await open("patch");
  expect(await page.locator("h1").innerText()).toContain("edit, move or delete");
  const named = await page.locator("dl").innerText();
  expect(named).toContain("src/config.ts → src/env/config.ts");
  expect(named).toContain("src/old.ts");
});
