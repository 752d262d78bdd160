// Tests that no sentence promises what a channel that is off would have to do.

import { expect, test } from "vitest";
import { pagesOf } from "./window.mjs";

const open = pagesOf("settings");

/** The pattern of a promise: "open questions go to Telegram", "they're sent to your phone". */
const PROMISE = /\b(go|goes|come|comes|send|sends|sent|follow|follows)\b.*\b(Telegram|phone)\b/;
const TABS = ["general", "agents", "notifications", "presence", "history"];

async function promises(scene) {
  const page = await open(scene);
  const text = await page.locator("main").innerText();
  const sentences = text.split(/[.\n]/).map((sentence) => sentence.trim());
  return sentences.filter((sentence) => PROMISE.test(sentence) && !/^Nothing /.test(sentence));
}

test("with a bot the page of presence says what goes to the phone", async () => {
  expect(await promises("presence")).not.toEqual([]);
});

for (const tab of TABS) {
  test(`without a bot, ${tab} promises nothing on the phone`, async () => {
    expect(await promises(`${tab}-new`)).toEqual([]);
  });
}

test("without a bot the page of presence says so, and where it is set up", async () => {
  const page = await open("presence-new");
  const text = await page.locator("main").innerText();
  expect(text).toContain("Nothing goes to Telegram");
});
