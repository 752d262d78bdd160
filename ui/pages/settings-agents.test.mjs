// Tests of the agents page of the settings window as people use it.

import { expect, test } from "vitest";
import { calls, pagesOf } from "./window.mjs";

const open = pagesOf("settings");

test("a server is tested before it is added, and removed only after a second press", async () => {
  const page = await open("agents");
  await page.click("p > button");
  await page.fill("#add-name", "laptop");
  await page.fill("#add-password", "hunter2");
  await page.click("form button.main");
  await page.waitForSelector("text=Added laptop");
  // The password goes along: if it can't be kept, nothing is added.
  const where = { kind: "opencode", url: "http://127.0.0.1:4096", username: "opencode" };
  const added = { ...where, name: "laptop", password: "hunter2" };
  expect(await calls(page)).toEqual([["add_server", added]]);
  await more(page, "laptop", "Remove…");
  expect(await page.getByText("laptop", { exact: true }).count()).toBe(1);
  await page.getByRole("button", { name: "Remove", exact: true }).first().click();
  await page.getByText("laptop", { exact: true }).waitFor({ state: "detached" });
});

/** Presses a line of the menu of a server. */
async function more(page, name, line) {
  await page.getByRole("button", { name: `More for ${name}` }).press("Enter");
  await page.getByRole("menuitem", { name: line, exact: true }).press("Enter");
}

/** Returns the field or button that has the focus. */
const focused = (page) =>
  page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent?.trim());

async function press(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
}

async function opensTheForm(page) {
  await page.getByRole("button", { name: "Add a server" }).focus();
  await press(page, "Enter");
  await page.waitForFunction(() => document.activeElement?.id === "add-name");
}

test("a service with interrupts is added by keyboard alone", async () => {
  const page = await open("agents");
  await opensTheForm(page);
  await press(page, "Shift+Tab");
  await page.keyboard.type("Service");
  await press(page, "Tab");
  await page.keyboard.type("thesis");
  await press(page, "Tab", "Tab", "Tab");
  expect(await focused(page)).toBe("add-password");
  await page.keyboard.type("hunter2");
  await press(page, "Enter");
  await page.waitForSelector("text=Added thesis");
  expect(await focused(page)).toBe("Add a server");
  const base = "http://127.0.0.1:8000/api";
  const where = { kind: "interrupts", url: `${base}/stream`, resume: `${base}/resume` };
  const added = { ...where, name: "thesis", password: "hunter2" };
  expect(await calls(page)).toEqual([["add_server", added]]);
  await page.waitForSelector(`text=Service with interrupts · ${base}/stream`);
});

test("what turns out to be of another kind is added as that with two more presses", async () => {
  const page = await open("agents");
  await opensTheForm(page);
  await page.keyboard.type("flows");
  await press(page, "Tab", "Control+a");
  await page.keyboard.type("http://10.0.0.9:2024");
  await press(page, "Enter");
  const turn = page.getByRole("button", { name: "Switch to LangGraph" });
  await turn.press("Enter");
  expect(await page.inputValue("#add-kind")).toBe("langgraph");
  expect(await focused(page)).toBe("add-kind");
  await page.press("#add-url", "Enter");
  await page.waitForSelector("text=Added flows");
  const where = { kind: "langgraph", url: "http://10.0.0.9:2024" };
  const added = { ...where, name: "flows", password: "" };
  expect(await calls(page)).toEqual([["add_server", added]]);
});

test("a refused token leads into its field, and nothing is added until it is right", async () => {
  const page = await open("agents");
  await opensTheForm(page);
  await page.selectOption("#add-kind", "interrupts");
  await page.fill("#add-name", "thesis");
  await page.fill("#add-password", "wrong");
  await press(page, "Enter");
  await page.waitForFunction(() => document.activeElement?.id === "add-password");
  expect(await page.locator("[role=alert]").innerText()).toContain("token");
  expect(await calls(page)).toEqual([]);
  await press(page, "Control+a");
  await page.keyboard.type("right");
  await press(page, "Enter");
  await page.waitForSelector("text=Added thesis");
});

test("a name that is taken is told beside its field", async () => {
  const page = await open("agents");
  await opensTheForm(page);
  await page.keyboard.type("graphs");
  expect(await page.locator("[role=alert]").innerText()).toContain("already in use");
  await press(page, "Enter");
  expect(await focused(page)).toBe("add-name");
  expect(await calls(page)).toEqual([]);
});

test("where nobody is let in the token is one press away", async () => {
  const page = await open("agents");
  await page.getByRole("button", { name: "Enter the token…" }).press("Enter");
  await page.waitForFunction(() => document.activeElement?.id === "secret-interrupts:research");
  await page.keyboard.type("hunter2");
  await press(page, "Enter");
  await page.waitForSelector("#secret-interrupts\\:research", { state: "detached" });
  expect(await calls(page)).toEqual([["set_secret", "interrupts:research"]]);
  expect(await page.locator("main button.main").count()).toBe(0);
});

test("a test says what answers there", async () => {
  const page = await open("agents");
  await more(page, "graphs", "Test");
  await page.waitForSelector("text=LangGraph 0.16.7 answers.");
});

test("the plugin is installed and removed by a button", async () => {
  const page = await open("agents");
  await page.getByRole("button", { name: "Install plugin" }).click();
  await page.getByText("1 connects after a restart").waitFor();
  await page.getByRole("button", { name: "Remove plugin" }).click();
  await page.getByRole("button", { name: "Install plugin" }).waitFor();
  expect(await calls(page)).toEqual([
    ["integrate_opencode", true],
    ["integrate_opencode", false],
  ]);
});

test("a server nearby is suggested, and added only by hand", async () => {
  const page = await open("agents");
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await page.getByRole("button", { name: "Add…" }).click();
  expect(await page.inputValue("#add-url")).toBe("http://10.0.0.9:4096");
  expect(await calls(page)).toEqual([]);
});

const edit = (page, name) => more(page, name, "Edit…");
/** Waits until the button of a server's menu has the focus. */
const leads = (page, name) =>
  page.waitForFunction((label) => document.activeElement?.ariaLabel === label, `More for ${name}`);

test("a server gets another name by keyboard alone, and its row keeps the keyboard", async () => {
  const page = await open("agents");
  await edit(page, "build-box");
  await page.waitForFunction(() => document.activeElement?.id === "edit-build-box-name");
  await page.keyboard.type("attic");
  await press(page, "Enter");
  await page.getByRole("button", { name: "More for attic" }).waitFor();
  expect(await page.getByRole("form").count()).toBe(0);
  await leads(page, "attic");
  expect(await calls(page)).toEqual([["change_server", "build-box", { name: "attic" }]]);
});

test("Esc leaves the form, not the window, and nothing is changed", async () => {
  const page = await open("agents");
  await edit(page, "build-box");
  await page.fill("#edit-build-box-url", "http://10.0.0.9:4096");
  await press(page, "Escape");
  await page.locator("#edit-build-box-url").waitFor({ state: "detached" });
  await leads(page, "build-box");
  expect(await calls(page)).toEqual([]);
});

test("a refused address stays as it was typed, with the reason beside it", async () => {
  const page = await open("agents");
  await edit(page, "build-box");
  await page.fill("#edit-build-box-url", "ftp://attic");
  await press(page, "Enter");
  const alert = page.locator("form [role=alert]");
  await alert.waitFor();
  expect(await alert.innerText()).toContain("ftp://attic");
  expect(await page.inputValue("#edit-build-box-url")).toBe("ftp://attic");
});

test("a name of somebody else is told before it is sent", async () => {
  const page = await open("agents");
  await edit(page, "build-box");
  await page.fill("#edit-build-box-name", "graphs");
  await press(page, "Enter");
  expect(await page.locator("form [role=alert]").innerText()).toContain("already in use");
  expect(await focused(page)).toBe("edit-build-box-name");
  expect(await calls(page)).toEqual([]);
});

test("at another address the password is asked for, and the form has said so without a jump", async () => {
  const page = await open("agents");
  await more(page, "build-box", "Password…");
  await page.keyboard.type("hunter2");
  await press(page, "Enter");
  await page.getByRole("form").waitFor({ state: "detached" });
  await edit(page, "build-box");
  const url = page.locator("#edit-build-box-url");
  const form = page.getByRole("form");
  const before = await form.boundingBox();
  await url.fill("http://10.0.0.9:4096");
  await form.getByText("the password isn't sent there").first().waitFor();
  // Typing may scroll the page; the form must be as high as before.
  expect((await form.boundingBox())?.height).toBe(before?.height);
  await press(page, "Enter");
  await page.waitForFunction(() => document.activeElement?.id === "secret-opencode:build-box");
  await page.getByText("OpenCode · http://10.0.0.9:4096").waitFor();
});

/** Opens the page of what was always allowed. */
async function allowed(page) {
  await page.getByRole("button", { name: "Always allowed" }).click();
  return page.locator("main");
}

test("what was always allowed says how long it holds, and is revoked only where that works", async () => {
  const page = await open("agents");
  const card = await allowed(page);
  await card.getByText("src/**").waitFor();
  const said = await card.innerText();
  for (const word of ["Ends when OpenCode restarts", "Ends with the session", "on Telegram"])
    expect(said).toContain(word);
  expect(await card.getByRole("button").count()).toBe(1);
  await card.getByRole("button", { name: "Revoke src/**" }).press("Enter");
  await card.getByRole("status").getByText("Revoked").waitFor();
  expect(await card.getByRole("button").count()).toBe(0);
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain("src/**");
  expect(await calls(page)).toEqual([["revoke", 38]]);
});

test("what has ended is folded, and what lets through too much is marked", async () => {
  const page = await open("agents");
  const card = await allowed(page);
  await card.getByText("src/**").waitFor();
  expect(await card.locator(".risky").allInnerTexts()).toEqual([
    expect.stringMatching(/^git push \*\s+can discard or overwrite work$/u),
  ]);
  expect(await card.getByText("Ended when OpenCode restarted").isVisible()).toBe(false);
  await card.getByText("1 has ended").click();
  expect(await card.getByText("Ended when OpenCode restarted").isVisible()).toBe(true);
});

test("where nothing was always allowed the page says so", async () => {
  const page = await open("agents-none");
  await (await allowed(page)).getByText("Nothing is always allowed yet").waitFor();
});
