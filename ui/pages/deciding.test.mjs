// Tests of permissions that are answered in words of their own, and of what "always" would allow.

import { expect, test } from "vitest";
import { calls, press } from "./answer.mjs";
import { pagesOf } from "./window.mjs";

const open = pagesOf("answer");
const buttons = (page) => page.locator("footer button:visible").allInnerTexts();

test("a plan is read as Markdown, started, or sent back with what should change", async () => {
  let page = await open("plan");
  expect(await page.locator(".plan strong").first().innerText()).toBe(
    "Move the cart to its own table",
  );
  expect(await page.locator(".plan ol li").count()).toBe(3);
  expect((await buttons(page)).join(" ")).toMatch(/Keep planning….*Start/su);
  await press(page, "r");
  await page.keyboard.type("Keep the old column");
  await press(page, "Control+Enter");
  expect((await calls(page))[0]).toEqual(["deny", expect.any(String), "Keep the old column"]);
  await page.close();
  page = await open("plan");
  await press(page, "a", "Enter");
  expect((await calls(page))[0]).toEqual(["grant", expect.any(String), false]);
});

test("an agent that repeats itself is told to go on, or to stop and why", async () => {
  const page = await open("loop");
  expect((await buttons(page)).join(" ")).toMatch(/Stop and say why….*Keep going/su);
  await press(page, "r");
  expect(await page.locator("textarea").getAttribute("placeholder")).toContain("going wrong");
});

test("beside a marked risk always is in the menu only, and its panel marks what is dangerous", async () => {
  const page = await open("command");
  await press(page, "2", "Shift+A");
  expect(await page.locator(".always").count()).toBe(0);
  await page.locator("header button[aria-haspopup=menu]").click();
  await page.getByRole("menuitem", { name: "Always…" }).click();
  expect(await page.locator(".always .risky").innerText()).toMatch(
    /^rm \*\s+can delete any file$/u,
  );
  expect(await page.locator(".always li:not(.risky)").innerText()).toBe("npm run *");
  expect(await page.getByRole("button", { name: "Always allow all 2" }).count()).toBe(1);
  expect(await calls(page)).toEqual([]);
});

test("the button of always names the one pattern that it allows", async () => {
  const page = await open("plain");
  await press(page, "2");
  expect(await page.locator("footer .row button").last().innerText()).toBe(
    "Always allow npm test *",
  );
});

test("the product that asks is named, and not its usual mode", async () => {
  const page = await open("single");
  expect(await page.locator("header .who").innerText()).toMatch(/OpenCode/u);
  expect(await page.locator("header .who").innerText()).not.toMatch(/build/u);
});

test("the words of a risk say which words of the command are meant", async () => {
  const page = await open("command");
  expect(await page.locator("footer .hides").innerText()).toContain("rm -rf: Deletes files");
});

test("what changes the meaning of a request is a band above it, with a way on", async () => {
  for (const scene of ["stale", "returned"]) {
    const page = await open(scene);
    const band = page.locator("section.warns");
    const above = await band.evaluate((node) => node.getBoundingClientRect().top);
    expect(above).toBe(0);
    expect(await band.getByRole("button").innerText()).toBe("Open session");
    await page.close();
  }
});
