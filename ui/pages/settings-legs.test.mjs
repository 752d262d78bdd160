// Tests of what the settings window says of the legs that tell where the human is, of one that is
// missing, and of do not disturb.

import { expect, test } from "vitest";
import { pagesOf } from "./window.mjs";

const open = pagesOf("settings");

/** Returns the element with what a leg says. */
const leg = (page, what) => page.locator(`[data-leg=${what}] dd`);

test("every leg says what it sees, and the last input stays fresh while somebody looks", async () => {
  const page = await open("presence");
  expect(await leg(page, "idle").innerText()).toMatch(/^Last input 1\d s ago \(X11\)$/);
  expect(await leg(page, "lock").innerText()).toBe("Not locked (logind)");
  await page.evaluate(() => {
    const { status } = window.fake.view;
    const [idle, lock, ...others] = status.presence.legs;
    const legs = [{ ...idle, last_input: Date.now() }, { ...lock, holds: true }, ...others];
    // No view brings it: the page has to look.
    window.fake.view = {
      ...window.fake.view,
      status: { ...status, presence: { ...status.presence, legs } },
    };
  });
  await leg(page, "lock").getByText("Locked (logind)", { exact: true }).waitFor();
  expect(await leg(page, "idle").innerText()).toMatch(/^Last input \d s ago \(X11\)$/);
});

test("a leg that does not work says what that means and what still counts", async () => {
  const page = await open("presence-blind");
  expect(await leg(page, "lock").innerText()).toContain("neither logind nor a screen saver");
  expect(await leg(page, "idle").innerText()).toContain("Set yourself away above");
  await page.evaluate(() => {
    const { view } = window.fake;
    const [idle, ...others] = view.status.presence.legs;
    const legs = [{ ...idle, source: "wayland", works: true }, ...others];
    const status = { ...view.status, presence: { ...view.status.presence, legs } };
    window.fake.change({ status });
  });
  await leg(page, "lock").getByText("Idle time is still used").waitFor();
});

test("do not disturb stands among the legs, and beside the notifications while it is on", async () => {
  const disturb = (page, word) =>
    page.evaluate((told) => {
      const { status } = window.fake.view;
      const desktop = { ...status.channels.desktop, do_not_disturb: told };
      window.fake.change({ status: { ...status, channels: { ...status.channels, desktop } } });
    }, word);
  const page = await open("presence");
  expect(await leg(page, "disturb").innerText()).toBe("Off");
  await disturb(page, true);
  await leg(page, "disturb").getByText("On: questions arrive silently").waitFor();
  await disturb(page, null);
  await leg(page, "disturb").getByText("This desktop doesn't say").waitFor();

  const notifications = await open("notifications");
  const line = notifications.getByText("Do Not Disturb is on");
  expect(await line.count()).toBe(0);
  await disturb(notifications, true);
  await line.waitFor();
});

test("why there is no hot key stands beside its field", async () => {
  const page = await open("general-hotkey");
  const row = page.locator(".row", { has: page.locator("#hotkey") });
  expect(await row.getByRole("alert").innerText()).toContain("Another program already uses");
  await page.evaluate(() => {
    const { status } = window.fake.view;
    window.fake.change({ status: { ...status, warnings: [], hotkey_error: null } });
  });
  await row.getByRole("alert").waitFor({ state: "detached" });
});
