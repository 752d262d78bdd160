// Helpers for the tests of the answer window: what they press and look at.

export const press = async (page, ...keys) => {
  for (const key of keys) await page.keyboard.press(key);
};

/** Returns the calls of the bridge, without the drafts. */
export const calls = (page) =>
  page.evaluate(() => window.fake.calls.filter(([verb]) => verb !== "keep_draft"));

export const drafts = (page) =>
  page.evaluate(() => window.fake.calls.filter(([verb]) => verb === "keep_draft"));

export const first = (page) => page.evaluate(() => window.fake.view.asks[0]?.id);

export const notice = (page) =>
  page.locator(".notice:not(.empty), .passing:not(:empty)").innerText();

/** Waits until the guard against the second half of a double press is over. */
export const settled = (page) => page.waitForSelector("[data-main]:not([aria-disabled=true])");
