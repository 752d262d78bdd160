// The rules for every scene, in both languages: accessible in light and dark, within its window at
// twice the text size, silent in the console, and without breaking the content policy.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { SCENES } from "./scenes.mjs";
import { drawn, SIZES, stage } from "./stage.mjs";

const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The rules that are checked in the dark, in one language only: colours are all that differs
 * between light and dark, and a language changes none. */
const CONTRAST = { runOnly: ["color-contrast"], resultTypes: ["violations"] };
const ALL = { resultTypes: ["violations"] };

/** Returns what axe complains about. */
async function violations(page, rules) {
  const run = async (rules) => (await window.axe.run(document, rules)).violations;
  const found = await page.evaluate(run, rules);
  return found.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`);
}

/** Returns what sticks out to the side, and what is cut off without a way to see it. */
function cutOff() {
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  const complaints = wide > 1 ? [`the page is ${wide} px too wide`] : [];
  for (const button of document.querySelectorAll("button, h1, label")) {
    if (button.closest("nav ul, .spoken-only")) continue;
    const box = button.getBoundingClientRect();
    const over = box.right - document.documentElement.clientWidth;
    if (over > 1) complaints.push(`${button.textContent?.trim()} sticks out by ${over} px`);
    if (
      button.scrollWidth > button.clientWidth + 2 &&
      getComputedStyle(button).overflow !== "visible"
    )
      complaints.push(`${button.textContent?.trim()} is cut off`);
  }
  return complaints;
}

/** Returns where Tab leads to an element that does not show the focus, or is out of sight. */
async function unseen(page) {
  const complaints = [];
  for (let i = 0; i < 12; i += 1) {
    await page.keyboard.press("Tab");
    const complaint = await page.evaluate(() => {
      const here = document.activeElement;
      if (!here || here === document.body) return undefined;
      const rings = [here, here.closest("label, .own, .it")].some(
        (element) => element && getComputedStyle(element).outlineStyle !== "none",
      );
      const { top, bottom } = here.getBoundingClientRect();
      const inSight = bottom > 0 && top < window.innerHeight;
      return rings && inSight
        ? undefined
        : `${here.tagName} ${here.textContent?.trim().slice(0, 40)}`;
    });
    if (complaint) complaints.push(complaint);
  }
  return complaints;
}

/** Tells whether the main button can be seen and pressed. */
async function reachable(page) {
  const main = page.locator("[data-main]").first();
  if ((await main.count()) === 0) return true;
  await main.scrollIntoViewIfNeeded();
  return main.evaluate((button) => {
    const box = button.getBoundingClientRect();
    const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return hit !== null && (button === hit || button.contains(hit));
  });
}

/** Tests every scene of a window. */
export function testEveryPage(window) {
  let set;
  beforeAll(async () => (set = await stage(inject("stage"))));
  afterAll(() => set?.close());

  for (const scene of SCENES[window]) {
    for (const lang of ["en", "zh-CN"]) {
      test(`${scene.name} in ${lang}`, async () => {
        const opened = await set.open(window, scene.scene ?? scene.name, { lang });
        const { page } = opened;
        if (scene.size) {
          await page.setViewportSize(scene.size);
          await drawn(page);
        }
        await scene.act?.(page);
        await page.evaluate(AXE);
        expect(await violations(page, ALL)).toEqual([]);
        await page.emulateMedia({ colorScheme: "dark" });
        if (lang === "en") expect(await violations(page, CONTRAST)).toEqual([]);
        expect(await unseen(page)).toEqual([]);

        await page.evaluate(() => {
          // Twice the page's own text size; every other size is a multiple of it.
          document.documentElement.style.setProperty("font-size", "28px");
        });
        expect(await page.evaluate(cutOff)).toEqual([]);
        expect(await reachable(page)).toBe(true);
        await page.evaluate(() => document.documentElement.style.removeProperty("font-size"));
        const { width, height } = SIZES[window];
        await page.setViewportSize({ width: Math.max(width / 2, 240), height: height / 2 });
        await drawn(page);
        expect(await page.evaluate(cutOff)).toEqual([]);
        expect(await reachable(page)).toBe(true);

        expect(await page.evaluate(() => document.documentElement.lang)).toBe(lang);
        expect(await page.evaluate(() => window.fake.drawn)).toMatch(/\S/);
        expect(opened.complaints).toEqual([]);
        await opened.close();
      });
    }
  }
}
