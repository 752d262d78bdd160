// Tests of the answer window as people use it: by keyboard alone, and with an agent that means
// harm.

import { expect, test } from "vitest";
import { calls, drafts, first, notice, press, settled } from "./answer.mjs";
import { pagesOf } from "./window.mjs";

const open = pagesOf("answer");

test("a single question takes two keys", async () => {
  const page = await open("alone");
  const id = await first(page);
  await press(page, "2", "Enter");
  expect(await calls(page)).toEqual([["answer", id, [{ choices: [1] }]]]);
  await page.waitForSelector("main svg");
  expect(await notice(page)).toContain("SQLite");
  await press(page, "Escape");
  expect((await calls(page)).at(-1)).toEqual(["close_window"]);
});

test("a page that is told what waits is drawn before it has asked", async () => {
  const page = await open("alone&known&slow=60000");
  expect(await page.evaluate(() => window.fake.drawn)).toContain("SQLite");
});

test("where no agent is reachable, the settings of the agents are one press away", async () => {
  const page = await open("empty-deaf");
  await page.getByRole("button", { name: "Connect an agent" }).press("Enter");
  expect(await calls(page)).toEqual([["open_agents"]]);
});

test("arrows choose as well, and lead into the own answer and back", async () => {
  const page = await open("alone");
  const id = await first(page);
  await press(page, "ArrowDown", "ArrowDown");
  await page.keyboard.type("MariaDB\nwithout a cluster");
  await press(page, "Enter");
  expect(await calls(page)).toEqual([]);
  await press(page, "Control+Enter");
  const text = "MariaDB\nwithout a cluster\n";
  expect(await calls(page)).toEqual([["answer", id, [{ choices: [], text }]]]);
});

test("a set goes step by step to its review, by keyboard alone", async () => {
  const page = await open("set");
  const id = await first(page);
  await press(page, "1", "Enter", "1", "3", "4");
  await page.keyboard.type("An audit log");
  await press(page, "Control+Enter", "2", "Enter");
  expect(await page.locator(".said").allInnerTexts()).toEqual([
    "PostgreSQL",
    "Auth\n\nExport\n\nAn audit log",
    "Own server",
  ]);
  await press(page, "Enter");
  expect(await calls(page)).toEqual([
    ["answer", id, [{ choices: [0] }, { choices: [0, 2], text: "An audit log" }, { choices: [1] }]],
  ]);
});

test("Space takes and gives back, and a step without an answer says so", async () => {
  const page = await open("multiple");
  await press(page, "Space", "3");
  await page.locator("[data-main]").click();
  expect(await page.locator("[role=alert]").innerText()).toBe("Choose or type an answer first.");
  expect(await calls(page)).toEqual([]);
});

test("a permission is granted once by Enter, for always only after a second look", async () => {
  let page = await open("edit");
  await press(page, "1", "Enter");
  expect((await calls(page))[0]).toEqual(["grant", expect.any(String), false]);
  await page.close();
  page = await open("plain");
  await press(page, "2");
  expect(await page.locator(".always").innerText()).toBe("npm test *");
  await press(page, "Enter");
  expect(await calls(page)).toEqual([]);
  await press(page, "2", "Tab", "Enter");
  expect((await calls(page))[0]).toEqual(["grant", expect.any(String), true]);
});

test("a rejection carries its reason", async () => {
  const page = await open("command");
  await press(page, "3");
  await page.keyboard.type("Use the trash\ninstead");
  await press(page, "Control+Enter");
  expect((await calls(page))[0]).toEqual(["deny", expect.any(String), "Use the trash\ninstead"]);
});

test("a confirm takes two keys, and its cancel is one of them", async () => {
  const page = await open("confirm");
  await press(page, "2");
  expect(await calls(page)).toEqual([]);
  await press(page, "Enter");
  expect((await calls(page))[0]).toEqual(["go_on", expect.any(String), false]);
});

test("Escape leaves a panel, then the window, and never answers", async () => {
  const page = await open("command");
  await press(page, "3", "Escape", "Escape");
  expect(await calls(page)).toEqual([["close_window"]]);
});

test("dismissing asks first, and Enter goes back", async () => {
  const page = await open("set");
  await page.getByRole("button", { name: "Dismiss…" }).click();
  await press(page, "Enter");
  expect(await calls(page)).toEqual([]);
  await page.getByRole("button", { name: "Dismiss…" }).click();
  await page.click("footer button.bad");
  expect((await calls(page))[0]).toEqual(["dismiss", expect.any(String)]);
});

test("a second Enter does not answer the ask that has just come up", async () => {
  const page = await open("single");
  // Pressed within the page, so that a busy machine adds no delay between the two presses.
  await page.evaluate(async () => {
    const press = (...keys) =>
      keys.forEach((key) =>
        document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true })),
      );
    const asked = document.querySelector("h1")?.textContent;
    press("1", "Enter");
    while (document.querySelector("h1")?.textContent === asked) {
      await new Promise(requestAnimationFrame);
    }
    press("1", "Enter");
  });
  expect(await calls(page)).toHaveLength(1);
  await settled(page);
  await press(page, "1", "Enter");
  expect(await calls(page)).toHaveLength(2);
});

test("an answer can be taken back while the undo runs, and goes when it has run out", async () => {
  const page = await open("undo");
  await press(page, "1", "Enter");
  await page.waitForSelector("text=Undo");
  expect(await calls(page)).toEqual([]);
  await press(page, "Escape");
  await settled(page);
  await press(page, "2", "Enter");
  await page.waitForSelector("main svg");
  expect(await calls(page)).toEqual([["answer", expect.any(String), [{ choices: [1] }]]]);
});

test("a refusal stands at the buttons, and the answer is still there", async () => {
  const page = await open("alone");
  await page.evaluate(() => {
    window.fake.refuse = { code: "offline", message: "The server does not answer." };
  });
  await press(page, "2", "Enter");
  await page.waitForSelector("[role=alert]");
  expect(await page.locator("[role=alert]").innerText()).toBe("The server does not answer.");
  expect(await page.locator("input:checked").count()).toBe(1);
  await press(page, "Enter");
  expect(await calls(page)).toHaveLength(2);
});

test("what is typed is handed over soon, and found again", async () => {
  const page = await open("alone");
  await page.fill("textarea", "half a though");
  await page.press("textarea", "t");
  await page.waitForFunction(() => window.fake.calls.some(([verb]) => verb === "keep_draft"));
  await press(page, "Escape");
  const [, , draft] = (await drafts(page)).at(-1);
  expect(draft).toMatchObject({ replies: [{ choices: [], text: "half a thought" }] });
  await page.close();
  const again = await open("review");
  expect(await again.locator(".said").first().innerText()).toBe("SQLite");
});

test("an own answer is as high as its text at any width, up to a scroll bar", async () => {
  const page = await open("alone");
  const lines = () =>
    page.locator("textarea").evaluate((field) => {
      return Math.round(field.clientHeight / parseFloat(getComputedStyle(field).lineHeight));
    });
  expect(await lines()).toBe(1);
  await page.fill("textarea", "one\ntwo\n");
  expect(await lines()).toBe(3);
  await page.fill("textarea", "word ".repeat(14));
  const wide = await lines();
  await page.setViewportSize({ width: 320, height: 560 });
  await expect.poll(lines).toBeGreaterThan(wide);
  await page.setViewportSize({ width: 740, height: 560 });
  await expect.poll(lines).toBe(1);
  await page.fill("textarea", "line\n".repeat(100));
  expect(await lines()).toBeLessThan(12);
  expect(await page.locator("textarea").evaluate((f) => f.scrollHeight > f.clientHeight)).toBe(
    true,
  );
});

test("what was begun waits while another ask is looked at", async () => {
  const page = await open("single");
  await page.fill("textarea", "not yet");
  await page.locator("textarea").press("Alt+ArrowDown");
  expect(await page.locator("h1").innerText()).toBe("Where will it run?");
  await press(page, "Alt+ArrowUp");
  expect(await page.locator("textarea").inputValue()).toBe("not yet");
});

test("a view that brings nothing new moves neither focus nor page", async () => {
  const page = await open("set");
  await press(page, "1", "Enter", "2");
  await page.evaluate(() =>
    window.fake.change({ status: { ...window.fake.view.status, open: 9 } }),
  );
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
  expect(await page.locator("h1").innerText()).toContain("Which features");
  expect(await page.evaluate(() => document.activeElement?.getAttribute("data-key"))).toBe("2");
});

test("an input method's Enter sends nothing", async () => {
  const page = await open("own");
  await page.evaluate(() => {
    const field = document.querySelector("textarea");
    const init = { key: "Enter", ctrlKey: true, isComposing: true, bubbles: true };
    field?.dispatchEvent(new KeyboardEvent("keydown", init));
  });
  expect(await calls(page)).toEqual([]);
  expect(await page.locator("[role=alert]").count()).toBe(0);
});

test("hostile text runs nothing, loads nothing, and its meaning stays visible", async () => {
  const page = await open("hostile");
  expect(await page.locator("h1").innerText()).toContain("<script>window.pwned=1</script>");
  expect(await page.locator("h1 .code").allInnerTexts()).toEqual(["U+202E", "U+200B"]);
  expect(await page.locator("main :is(img, iframe, script, a)").count()).toBe(0);
  await page.click("button.quiet[aria-expanded]");
  await page.click("button.link");
  expect(await page.locator(".address .words").innerText()).toBe("https://example.com/a?b=c");
  expect(await calls(page)).toEqual([]);
  await press(page, "Enter");
  expect(await calls(page)).toEqual([["open_link", "https://example.com/a?b=c"]]);
  expect(await page.evaluate(() => "pwned" in window)).toBe(false);
  expect(page.complaints).toEqual([]);
});

test("a sentence that runs from right to left keeps its order around a word of code", async () => {
  const page = await open("alone");
  await page.evaluate(() => {
    const { fake } = window;
    const [ask] = fake.view.asks;
    const session = { ...ask.session, last_words: "المخطط جاهز `migrations` أعرف" };
    fake.change({ asks: [{ ...ask, id: "rtl", session }] });
  });
  const parts = page.locator(".said p > *");
  await page.waitForFunction(() => document.querySelectorAll(".said p > *").length === 3);
  const lefts = await parts.evaluateAll((all) => all.map((part) => part.getBoundingClientRect().x));
  expect(lefts).toEqual([...lefts].sort((a, b) => b - a));
});

test("a command that does not fit, or hides something, says so beside the buttons", async () => {
  const page = await open("hostile-command");
  expect(await page.locator("pre .code").allInnerTexts()).toEqual(["U+202E", "U+200B"]);
  const said = await page.locator(".hides").allInnerTexts();
  const parts = ["The command is cut off here", "Deletes files", "hidden or easy to misread"];
  expect(said).toEqual(parts.map((part) => expect.stringContaining(part)));
});

test("a change of which not all is shown is allowed by no first press", async () => {
  const page = await open("huge-diff");
  await page.waitForSelector(".hides");
  const said = await page.locator(".hides").allInnerTexts();
  expect(said).toEqual([expect.stringContaining("Not all of the change")]);
  await press(page, "Enter");
  await press(page, "a");
  expect(await calls(page)).toEqual([]);
  expect(await page.locator("[data-main]").count()).toBe(0);
});

test.each([
  ["huge", "ten megabytes of text"],
  ["huge-diff", "ten megabytes of changes"],
  ["thousands", "ten thousand choices"],
])("%s: %s are drawn, a part at a time", async (scene) => {
  const page = await open(scene);
  // A change that is not shown in full has no main button.
  await page.waitForSelector("[data-main], .hides");
  expect(await page.evaluate(() => document.body.innerText.length)).toBeLessThan(40_000);
  expect(
    await page.locator("button.more, .diff button, fieldset > button").count(),
  ).toBeGreaterThan(0);
});

test("a choice far down is found by its words and stays in sight", async () => {
  const page = await open("thousands");
  await page.fill("input[type=search]", "choice 9876");
  await page.locator("label").click();
  await page.fill("input[type=search]", "");
  expect(await page.locator("label.on").innerText()).toContain("Choice 9876");
  await page.locator("label.on input").press("Enter");
  expect((await calls(page))[0]?.[2]).toEqual([{ choices: [9875] }]);
});
