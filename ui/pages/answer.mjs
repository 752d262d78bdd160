// What the tests of the answer window do and look at.

export const press = async (page, ...keys) => {
  for (const key of keys) await page.keyboard.press(key);
};

/** The verbs that were called, without the drafts. */
export const calls = (page) =>
  page.evaluate(() => window.fake.calls.filter(([verb]) => verb !== "keep_draft"));

export const drafts = (page) =>
  page.evaluate(() => window.fake.calls.filter(([verb]) => verb === "keep_draft"));

export const first = (page) => page.evaluate(() => window.fake.view.asks[0]?.id);

export const notice = (page) =>
  page.locator(".notice:not(.empty), .passing:not(:empty)").innerText();

/** The guard against the second half of a double press is over. */
export const settled = (page) => page.waitForSelector("[data-main]:not([aria-disabled=true])");
