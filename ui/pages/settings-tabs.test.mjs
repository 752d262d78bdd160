// The settings window as somebody turns from tab to tab in it, and as others change things meanwhile.

import { expect, test } from "vitest";
import { drawn } from "./stage.mjs";
import { pagesOf } from "./window.mjs";

const open = pagesOf("settings");

const tab = (page, name) => page.getByRole("navigation").getByRole("button", { name });
const turnTo = (page, name) => tab(page, name).click();
const scrolled = (page) => page.locator("main").evaluate((main) => main.scrollTop);

test("a tab is read from its beginning, however far the one before was scrolled", async () => {
  const page = await open("agents");
  await page.locator("main").evaluate((main) => main.scrollTo(0, 200));
  expect(await scrolled(page)).toBeGreaterThan(100);
  await turnTo(page, "Phone");
  await page.getByRole("heading", { name: "Phone", level: 1 }).waitFor();
  await drawn(page);
  expect(await scrolled(page)).toBe(0);
});

test("a page that is called from elsewhere is read from its beginning, also in a narrow window", async () => {
  const page = await open("agents");
  await page.setViewportSize({ width: 420, height: 400 });
  const frame = page.locator(".window");
  await frame.evaluate((frame) => frame.scrollTo(0, 300));
  await page.evaluate(() => window.fake.change({ page: { window: "settings", tab: "history" } }));
  await page.getByRole("heading", { name: "Activity", level: 1 }).waitFor();
  await drawn(page);
  expect(await frame.evaluate((frame) => frame.scrollTop)).toBe(0);
});

test("a server that is half filled in is still there after a look at another tab", async () => {
  const page = await open("agents");
  await page.getByRole("button", { name: "Add a server" }).click();
  await page.selectOption("#add-kind", "langgraph");
  await page.fill("#add-name", "flows");
  await page.fill("#add-password", "hunter2");
  await turnTo(page, "Presence");
  await page.evaluate(() => window.fake.change({ open: 3 }));
  await turnTo(page, "Agents");
  expect(await page.inputValue("#add-kind")).toBe("langgraph");
  expect(await page.inputValue("#add-name")).toBe("flows");
  expect(await page.inputValue("#add-password")).toBe("hunter2");

  await page.getByRole("button", { name: "Cancel" }).click();
  await turnTo(page, "Presence");
  await turnTo(page, "Agents");
  await page.getByRole("button", { name: "Add a server" }).click();
  expect(await page.inputValue("#add-name")).toBe("");
});

test("a server that is being changed is still being changed, and takes no focus unasked", async () => {
  const page = await open("agents");
  const more = page.getByRole("button", { name: /^More for / }).first();
  await more.press("Enter");
  await page.getByRole("menuitem", { name: "Edit…" }).press("Enter");
  const name = page.locator("[id^=edit-][id$=-name]");
  await name.fill("another name");
  await turnTo(page, "Presence");
  await turnTo(page, "Agents");
  expect(await name.inputValue()).toBe("another name");
  expect(await tab(page, "Agents").evaluate((it) => it === document.activeElement)).toBe(true);

  await name.press("Escape");
  await more.press("Enter");
  await page.getByRole("menuitem", { name: "Edit…" }).press("Enter");
  expect(await name.inputValue()).not.toBe("another name");
});

test("a pasted token and a proxy are still there after a look at another tab", async () => {
  const page = await open("telegram-new");
  await page.fill("#token", "1:ABC");
  await page.getByRole("button", { name: "Set up…" }).click();
  await page.fill("#proxy-address", "socks5://10.0.0.1:1080");
  await turnTo(page, "General");
  await turnTo(page, "Phone");
  expect(await page.inputValue("#token")).toBe("1:ABC");
  expect(await page.inputValue("#proxy-address")).toBe("socks5://10.0.0.1:1080");
});

test("a pairing code that others could read is said to be void, and the next one is not", async () => {
  const page = await open("telegram");
  await page.getByRole("button", { name: "Show QR code" }).click();
  await page.getByRole("img", { name: "QR code of the link" }).waitFor();
  const expose = (pairing_exposed) =>
    page.evaluate((pairing_exposed) => {
      const { status } = window.fake.view;
      const telegram = { ...status.channels.telegram, pairing_exposed };
      const channels = { ...status.channels, telegram };
      window.fake.view = { ...window.fake.view, status: { ...status, channels } };
    }, pairing_exposed);
  await expose(true);
  await page.getByText("The code was sent in the name of a group").waitFor();
  expect(await page.getByRole("img", { name: "QR code of the link" }).count()).toBe(0);

  await expose(false);
  await page.getByRole("button", { name: "Show QR code" }).click();
  await page.getByRole("img", { name: "QR code of the link" }).waitFor();
  expect(await page.getByText("The code was sent in the name of a group").count()).toBe(0);
});
