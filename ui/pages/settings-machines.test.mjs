// The page of the machines that share what they ask: what it says without a hub, with one, and when it
// is gone.

import { expect, test } from "vitest";
import { pagesOf } from "./window.mjs";

const open = pagesOf("settings");

/** The tile of that machine. */
const tile = (page, name) => page.locator("main section li").filter({ hasText: name });

test("without a hub it says what to do for one, step by step", async () => {
  const page = await open("machines-none");
  await page.getByText("beckon hub serve").waitFor();
  expect(await page.locator("main code").allInnerTexts()).toEqual([
    "beckon hub serve --listen 0.0.0.0:4223",
    "beckon hub invite",
    "beckon hub join CODE",
  ]);
});

test("with a hub every machine says how it stands and what waits there", async () => {
  const page = await open("machines");
  await tile(page, "workstation").waitFor();
  expect(await tile(page, "laptop").innerText()).toMatch(/This computer\s+1 waiting/);
  expect(await tile(page, "build-server").innerText()).toMatch(/Connected\s+Nobody waiting/);
  expect(await tile(page, "workstation").innerText()).toMatch(/Connected\s+2 waiting/);
  expect(await page.getByText("laptop (this device)").count()).toBe(1);
});

test("without its hub nothing is claimed of the others, and what still works is said", async () => {
  const page = await open("machines-down");
  await page.getByText("Connection refused").waitFor();
  expect(await tile(page, "workstation").innerText()).toContain("Unknown");
  expect(await tile(page, "laptop").innerText()).toContain("This computer");
  expect(await page.getByText("This computer works by itself").count()).toBe(1);
});

test("what was refused is said with its count, the gravest first", async () => {
  const page = await open("machines-refused");
  await page.getByText("1 answer of an unknown device").waitFor();
  const refused = page.locator("section").filter({ hasText: "Refused" }).last();
  const titles = await refused.locator("b").allInnerTexts();
  expect(titles).toHaveLength(5);
  expect(titles.slice(0, 2)).toEqual([
    "1 answer of an unknown device",
    "2 records of unknown devices",
  ]);
  expect(await page.getByText("The keychain is locked").count()).toBe(1);
});

test("what changes on the hub is on the page without a click", async () => {
  const page = await open("machines");
  await tile(page, "workstation").waitFor();
  await page.evaluate(() => {
    const { hub } = window.fake;
    window.fake.hub = { ...hub, machines: hub.machines.slice(0, 2) };
    window.fake.change({});
  });
  await tile(page, "workstation").waitFor({ state: "detached" });
});

test("where the human sits is said by the machine itself", async () => {
  const page = await open("machines");
  await tile(page, "workstation").waitFor();
  await page.evaluate(() => {
    const { status } = window.fake.view;
    const seat = { machine: "workstation", state: "here", evidence: "x11", last_input: null };
    const machines = [{ ...seat, override: "auto", rings: true, paused: false }];
    window.fake.change({ status: { ...status, presence: { ...status.presence, machines } } });
  });
  await tile(page, "workstation").getByText("You're here").waitFor();
});
