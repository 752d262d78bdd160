// Tests of "seen" and "snoozed", the panel of all keys, and the list beside the answer.

import { expect, test } from "vitest";
import { calls, first, notice, press } from "./answer.mjs";
import { pagesOf } from "./window.mjs";

const open = pagesOf("answer");

const heading = (page) => page.locator("h1").first().innerText();
const title = (page) => page.locator("main h1").innerText();
const WIDE = { width: 864, height: 600 };

test("E marks the shown request as seen, and takes it back; it stays where it is", async () => {
  const page = await open("single");
  const id = await first(page);
  await press(page, "e");
  await page.waitForSelector("text=Seen. You won't be reminded.");
  expect(await heading(page)).toBe("Which database should I use?");
  await press(page, "e");
  await page.waitForSelector("text=Seen. You won't be reminded.", { state: "detached" });
  expect(await calls(page)).toEqual([
    ["attend", id, { is: "seen" }],
    ["attend", id, { is: "wanted" }],
  ]);
});

test("S snoozes: the window goes on to the next one, says until when, and Z takes it back", async () => {
  const page = await open("single");
  const id = await first(page);
  await press(page, "s", "Enter");
  await page.waitForSelector("h1:has-text('Where will it run?')");
  expect(await calls(page)).toEqual([["attend", id, { is: "snoozed", for: "15m" }]]);
  expect(await notice(page)).toContain("shop-api: snoozed until 14:17");
  expect(await page.locator("nav .count").innerText()).toBe("1 more");
  await press(page, "z");
  await page.waitForSelector("nav:has-text('2 more')");
  expect((await calls(page)).at(-1)).toEqual(["attend", id, { is: "wanted" }]);
});

test("the menu of a request goes by arrows, says what it has done, and Esc closes only it", async () => {
  const page = await open("single");
  await page.context().grantPermissions(["clipboard-write", "clipboard-read"]);
  await page.getByRole("button", { name: "More for Database" }).press("Enter");
  expect(await page.getByRole("menuitem").allInnerTexts()).toHaveLength(7);
  await press(page, "ArrowUp", "ArrowUp", "Enter");
  await page.waitForSelector("[role=menuitem]:has-text('Copied')");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    "Which database should I use?",
  );
  await press(page, "Escape");
  expect(await page.getByRole("menu").count()).toBe(0);
  expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe(
    "More for Database",
  );
  expect(await calls(page)).toEqual([]);
});

test("O goes to where its session runs; what stands in the way is said, and nothing is answered", async () => {
  const page = await open("single");
  const id = await first(page);
  await press(page, "o");
  await page.waitForFunction(() => window.fake.calls.length === 1);
  const message = "It runs in the tmux session work, and no terminal shows that one.";
  await page.evaluate(
    ([id, message]) => window.fake.refuses.set(id, { code: "not shown", message }),
    [id, message],
  );
  await press(page, "o");
  await page.waitForSelector(`text=${message}`);
  expect(await calls(page)).toEqual([
    ["open_session", id],
    ["open_session", id],
  ]);
  expect(await heading(page)).toBe("Which database should I use?");
});

test("what is snoozed is not counted, and woken from where it is opened", async () => {
  const page = await open("inbox-snoozed");
  expect(await heading(page)).toBe("1 waiting");
  await press(page, "End", "Enter");
  await page.waitForSelector("text=Snoozed until you're back");
  await page.getByRole("button", { name: "Wake now" }).click();
  await page.waitForSelector("text=Snoozed until", { state: "detached" });
  await press(page, "Escape");
  expect(await heading(page)).toBe("2 waiting");
});

test("when all that is left is snoozed, nobody is waiting, and the strip says so", async () => {
  const page = await open("alone");
  await press(page, "s", "ArrowDown", "ArrowDown", "Enter");
  await page.waitForSelector("h1:has-text('Nobody is waiting')");
  expect((await calls(page))[0]?.[2]).toEqual({ is: "snoozed" });
  expect(await page.locator("nav").innerText()).toContain("1 snoozed");
  await press(page, "i");
  await page.waitForSelector("h1:has-text('0 waiting')");
  await press(page, "Escape");
});

test("seen and snoozed are said of all that is selected", async () => {
  const page = await open("inbox");
  await press(page, "j", "x", "j", "j", "x", "e");
  const said = await calls(page);
  expect(said.map(([, , to]) => to)).toEqual([{ is: "seen" }, { is: "seen" }]);
  await press(page, "s", "Enter");
  await page.waitForSelector("h1:has-text('8 waiting')");
  expect(await notice(page)).toContain("2 snoozed until 14:17");
  // Similar requests may be allowed together from here, too, once they are seen in full.
  await press(page, "Escape");
  await page.getByRole("button", { name: /npm test/ }).click();
  await press(page, "x");
  await page.getByRole("button", { name: "Allow 5…" }).click();
  expect(await page.locator(".pile li.on").count()).toBe(5);
});

test("a filter is typed, left by the arrow, and emptied by Esc", async () => {
  const page = await open("inbox");
  await press(page, "/");
  await page.keyboard.type("docs");
  await page.waitForSelector("text=2 of 10");
  expect(await page.locator("[data-list] li.row").count()).toBe(2);
  await press(page, "ArrowDown", "j");
  expect(await page.locator("[data-current]").innerText()).toContain("docs/index.md");
  await press(page, "Escape");
  expect(await page.locator("[data-list] li.row").count()).toBe(7);
  expect(await calls(page)).toEqual([]);
});

test("? shows all keys over whatever is open, and Esc closes it", async () => {
  for (const scene of ["inbox", "single", "empty", "edit"]) {
    const page = await open(scene);
    await page.waitForFunction(() => document.activeElement !== document.body);
    await press(page, "?");
    await page.waitForSelector("dialog[open]");
    expect(await page.locator("dialog dt").count()).toBe(18);
    await press(page, "a", "1", "Escape");
    expect(await page.locator("dialog").count()).toBe(0);
    await page.waitForFunction(() => document.activeElement !== document.body);
    expect(await calls(page)).toEqual([]);
    await page.close();
  }
});

test("wide, the list stands beside the answer: J and K move it, all other keys answer", async () => {
  const page = await open("single");
  await page.setViewportSize(WIDE);
  await page.waitForSelector("[data-current]");
  expect(await title(page)).toBe("Which database should I use?");
  await press(page, "j");
  expect(await title(page)).toContain("wants to run");
  await press(page, "k", "2", "Enter");
  expect(await calls(page)).toEqual([["answer", expect.any(String), [{ choices: [1] }]]]);
  // The shop's other request is the next row.
  await page.waitForSelector("main h1:has-text('wants to run')");
  expect(await page.locator("[data-current]").innerText()).toContain("rm -rf build");
  await page.setViewportSize({ width: 420, height: 560 });
  await page.waitForSelector("[data-list]", { state: "detached" });
});

test("wide, a row of similar ones is opened beside the list", async () => {
  const page = await open("inbox");
  await page.setViewportSize(WIDE);
  await page.waitForSelector("nav [data-current]");
  // Snoozing leads on to them, and the notice is shown there, too.
  await press(page, "j", "s", "Enter");
  await page.waitForSelector(".pile");
  expect(await page.locator(".pile li.on").count()).toBe(5);
  expect(await notice(page)).toContain("snoozed until 14:17");
  await page.waitForSelector("[data-several]:not([aria-disabled=true])");
  await press(page, "a", "Enter");
  await page.waitForSelector("nav h1:has-text('4 waiting')");
  expect(await page.locator("[data-current]").innerText()).toContain("rm -rf");
  expect(await title(page)).toContain("wants to run");
});

test("in forced colours the current row and what is selected keep a shape", async () => {
  const page = await open("inbox");
  await page.emulateMedia({ forcedColors: "active" });
  await press(page, "j", "x");
  const row = page.locator(".it.cur");
  expect(await row.evaluate((it) => getComputedStyle(it).outlineStyle)).toBe("solid");
  expect(await row.locator(".tick svg").isVisible()).toBe(true);
});
