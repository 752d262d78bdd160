// Tests of the proxy on the way to Telegram, whose form is folded as long as nobody needs it.

import { expect, test } from "vitest";
import { calls, pagesOf } from "./window.mjs";

const open = pagesOf("settings");
const row = (page) => page.locator(".row", { has: page.getByText("Proxy", { exact: true }) });

test("a proxy is set before there is a bot, and its password goes to the keychain", async () => {
  const page = await open("telegram-new");
  expect(await row(page).innerText()).toContain("None.");
  expect(await page.locator("#proxy-address").count()).toBe(0);
  await page.getByRole("button", { name: "Set up…" }).press("Enter");
  await page.keyboard.type("socks5://me:p%40ss@proxy.example:1080");
  await page.keyboard.press("Enter");
  await row(page).getByText("Working: socks5://me@proxy.example:1080").waitFor();
  expect(await calls(page)).toEqual([
    ["set_secret", "telegram:proxy"],
    ["save_setting", "telegram.proxy", "socks5://me@proxy.example:1080"],
  ]);
  expect(await page.locator("#proxy-address").count()).toBe(0);
  expect(await page.evaluate(() => document.activeElement?.textContent?.trim())).toBe("Change…");
  expect(await page.content()).not.toContain("p@ss");
  await page.getByRole("button", { name: "Remove Proxy" }).press("Enter");
  await row(page).getByRole("button", { name: "Remove", exact: true }).press("Enter");
  await row(page).getByText("None.").waitFor();
  expect((await calls(page)).slice(2)).toEqual([
    ["save_setting", "telegram.proxy", ""],
    ["remove_secret", "telegram:proxy"],
  ]);
});

test("a password that is pasted with its address does not stay in sight", async () => {
  const page = await open("telegram-new");
  await page.getByRole("button", { name: "Set up…" }).click();
  await page.fill("#proxy-address", "http://me:secret@h:8080");
  await page.press("#proxy-address", "Tab");
  expect(await page.inputValue("#proxy-address")).toBe("http://me@h:8080");
  expect(await page.inputValue("#proxy-password")).toBe("secret");
  await page.getByRole("button", { name: "Cancel" }).press("Enter");
  await page.getByRole("button", { name: "Set up…" }).press("Enter");
  expect(await page.inputValue("#proxy-password")).toBe("");
});

test("what does not fit is said beside the address, and the form stays", async () => {
  const page = await open("telegram-new");
  await page.getByRole("button", { name: "Set up…" }).click();
  await page.fill("#proxy-address", "ftp://h:1");
  await page.press("#proxy-address", "Enter");
  await page.getByRole("alert").getByText("must start with").waitFor();
  await page.fill("#proxy-address", "socks5://h:1");
  await page.fill("#proxy-password", "secret");
  await page.press("#proxy-password", "Enter");
  await page.getByRole("alert").getByText("needs a user name").waitFor();
  expect((await calls(page)).map(([verb]) => verb)).toEqual(["save_setting"]);
});

test("a proxy that fails says so, and is taken away on a second press", async () => {
  const page = await open("telegram-proxy");
  await row(page).getByText("Not working: socks5://me@proxy.example:1080").waitFor();
  await page.getByRole("alert").getByText("doesn't answer (Connection refused)").waitFor();
  await page.getByRole("button", { name: "Remove Proxy" }).press("Enter");
  await row(page).getByText("Connect to Telegram without it?").waitFor();
  await row(page).getByRole("button", { name: "Remove" }).press("Enter");
  await row(page).getByText("None.").waitFor();
  expect(await calls(page)).toEqual([["save_setting", "telegram.proxy", ""]]);
});
