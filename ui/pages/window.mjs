// One window for a file of tests: a stage that lasts for the file, a page that lasts for a test.

import { afterAll, afterEach, beforeAll, inject } from "vitest";
import { stage } from "./stage.mjs";

/** Opens pages of `window` in a scene, with what they complain of; each is closed with its test. */
export function pagesOf(window) {
  let set;
  const opened = [];
  beforeAll(async () => (set = await stage(inject("stage"))));
  afterAll(() => set?.close());
  afterEach(() => Promise.all(opened.splice(0).map(({ close }) => close())));
  return async (scene, options) => {
    const { page, complaints, close } = await set.open(window, scene, options);
    opened.push({ close });
    return Object.assign(page, { complaints });
  };
}

/** What the page has asked Beckon for. */
export const calls = (page) => page.evaluate(() => window.fake.calls);
