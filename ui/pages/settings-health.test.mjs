// Tests of the page that checks Beckon, and of what the machines' page says of people and rules.

import { expect, test } from "vitest";
import { pagesOf } from "./window.mjs";

const open = pagesOf("settings");

test("what fails is in sight with a sign and a word, and what is well is folded", async () => {
  const page = await open("health");
  const checks = page.getByRole("region", { name: "Checks" });
  await checks.getByText("8 checks are fine").waitFor();
  expect(await checks.locator(".mark:visible").allInnerTexts()).toEqual([
    expect.stringMatching(/^◆\s*Failed$/u),
    expect.stringMatching(/^○\s*Note$/u),
  ]);
  await checks.getByText("8 checks are fine").click();
  expect(await checks.locator(".mark:visible").count()).toBe(10);
});

test("a machine's version is said only where it is another one, and rules are in parts", async () => {
  const page = await open("machines-team");
  await page.getByText("Team rules").waitFor();
  const tiles = await page.locator("#hub-machines li").allInnerTexts();
  expect(tiles.filter((tile) => tile.includes("Beckon 0.")).length).toBe(1);
  const chips = page.getByRole("region", { name: "Team rules" }).locator("li");
  expect((await chips.allInnerTexts()).slice(0, 3)).toEqual([
    "Whoever started it",
    "Anyone with the role lead",
    "Two must agree",
  ]);
});
