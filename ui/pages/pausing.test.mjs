// Tests of how the answer window shows a pause.

import { expect, test } from "vitest";
import { calls, press } from "./answer.mjs";
import { pagesOf } from "./window.mjs";

const open = pagesOf("answer");

test("a pause stands above every view, says all that it stops, and ends with one press", async () => {
  for (const scene of ["paused", "empty-paused"]) {
    const page = await open(scene);
    const band = page.getByRole("region", { name: "Pause notifications" });
    expect(await band.innerText()).toContain(
      "Paused until 14:27: no notifications, nothing new on Telegram.",
    );
    await band.getByRole("button", { name: "Resume" }).focus();
    await press(page, "Enter");
    await band.waitFor({ state: "detached" });
    expect(await calls(page)).toEqual([["resume"]]);
    expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe("BODY");
  }
});

test("without a pause nothing speaks of one", async () => {
  const page = await open("single");
  expect(await page.getByText("Paused").count()).toBe(0);
});
