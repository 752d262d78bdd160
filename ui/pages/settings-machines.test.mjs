// Tests of the page of the machines that share their requests: without a hub, with one, and when
// the hub is gone.

import { expect, test } from "vitest";
import { calls, pagesOf } from "./window.mjs";

const open = pagesOf("settings");

/** Returns the tile of a machine. */
const tile = (page, name) => page.locator("main section li").filter({ hasText: name });

const CODE = "bkj1-AAAAAAAAAAAA";

test("without a hub a code is asked for, and it says how to get one", async () => {
  const page = await open("machines-none");
  await page.getByText("beckon hub serve").first().waitFor();
  expect(await page.locator("main code").allInnerTexts()).toEqual([
    "beckon hub serve --listen 0.0.0.0:4223",
    "beckon hub invite",
  ]);
  expect(await page.getByRole("button", { name: "Join" }).isDisabled()).toBe(true);
});

test("a code is joined with by Enter, and the machines follow with the focus", async () => {
  const page = await open("machines-none");
  await page.fill("#hub-code", ` ${CODE} `);
  await page.press("#hub-code", "Enter");
  await tile(page, "workstation").waitFor();
  expect(await calls(page)).toEqual([["hub_join", CODE]]);
  const said = page.getByRole("status").filter({ hasText: "has joined the hub as laptop" });
  await said.getByText("It's one of Ada's machines now").waitFor();
  await page.waitForFunction(() => document.activeElement?.id === "hub-machines");
});

test("why a code is refused is said, and the code stays to be tried again", async () => {
  const page = await open("machines-none");
  await page.fill("#hub-code", CODE);
  await page.evaluate(() => {
    window.fake.refuse = { code: "network", message: "The hub isn't reachable." };
  });
  await page.press("#hub-code", "Enter");
  await page.getByRole("alert").getByText("isn't reachable").waitFor();
  expect(await page.inputValue("#hub-code")).toBe(CODE);
  await page.press("#hub-code", "Enter");
  await tile(page, "workstation").waitFor();
});

test("leaving is asked back first, and says what is left to do", async () => {
  const page = await open("machines");
  const leave = page.getByRole("button", { name: "Leave" });
  await leave.press("Enter");
  // "Cancel" has the focus.
  await page.keyboard.press("Enter");
  expect(await calls(page)).toEqual([]);
  await leave.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByRole("status").getByText("has left the hub").waitFor();
  expect(await calls(page)).toEqual([["hub_leave"]]);
  expect(await page.getByText("the token of @my_beckon_bot").count()).toBe(1);
  await page.waitForFunction(() => document.activeElement?.id === "hub-code");
});

const SERVED_HERE = "machines-serving";

test("where the hub is served a device is removed after a question, and its tile says so", async () => {
  const page = await open(SERVED_HERE);
  const remove = page.getByRole("button", { name: "Remove workstation" });
  await remove.press("Enter");
  await page.getByText("Remove workstation?").waitFor();
  // "Cancel" has the focus.
  await page.keyboard.press("Enter");
  expect(await calls(page)).toEqual([]);
  await remove.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await tile(page, "workstation").getByText("No longer trusted").waitFor();
  expect(await calls(page)).toEqual([["hub_remove", "workstation"]]);
  await page.waitForFunction(() => document.activeElement?.id === "hub-machines");
  await remove.waitFor({ state: "detached" });
  expect(await page.getByRole("button", { name: "Remove laptop" }).count()).toBe(0);
});

test("why a device isn't removed is said at its row, and the button has the focus", async () => {
  const page = await open(SERVED_HERE);
  const remove = page.getByRole("button", { name: "Remove workstation" });
  await remove.waitFor();
  await page.evaluate(() => {
    window.fake.refuse = { code: "network", message: "Nobody is serving the hub." };
  });
  await remove.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").getByText("Nobody is serving").waitFor();
  expect(await page.evaluate(() => document.activeElement?.ariaLabel)).toBe("Remove workstation");
  expect(await page.getByRole("button", { name: "Remove build-server" }).count()).toBe(1);
});

test("elsewhere no device can be removed, and it says where", async () => {
  const page = await open("machines");
  await page.getByText("On build-server, which serves the hub:").waitFor();
  expect(await page.getByText("beckon hub people --remove DEVICE").count()).toBe(1);
  expect(await page.getByRole("button", { name: /^Remove/ }).count()).toBe(0);
  const byHand = await open("machines-refused");
  await byHand.getByText("workstation").first().waitFor();
  expect(await byHand.getByText("beckon hub people --remove").count()).toBe(0);
});

test("presence is shared or not by a switch, which says what follows and moves nothing", async () => {
  const page = await open("machines");
  const share = page.getByRole("switch", { name: "Share presence" });
  const says = (what) =>
    page.waitForFunction(
      (what) => document.getElementById("share-presence-about")?.innerText.includes(what),
      what,
    );
  const last = page.locator("main section").last();
  await says("so you're notified where you are");
  const before = await last.boundingBox();
  await share.press("Space");
  await says("may notify you, too");
  expect(await calls(page)).toEqual([["save_setting", "hub.share_presence", false]]);
  expect(await share.isChecked()).toBe(false);
  expect(await last.boundingBox()).toEqual(before);
  await share.press("Space");
  await says("so you're notified where you are");
});

test("the page of presence says that it isn't shared, and leads to where that is changed", async () => {
  const page = await open("presence");
  expect(await page.getByText("Not shared").count()).toBe(0);
  await page.evaluate(() => {
    const { status } = window.fake.view;
    window.fake.change({
      status: { ...status, presence: { ...status.presence, withheld: true } },
    });
  });
  await page.getByText("Not shared with your other machines").waitFor();
  await page.getByRole("button", { name: "Machines…" }).waitFor();
});

test("the two buttons of a question stand beside each other, however wide the letters are", async () => {
  const page = await open("machines");
  await page.getByRole("button", { name: "Leave" }).press("Enter");
  for (let spacing = 0; spacing <= 6; spacing += 0.25) {
    const tops = await page.evaluate((spacing) => {
      document.body.style.letterSpacing = `${spacing}px`;
      const buttons = [...document.querySelectorAll("main .control button")];
      const pair = buttons.filter((it) => ["Cancel", "Leave"].includes(it.textContent.trim()));
      return pair.map((it) => Math.round(it.getBoundingClientRect().top));
    }, spacing);
    expect(tops).toEqual([tops[0], tops[0]]);
  }
});

test("a Beckon without the hub offers nothing that it can't do", async () => {
  const page = await open("machines-unbuilt");
  await page.getByText("This Beckon can't join a hub").waitFor();
  expect(await page.locator("#hub-code").count()).toBe(0);
});

test("who was taken off comes back by a new code", async () => {
  const page = await open("machines-unknown");
  await page.getByText("doesn't let this device in").waitFor();
  await page.fill("#hub-code", CODE);
  await page.press("#hub-code", "Enter");
  await tile(page, "workstation").getByText("Talks to your phone").waitFor();
});

test("a machine that was taken off, and one that is away, are told apart", async () => {
  const page = await open("machines-away");
  await tile(page, "workstation").getByText("Not reachable").waitFor();
  await tile(page, "workstation")
    .getByText(/^Last seen \d\d:\d\d$/)
    .waitFor();
  expect(await page.getByText("Last seen").count()).toBe(1);
  await tile(page, "build-server").getByText("No longer trusted").waitFor();
  await tile(page, "laptop").getByText("Talks to your phone").waitFor();
  await page.getByText("through this computer").waitFor();
});

test("the people of a team and their rules can be read, and where they are changed", async () => {
  const page = await open("machines-team");
  await page.getByText("Ada (you)").waitFor();
  expect(await tile(page, "studio").innerText()).toMatch(/Cleo · Beckon 0\.0\.9/);
  const rules = page.locator("main section").filter({ hasText: "Team rules" });
  expect(await rules.innerText()).toContain("Two must agree");
  expect(await rules.innerText()).toContain("beckon hub routes --set team.json");
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
  expect(await page.getByText("This computer keeps working on its own").count()).toBe(1);
});

test("when a machine was last heard of is said with its day, and nothing where nobody knows", async () => {
  const page = await open("machines-refused");
  const last = tile(page, "workstation").locator(".last");
  await tile(page, "workstation")
    .getByText(/^Last seen yesterday \d\d:\d\d$/)
    .waitFor();
  const height = (await last.boundingBox()).height;
  await page.evaluate(() => {
    const { hub } = window.fake;
    const machines = hub.machines.map((it) => ({ ...it, last_heard: null }));
    window.fake.hub = { ...hub, machines };
    window.fake.change({});
  });
  await page.getByText("Last seen").waitFor({ state: "detached" });
  expect(await last.innerText()).toBe("");
  expect(Math.round((await last.boundingBox()).height)).toBe(Math.round(height));
});

test("what was refused is said with its count, the gravest first", async () => {
  const page = await open("machines-refused");
  await page.getByText("1 answer from an unknown device").waitFor();
  const refused = page.locator("section").filter({ hasText: "Refused" }).last();
  const titles = await refused.locator("b").allInnerTexts();
  expect(titles).toHaveLength(5);
  expect(titles.slice(0, 2)).toEqual([
    "1 answer from an unknown device",
    "2 records from unknown devices",
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
    const seat = { machine: "laptop", state: "here", evidence: "x11", last_input: null };
    const says = { override: "auto", rings: true, paused: false, seated: false };
    // Another machine may have the same name.
    const machines = [{ node: "workstation", ...seat, ...says }];
    const presence = { ...status.presence, state: "idle", machines };
    window.fake.change({ status: { ...status, presence } });
  });
  await tile(page, "workstation").getByText("You're here").waitFor();
  expect(await page.locator("main section li").getByText("You're here").count()).toBe(1);
});

test("whoever sits at another machine is told at which, and where it rings, and gets there", async () => {
  const page = await open("presence-elsewhere");
  await page.getByText("You're at workstation").waitFor();
  await page.getByText("You're notified on workstation, and not here.").waitFor();
  const say = (parts) =>
    page.evaluate((parts) => {
      const { status } = window.fake.view;
      window.fake.change({ status: { ...status, presence: { ...status.presence, ...parts } } });
    }, parts);
  await say({ elsewhere: "deaf" });
  await page.getByText("Notifications don't work on workstation").waitFor();
  // The human is at this one of two machines without notifications, as far as is known.
  const { machines } = await page.evaluate(() => window.fake.view.status.presence);
  await say({ away: false, machines: machines.map((it) => ({ ...it, seated: false })) });
  await page.getByText("You're here").waitFor();
  expect(await page.getByText("Notifications don't work on").count()).toBe(0);
  await page.getByRole("button", { name: "Machines…" }).click();
  await page.waitForSelector("#hub-code");
});
