// Tests of the answer window by keyboard: where the focus is, and what a key must not do.

import { expect, test } from "vitest";
import { calls, press, settled } from "./answer.mjs";
import { pagesOf } from "./window.mjs";

const open = pagesOf("answer");

const focused = (page) => page.evaluate(() => document.activeElement?.getAttribute("data-key"));

test("an ask that somebody has turned to is answered at once", async () => {
  const page = await open("single");
  await press(page, "Alt+ArrowDown", "1", "Enter");
  expect(await calls(page)).toEqual([["answer", expect.any(String), [{ choices: [0] }]]]);
});

test("up from an own answer of one line goes back to the choices", async () => {
  const page = await open("alone");
  await press(page, "3");
  await page.keyboard.type("MariaDB");
  await press(page, "ArrowUp");
  expect(await focused(page)).toBe("2");
});

test("whatever opens has the focus on something that can be pressed", async () => {
  for (const scene of ["empty", "nothing", "confirm", "own", "edit", "thousands"]) {
    const page = await open(scene);
    await page.waitForFunction(() => document.activeElement !== document.body);
    await page.close();
  }
});

test("a wide 'always' says what its star stands for", async () => {
  const page = await open("edit");
  await press(page, "2");
  expect(await page.locator(".always").innerText()).toMatch(/^\*\s*every file$/u);
  expect(await page.locator(".above").innerText()).toContain("Until OpenCode restarts");
});

test("an Enter that is held down allows one thing, not whatever waits behind it", async () => {
  const page = await open("single");
  await page.evaluate(() => {
    const { fake } = window;
    const [, , command] = fake.view.asks;
    const asks = ["a", "b", "c"].map((id) => ({ ...command, risks: [], id, fingerprint: id }));
    fake.change({ asks, page: { window: "answer", ask: "a" } });
  });
  await page.waitForSelector("h1:has-text('wants to run')");
  await settled(page);
  // A key that repeats, as a keyboard reports it: more downs without an up.
  await page.keyboard.down("Enter");
  expect(await calls(page)).toEqual([["grant", "a", false]]);
  await page.waitForSelector("nav:has-text('1 more')");
  await settled(page);
  for (let i = 0; i < 5; i += 1) await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
  expect(await calls(page)).toHaveLength(1);
});

test("a double press does not take back what it has just allowed", async () => {
  const page = await open("command");
  await page.evaluate(() => {
    const { fake } = window;
    fake.change({ asks: fake.view.asks.map((ask) => ({ ...ask, risks: [] })), undo_ms: 600 });
  });
  await press(page, "Enter", "Enter");
  await page.waitForFunction(() => window.fake.calls.some(([verb]) => verb === "grant"));
});

test("with a dangerous command Enter allows nothing, and its own key and Enter do", async () => {
  const page = await open("command");
  expect(await page.locator("mark").allInnerTexts()).toEqual(["rm -rf"]);
  await page.waitForSelector("[data-key='1']:not([aria-disabled=true])");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+Enter");
  expect(await calls(page)).toEqual([]);
  await press(page, "1", "Enter");
  expect(await calls(page)).toEqual([["grant", expect.any(String), false]]);
});

test("the window is asked to be as high as the content, and not to shrink under a hand", async () => {
  const page = await open("alone");
  const show = (fingerprint, last_words) =>
    page.evaluate(
      ([fingerprint, last_words]) => {
        const { fake } = window;
        const [ask] = fake.view.asks;
        const session = { ...ask.session, last_words };
        fake.change({ asks: [{ ...ask, fingerprint, session }] });
      },
      [fingerprint, last_words],
    );
  const fitted = () => page.evaluate(() => window.fake.fitted);
  const first = await fitted();
  expect(first).toBeLessThan(560);
  await show("quiet", null);
  await page.waitForFunction((first) => window.fake.fitted < first, first);
  const low = await fitted();
  // The program makes the window so high.
  await page.setViewportSize({ width: 420, height: low });
  await show("quiet", "So it goes. ".repeat(40));
  await page.waitForFunction((low) => window.fake.fitted > low, low);
  const high = await fitted();
  await show("quiet", null);
  await page.waitForSelector(".said", { state: "detached" });
  expect(await fitted()).toBe(high);
  await show("another", null);
  await page.waitForFunction((low) => window.fake.fitted === low, low);
});

test("while the undo runs the focus is on something, and a double press takes nothing back", async () => {
  const page = await open("undo");
  await press(page, "1", "Enter");
  await page.waitForSelector("text=Undo");
  expect(await focused(page)).toBe("1");
  await press(page, "Enter", "2");
  expect(await page.locator("label.on").innerText()).toContain("PostgreSQL");
  await page.getByRole("button", { name: "Undo" }).click({ delay: 10 });
  await page.waitForSelector("[data-main]");
  expect(await calls(page)).toEqual([]);
});

test("a request that changes while somebody reads it is not answered for its old words", async () => {
  const page = await open("edit");
  await settled(page);
  await page.evaluate(() => {
    const { fake } = window;
    const [ask] = fake.view.asks;
    const permission = { ...ask.permission, command: "rm -rf ~/work" };
    fake.change({ asks: [{ ...ask, permission, fingerprint: "another" }] });
  });
  await page.waitForSelector("text=rm -rf ~/work");
  // A key press that was already on its way.
  await page.keyboard.press("Enter");
  expect(await calls(page)).toEqual([]);
});

test("an answer that its agent does not take is said in the window until that is over", async () => {
  const page = await open("single");
  const set = (undelivered) =>
    page.evaluate((undelivered) => {
      const { fake } = window;
      const [first, second, ...rest] = fake.view.asks;
      fake.change({ asks: [first, { ...second, state: "answering", undelivered }, ...rest] });
    }, undelivered);
  await set({ since: 0, why: "it answers 400" });
  await page.waitForSelector("[role=status]:has-text('it answers 400')");
  await set(undefined);
  await page.waitForSelector("[role=status]:has-text('it answers 400')", { state: "detached" });
});
