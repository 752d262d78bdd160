// Tests of what a press must not do in the inbox: answer what has just come up, or apply to another
// request than the one where it was pressed.

import { expect, test } from "vitest";
import { calls, first, press } from "./answer.mjs";
import { pagesOf } from "./window.mjs";

const open = pagesOf("answer");
const WIDE = { width: 864, height: 600 };
const row = (page, text) => page.locator(`[data-list] li.row:has-text("${text}")`);

test.each([10, 22, 34, 46])(
  "a double press %i px down a row answers nothing, though its answers come up there",
  async (y) => {
    const page = await open("inbox");
    const box = await row(page, "Which database").boundingBox();
    await page.mouse.dblclick(box.x + 60, box.y + y);
    expect(await calls(page)).toEqual([]);
  },
);

test("what a choice means stands beside it where it can be taken", async () => {
  const page = await open("inbox");
  await press(page, "j");
  const offered = await row(page, "Which database").locator("[data-key]").allInnerTexts();
  expect(offered[0]).toContain("Robust relational store, needs a server");
});

test("beside the list a key means the request where it was pressed", async () => {
  const page = await open("inbox");
  await page.setViewportSize(WIDE);
  await page.waitForSelector("nav [data-filter]");
  const shown = await first(page);
  await press(page, "/");
  await page.keyboard.type("docs");
  await page.locator("main h1").first().click();
  await page.evaluate(() => document.activeElement?.blur());
  await press(page, "e");
  const said = await calls(page);
  expect(said.map(([verb]) => verb)).toEqual(["attend"]);
  expect(said[0][1]).toBe(shown);
});
