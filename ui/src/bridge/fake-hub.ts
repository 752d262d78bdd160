// The pretend Beckon's machines, for the scenes of that page. In any other scene there is no hub.

import type { HubDevice, HubMachine, HubView } from "../lib/wire";
import { NOW } from "./scenes";

const MINUTE = 60_000;

const NONE: HubView = {
  built: true,
  state: "off",
  detail: null,
  url: null,
  key: null,
  no_key: null,
  machines: [],
  devices: [],
  bot: null,
  team: null,
  refused: { unreadable: 0, strange: 0, forged: 0, other_content: 0, unfit: 0 },
};

const KEYS = {
  laptop: "iojj3XQJ8ZX9UtstPLpdcspnCb8dlBIb83SIAbQPb1w",
  workstation: "gTl3Dqh9F19Wo1Rmw0x-zMuNipG07jelD1nPBKYYHqg",
  server: "7UkotwUE1T0V6lVYfVBDHDWWsGfzMzVzPGyxSDcMUxk",
};

function machine(parts: Partial<HubMachine> & { name: string }): HubMachine {
  return {
    node: parts.name,
    this: false,
    state: "there",
    device: parts.name,
    person: null,
    version: "0.1.0",
    last_heard: parts.this ? null : NOW - 8_000,
    serves_bot: false,
    open: 0,
    ...parts,
  };
}

function device(name: string, key: string, parts: Partial<HubDevice> = {}): HubDevice {
  return { name, person: "Ada", key, by: "desk", this: false, admin: false, ...parts };
}

const JOINED: HubView = {
  ...NONE,
  state: "connected",
  url: "tls://hub.example:4222",
  key: KEYS.laptop,
  machines: [
    machine({ name: "laptop", this: true, open: 1 }),
    machine({ name: "build-server" }),
    machine({ name: "workstation", serves_bot: true, open: 2 }),
  ],
  devices: [
    device("build-server", KEYS.server, { admin: true }),
    device("laptop", KEYS.laptop, { this: true }),
    device("workstation", KEYS.workstation),
  ],
  bot: { name: "my_beckon_bot", served: "elsewhere", machine: "workstation" },
};

/** A hub whose devices are listed by hand, on each machine. */
const BY_HAND: HubView = {
  ...JOINED,
  devices: JOINED.devices.map((device) => ({
    ...device,
    by: "list" as const,
    person: null,
    admin: false,
  })),
};

function changed(view: HubView, name: string, parts: Partial<HubMachine>): HubView {
  const machines = view.machines.map((it) => (it.name === name ? { ...it, ...parts } : it));
  return { ...view, machines };
}

/** A hub that this machine serves. */
const SERVING: HubView = {
  ...JOINED,
  devices: JOINED.devices.map((device) => ({ ...device, admin: device.this })),
};

/** Returns the view after a device was removed. */
export function without(view: HubView, name: string): HubView {
  const devices = view.devices.filter((device) => device.name !== name);
  return { ...changed(view, name, { state: "removed", serves_bot: false }), devices };
}

/** A hub with one machine away and one removed; this machine has taken over the phone. */
function thinned(): HubView {
  const last_heard = NOW - 17 * MINUTE;
  const away = changed(JOINED, "workstation", { state: "away", last_heard, serves_bot: false });
  const gone = changed(away, "build-server", { state: "removed", version: null });
  const view = changed(gone, "laptop", { serves_bot: true });
  const devices = [device("hub-host", KEYS.server, { admin: true }), ...view.devices.slice(1)];
  return { ...view, devices, bot: { name: "my_beckon_bot", served: "here", machine: null } };
}

/** Returns the view of a machine that is cut off: the state of the others is unknown. */
function cut(view: HubView): HubView {
  const machines = view.machines.map((other) =>
    other.this
      ? other
      : {
          ...other,
          state: "unknown" as const,
          last_heard: NOW - 4 * MINUTE,
          serves_bot: false,
        },
  );
  const bot = view.bot && { ...view.bot, served: "unknown" as const, machine: null };
  return { ...view, state: "down", detail: "Connection refused (os error 111)", machines, bot };
}

const TEAM: HubView = {
  ...JOINED,
  machines: [
    machine({ name: "laptop", this: true, person: "Ada", open: 1, serves_bot: true }),
    machine({ name: "ben-desktop", person: "Ben" }),
    machine({ name: "studio", person: "Cleo", version: "0.0.9", open: 2 }),
  ],
  devices: [
    device("laptop", KEYS.laptop, { this: true, admin: true }),
    device("ben-desktop", KEYS.server, { person: "Ben" }),
    device("studio", KEYS.workstation, { person: "Cleo" }),
  ],
  bot: { name: "my_beckon_bot", served: "here", machine: null },
  team: {
    people: [
      { name: "Ada", this: true, roles: ["lead"], devices: ["laptop"], shifts: [] },
      { name: "Ben", this: false, roles: [], devices: ["ben-desktop"], shifts: [] },
      {
        name: "Cleo",
        this: false,
        roles: ["lead"],
        devices: ["studio"],
        shifts: ["nights, Mon 22:00 to Tue 06:00 (UTC+1)"],
      },
    ],
    routes: [
      {
        scope: "shop-* · permissions (dangerous)",
        rule: "whoever started it; anyone with the role lead; two must agree",
      },
      {
        scope: "all projects · everything",
        rule: "whoever started it; after 10 minutes whoever is on duty (nights); seen by everyone",
      },
    ],
  },
};

/** The team in Chinese, as the resident would write it. */
const TEAM_ZH: HubView["team"] = {
  people: (TEAM.team?.people ?? []).map((person) => ({
    ...person,
    shifts: person.shifts.map(() => "nights，周一 22:00 至周二 06:00（UTC+1）"),
  })),
  routes: [
    {
      scope: "shop-* · 授权（危险）",
      rule: "发起人；角色为 lead 的人；需两人同意",
    },
    {
      scope: "所有项目 · 所有请求",
      rule: "发起人；10 分钟后值班的人（nights）；所有人也能看到",
    },
  ],
};

export function hubIn(scene: string, language = "en"): HubView {
  switch (scene) {
    case "machines":
      return JOINED;
    case "machines-alone":
      return { ...BY_HAND, machines: JOINED.machines.slice(0, 1), devices: [], bot: null };
    case "machines-away":
      return thinned();
    case "machines-unbuilt":
      return { ...NONE, built: false };
    case "machines-serving":
      return SERVING;
    case "machines-team":
      return language === "zh-CN" ? { ...TEAM, team: TEAM_ZH } : TEAM;
    case "machines-down":
      return cut(JOINED);
    case "machines-unknown":
      return { ...cut(JOINED), state: "unknown", detail: null };
    case "machines-refused":
      return {
        ...changed(BY_HAND, "workstation", {
          state: "away",
          last_heard: NOW - 20 * 60 * MINUTE,
          serves_bot: false,
        }),
        bot: null,
        key: null,
        no_key: "The keychain is locked",
        refused: { unreadable: 1, strange: 2, forged: 1, other_content: 3, unfit: 1 },
      };
    default:
      return NONE;
  }
}
