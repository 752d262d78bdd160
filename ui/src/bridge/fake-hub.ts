// The pretend Beckon's machines: the page's own scenes, and no hub in any other.

import type { HubMachine, HubView } from "../lib/wire";

const NONE: HubView = {
  state: "off",
  detail: null,
  url: null,
  key: null,
  no_key: null,
  machines: [],
  devices: [],
  refused: { unreadable: 0, strange: 0, forged: 0, other_content: 0, unfit: 0 },
};

const KEYS = {
  laptop: "iojj3XQJ8ZX9UtstPLpdcspnCb8dlBIb83SIAbQPb1w",
  workstation: "gTl3Dqh9F19Wo1Rmw0x-zMuNipG07jelD1nPBKYYHqg",
  server: "7UkotwUE1T0V6lVYfVBDHDWWsGfzMzVzPGyxSDcMUxk",
};

function machine(parts: Partial<HubMachine> & { name: string }): HubMachine {
  return { this: false, state: "there", device: parts.name, open: 0, ...parts };
}

const JOINED: HubView = {
  ...NONE,
  state: "connected",
  url: "tls://hub.example:4222",
  key: KEYS.laptop,
  machines: [
    machine({ name: "laptop", this: true, open: 1 }),
    machine({ name: "build-server" }),
    machine({ name: "workstation", open: 2 }),
  ],
  devices: [
    { name: "build-server", person: null, key: KEYS.server, by: "list", this: false },
    { name: "laptop", person: "Ada", key: KEYS.laptop, by: "desk", this: true },
    { name: "workstation", person: "Ada", key: KEYS.workstation, by: "desk", this: false },
  ],
};

/** Nobody knows how the others are. */
function cut(view: HubView): HubView {
  const machines = view.machines.map((other) =>
    other.this ? other : { ...other, state: "unknown" as const },
  );
  return { ...view, state: "down", detail: "Connection refused (os error 111)", machines };
}

export function hubIn(scene: string): HubView {
  switch (scene) {
    case "machines":
      return JOINED;
    case "machines-alone":
      return { ...JOINED, machines: JOINED.machines.slice(0, 1), devices: [] };
    case "machines-down":
      return cut(JOINED);
    case "machines-unknown":
      return { ...cut(JOINED), state: "unknown", detail: null };
    case "machines-refused":
      return {
        ...JOINED,
        key: null,
        no_key: "The keychain is locked",
        machines: JOINED.machines.map((other) =>
          other.name === "workstation" ? { ...other, state: "away" as const } : other,
        ),
        refused: { unreadable: 1, strange: 2, forged: 1, other_content: 3, unfit: 1 },
      };
    default:
      return NONE;
  }
}
