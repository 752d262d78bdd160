import { expect, test } from "vitest";
import type { Source } from "../bindings/Source";
import type { Status } from "../lib/wire";
import { mendedIn, stations } from "./way";

const NOW = 1_000;
const source = (state: Source["state"]) => ({ state }) as Source;

function status(change: (status: Status) => void): Status {
  const whole = {
    sources: [{ state: "live" }],
    warnings: [],
    paused_until: null,
    channels: {
      desktop: { state: "works", do_not_disturb: false },
      telegram: { state: "works", bot: "my_bot", paired: 2 },
    },
  } as unknown as Status;
  change(whole);
  return whole;
}

const of = (change: (status: Status) => void) =>
  stations(status(change), NOW).map(({ name, state, says }) => `${name} ${state} ${says}`);

test("all is well", () => {
  expect(of(() => {})).toEqual([
    "agents ok connected",
    "beckon ok running",
    "computer ok works",
    "phone ok works",
  ]);
});

test.each<[string, string, (status: Status) => void]>([
  ["no agent", "agents none none", (it) => (it.sources = [])],
  ["a server away", "agents bad unreachable", (it) => (it.sources = [source("unreachable")])],
  ["a first look", "agents none connecting", (it) => (it.sources = [source("connecting")])],
  ["a broken file", "beckon note warnings", (it) => it.warnings.push("config.toml")],
  ["no daemon", "computer bad down", (it) => (it.channels.desktop.state = "down")],
  ["a pause", "computer note paused", (it) => (it.paused_until = NOW + 1)],
  ["do not disturb", "computer note disturb", (it) => (it.channels.desktop.do_not_disturb = true)],
  [
    "no bot",
    "phone none none",
    (it) => {
      it.channels.telegram.state = "off";
      it.channels.telegram.bot = null;
    },
  ],
  ["no way to Telegram", "phone bad down", (it) => (it.channels.telegram.state = "down")],
  ["a bot that starts", "phone none starting", (it) => (it.channels.telegram.state = "starting")],
  [
    "a bot that another machine serves",
    "phone ok standby",
    (it) => (it.channels.telegram.state = "standby"),
  ],
  ["nobody paired", "phone note nobody", (it) => (it.channels.telegram.paired = 0)],
])("%s is seen in its station", (_, station, change) => {
  expect(of(change)).toContain(station);
});

test("a pause that is over is none", () => {
  expect(of((it) => (it.paused_until = NOW))).toContain("computer ok works");
});

test("what has no page of its own has no button", () => {
  expect([mendedIn("source"), mendedIn("database")]).toEqual(["agents", undefined]);
});
