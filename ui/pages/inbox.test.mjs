// Tests of the inbox as people use it: by keyboard alone, with ten requests and with ten thousand.

import { expect, test } from "vitest";
import { calls, notice, press } from "./answer.mjs";
import { pagesOf } from "./window.mjs";

const open = pagesOf("answer");

const rows = (page) => page.locator("[data-list] li.row");
const current = (page) => page.locator("[data-current] .l1").innerText();
const texts = async (page) => (await rows(page).locator(".l1").allInnerTexts()).map(oneLine);
const oneLine = (text) => text.replaceAll(" ", " ").trim();
const heading = (page) => page.locator("h1").first().innerText();

/** Waits until the guard against a press that was meant for something else is over. */
const ready = (page) => page.waitForSelector("[data-several]:not([aria-disabled=true])");

/** Changes parts of an ask, as a new view would bring them. */
const change = (page, wanted, parts) =>
  page.evaluate(
    ([wanted, parts]) => {
      const { fake } = window;
      const is = (ask) => JSON.stringify(ask).includes(wanted);
      fake.change({ asks: fake.view.asks.map((ask) => (is(ask) ? { ...ask, ...parts } : ask)) });
    },
    [wanted, parts],
  );

const end = (page, wanted) =>
  page.evaluate((wanted) => {
    const { fake } = window;
    const ask = fake.view.asks.find((ask) => JSON.stringify(ask).includes(wanted));
    fake.end(ask.id, "answered elsewhere", "telegram", [["once"]]);
  }, wanted);

test("all that waits is grouped by project, the longest wait first, the snoozed last", async () => {
  const page = await open("inbox");
  expect(await heading(page)).toBe("10 waiting");
  expect(await page.locator("h2").allInnerTexts()).toEqual([
    "research",
    "shop-api",
    "docs-site",
    "Snoozed",
  ]);
  expect(await texts(page)).toEqual([
    "The next step searches the web again and costs about 0.40 $.",
    "Which database should I use?",
    "Run npm test, 5 times",
    "Run rm -rf build/cache dist",
    "Hosting, Theme, Search",
    "Edit docs/index.md",
    "What should the package be called?",
  ]);
  expect(page.complaints).toEqual([]);
});

test("in Chinese it speaks Chinese", async () => {
  const page = await open("inbox", { lang: "zh-CN" });
  expect(await heading(page)).toBe("10 个待处理");
  expect(await texts(page)).toContain("运行 npm test，共 5 次");
});

test("the current row is answered in place by two keys, and the row below is the next", async () => {
  const page = await open("inbox");
  await press(page, "j", "2");
  expect(await calls(page)).toEqual([]);
  await press(page, "Enter");
  expect(await calls(page)).toEqual([["answer", expect.any(String), [{ choices: [1] }]]]);
  await page.waitForSelector("[data-current]:has-text('npm test')");
  expect(await heading(page)).toBe("9 waiting");
  expect(await texts(page)).toHaveLength(7);
  expect(await page.locator(".it.dim .mark").first().innerText()).toBe("Answered");
});

test("a plain permission is allowed by A and Enter, one with a risk only where it is seen whole", async () => {
  const page = await open("inbox");
  for (const suite of ["checkout", "discounts", "refund", "coverage"]) await end(page, suite);
  await press(page, "j", "j");
  expect(oneLine(await current(page))).toBe("Run npm test -- cart");
  await press(page, "a");
  expect(await calls(page)).toEqual([]);
  await press(page, "Enter");
  expect(await calls(page)).toEqual([["grant", expect.any(String), false]]);
  await page.waitForSelector("[data-current]:has-text('rm -rf')");
  await page.waitForSelector(".quick button");
  await press(page, "a", "r", "1");
  expect(await page.locator(".quick [data-key]").count()).toBe(0);
  expect(await calls(page)).toHaveLength(1);
});

test("I opens the list and goes back, Esc as well; opened as the inbox Esc closes", async () => {
  let page = await open("single");
  await press(page, "i");
  await page.waitForSelector("h1:has-text('3 waiting')");
  await press(page, "Escape");
  expect(await heading(page)).toBe("Which database should I use?");
  await page.getByRole("button", { name: "Inbox" }).click();
  await page.waitForSelector("h1:has-text('3 waiting')");
  await press(page, "i");
  expect(await heading(page)).toBe("Which database should I use?");
  expect(await calls(page)).toEqual([]);
  await page.close();
  page = await open("inbox");
  await press(page, "j", "Enter");
  expect(await heading(page)).toBe("Which database should I use?");
  await press(page, "Escape");
  expect(await heading(page)).toBe("10 waiting");
  await press(page, "Escape");
  expect(await calls(page)).toEqual([["close_window"]]);
});

test("rows don't move while they are read: what arrives is added below, what left stays", async () => {
  const page = await open("inbox");
  await press(page, "j");
  const before = await texts(page);
  await page.evaluate(() => {
    const { fake } = window;
    const [first] = fake.view.asks;
    const late = { ...first, id: "late", fingerprint: "late", asked_at: 0, info: "late" };
    fake.change({ asks: [late, ...fake.view.asks] });
  });
  await end(page, "docs/index.md");
  await page.waitForSelector("h2:has-text('1 new')");
  expect(await texts(page)).toEqual([...before, "late"]);
  expect(await heading(page)).toBe("10 waiting");
  expect(oneLine(await current(page))).toBe("Which database should I use?");
  expect(await page.locator(".it.dim .mark").first().innerText()).toBe("No longer waiting");
  await page.getByRole("button", { name: "1 new" }).click();
  expect(await page.locator("[data-current]").innerText()).toContain("late");
  // The list is built anew when its human comes back to it.
  await press(page, "Enter", "Escape");
  expect((await texts(page)).slice(0, 2)).toEqual([
    "late",
    "The next step searches the web again and costs about 0.40 $.",
  ]);
  expect(await page.locator(".it.dim").count()).toBe(1);
});

test("five similar ones are shown in full and allowed by one button, each by its own answer", async () => {
  const page = await open("inbox");
  await press(page, "j", "j", "Enter");
  expect(await page.locator(".pile code").allInnerTexts()).toContain(
    "npm test -- --run --coverage=false search stock tax vouchers",
  );
  await ready(page);
  // Enter and A only focus the button; a second key allows.
  await press(page, "Enter");
  expect(await calls(page)).toEqual([]);
  await press(page, "Shift+Tab", "Shift+Tab", "x", "a", "Enter");
  const granted = await calls(page);
  expect(granted).toHaveLength(4);
  expect(new Set(granted.map(([verb, , always]) => `${verb} ${always}`))).toEqual(
    new Set(["grant false"]),
  );
  await page.waitForSelector("h1:has-text('6 waiting')");
  expect(await notice(page)).toContain("shop-api: 4 allowed once");
});

test("the button stands below the last command, however many there are", async () => {
  const page = await open("inbox");
  await page.setViewportSize({ width: 420, height: 240 });
  await press(page, "j", "j", "Enter");
  const last = await page.locator(".pile li").last().boundingBox();
  const button = await page.locator("[data-several]").boundingBox();
  expect(button.y).toBeGreaterThanOrEqual(last.y + last.height);
  expect(button.y).toBeGreaterThan(240);
});

test("who is answered elsewhere or changes leaves the batch, and it says so; also while the undo runs", async () => {
  const page = await open("inbox");
  await press(page, "j", "j", "Enter");
  await end(page, "-- cart");
  await end(page, "refund");
  await page.waitForSelector("text=2 are no longer waiting");
  await page.evaluate(() => window.fake.change({ undo_ms: 700 }));
  await ready(page);
  await press(page, "a", "Enter");
  await page.waitForSelector("text=Sending in");
  expect(await calls(page)).toEqual([]);
  await change(page, "-- checkout", { fingerprint: "another" });
  await page.waitForSelector("text=1 has changed");
  await page.waitForFunction(() => window.fake.calls.length > 0);
  expect((await calls(page)).map(([verb]) => verb)).toEqual(["grant", "grant"]);
});

test("one that has become risky can't be selected again, and a batch can be taken back", async () => {
  const page = await open("inbox");
  await page.evaluate(() => window.fake.change({ undo_ms: 60_000 }));
  await press(page, "j", "j", "Enter");
  await change(page, "-- cart", { risks: [{ risk: "deletes", words: "npm", start: 0, end: 3 }] });
  await page.waitForSelector(".pile li.dim");
  expect(await page.locator(".pile li.dim input").isDisabled()).toBe(true);
  await ready(page);
  await press(page, "a", "Enter");
  await page.waitForSelector("text=Sending in");
  await press(page, "Escape");
  expect(await page.locator("[data-several]").innerText()).toContain("Allow 4 once");
  expect(await calls(page)).toEqual([]);
});

test("one that fails is named, the others go on, and it can be tried again", async () => {
  const page = await open("inbox");
  await page.evaluate(() => {
    const { fake } = window;
    const { id } = fake.view.asks.find((ask) => JSON.stringify(ask).includes("-- cart"));
    fake.refuses.set(id, { code: "offline", message: "The server doesn't answer." });
  });
  await press(page, "j", "j", "Enter");
  await ready(page);
  await press(page, "a", "Enter");
  await page.waitForSelector("[role=alert]");
  const alert = oneLine(await page.locator("[role=alert]").innerText());
  expect(alert).toBe("npm test -- cart: The server doesn't answer.");
  expect(await page.locator(".pile .age").nth(1).innerText()).toBe("Allowed once");
  await ready(page);
  await press(page, "a", "Enter");
  await page.waitForSelector("h1:has-text('5 waiting')");
  expect(await calls(page)).toHaveLength(6);
});

test("a double press on a row opens it, and allows nothing", async () => {
  const page = await open("inbox");
  await press(page, "End", "k");
  expect(await page.locator("[data-current]").innerText()).toContain("docs/index.md");
  await press(page, "Enter", "Enter");
  expect(await page.locator("main h1").innerText()).toContain("wants to edit");
  expect(await calls(page)).toEqual([]);
});

test("a batch that is left while it is on its way says afterwards what has become of it", async () => {
  const page = await open("inbox&slow=400");
  await page.waitForSelector("[data-current]");
  await page.evaluate(() => {
    const { fake } = window;
    const { id } = fake.view.asks.find((ask) => JSON.stringify(ask).includes("-- cart"));
    fake.refuses.set(id, { code: "offline", message: "The server doesn't answer." });
  });
  await press(page, "j", "j", "Enter");
  await ready(page);
  await press(page, "a", "Enter", "Escape");
  expect(await page.locator(".pile").count()).toBe(0);
  await page.waitForSelector('.notice:has-text("shop-api is still waiting")');
  expect(await calls(page)).toHaveLength(5);
});

test("ten thousand are as quick as ten, and only those in sight are in the page", async () => {
  const page = await open("inbox-many");
  expect(await heading(page)).toBe("10,000 waiting");
  expect(await rows(page).count()).toBeLessThan(40);
  const took = await page.evaluate(async () => {
    const took = {};
    const timed = async (name, act) => {
      const from = performance.now();
      act();
      await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
      (took[name] ??= []).push(Math.round(performance.now() - from));
    };
    const press = (key) => () => {
      const init = { key, bubbles: true, cancelable: true };
      (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent("keydown", init));
    };
    for (let i = 0; i < 3; i += 1) {
      for (const key of ["j", "x", "End", "k", "Home", "j", "e"]) await timed(key, press(key));
    }
    const list = document.querySelector("div[data-list]");
    for (let i = 1; i <= 40; i += 1) {
      await timed("scroll", () => (list.scrollTop = (list.scrollHeight / 40) * i));
      if (list.querySelectorAll("li").length > 60) throw new Error("too many rows are drawn");
    }
    const filter = document.querySelector("[data-filter]");
    for (let i = 0; i < 3; i += 1) {
      for (const text of ["s", "su", "suite-99", ""]) {
        await timed(`filter ${text}`, () => {
          filter.value = text;
          filter.dispatchEvent(new Event("input", { bubbles: true }));
        });
      }
    }
    return took;
  });
  // The quickest run of each counts: a busy machine only adds to what a key takes.
  const slow = Object.entries(took).filter(([, times]) => Math.min(...times) >= 100);
  expect(slow).toEqual([]);
});
