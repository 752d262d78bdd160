// Tests of the page on which nothing waits, and of a request that can't be answered here: both lead
// on.

import { expect, test } from "vitest";
import { calls, press } from "./answer.mjs";
import { pagesOf } from "./window.mjs";

const open = pagesOf("answer");

test("where nothing waits the last answers are in sight, and no button is there only to close", async () => {
  const page = await open("empty");
  await page.getByText("Last answers").waitFor();
  expect(await page.locator("main li").count()).toBe(3);
  expect(await page.locator("main li").first().innerText()).toContain("SQLite");
  expect(await page.locator("main button").count()).toBe(0);
  await press(page, "Enter");
  expect(await calls(page)).toEqual([["close_window"]]);
});

test("without a working server its name and one button to connect an agent are there", async () => {
  const page = await open("empty-deaf");
  const text = await page.locator("main").innerText();
  expect(text).toContain("local: Unreachable: connection refused");
  expect(await page.locator("main button.main").allInnerTexts()).toEqual(["Connect an agent"]);
  expect(await page.locator("svg .stroke").count()).toBe(1);
  expect(await (await open("empty")).locator("svg .stroke").count()).toBe(0);
});

test("a request of unknown form leads to its session, and can be copied", async () => {
  const page = await open("unknown");
  expect(await page.locator("pre").innerText()).toContain("How bold?");
  const buttons = await page.locator("footer .row button").allInnerTexts();
  expect(buttons).toEqual(["Copy request", "Open session"]);
  await press(page, "Enter");
  await expect.poll(async () => (await calls(page))[0]?.[0]).toBe("open_session");
});

test("a service's question is titled by what it is about to do, and takes A and R", async () => {
  const page = await open("confirm");
  expect(await page.locator("h1").innerText()).toContain("searches the web again");
  await press(page, "r", "Enter");
  expect((await calls(page))[0]).toEqual(["go_on", expect.any(String), false]);
});
