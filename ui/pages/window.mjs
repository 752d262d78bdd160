// A window for one file of tests: a stage that lasts for the file, and pages that last for a test.

import { afterAll, afterEach, beforeAll, inject } from "vitest";
import { stage } from "./stage.mjs";

/** Returns a function that opens pages of `window` in a scene, with what they complain of. Each is
 * closed with its test. */
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

/** Returns what the page has asked Beckon for. */
export const calls = (page) => page.evaluate(() => window.fake.calls);
