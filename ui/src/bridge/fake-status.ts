// The status of the pretend Beckon in each scene.

import en from "../../../client/locales/en/telegram.ftl?raw";
import zh from "../../../client/locales/zh-CN/telegram.ftl?raw";
import type { MachineStatus, Source, Status, Tab } from "../lib/wire";
import { leg, NOW } from "./scenes";

/** Returns the tab of a settings scene, whose name begins with it: `telegram-new`. */
export function tabOf(scene: string): Tab {
  return (scene.split("-")[0] ?? "agents") as Tab;
}

/** The text for a bot that another program reads as well. */
const OTHER_POLLER = /telegram-trouble-other-poller = (.*)/;

/** The text for a proxy that is not there. */
const PROXY_DOWN = /telegram-proxy-unreachable = (.*)/;

type Change = (status: Status, language: string) => Status;

const SCENES: Record<string, Change> = {
  "empty-deaf": deaf,
  "empty-none": (status) => ({ ...status, sources: [] }),
  paused,
  "empty-paused": paused,
  agents: (status) => ({
    ...status,
    sources: [
      ...status.sources.map(unreached),
      source("research", "interrupts", "http://10.0.0.8:8000/api/stream", {
        state: "unauthorized",
        error: "401",
      }),
      source("graphs", "langgraph", "http://127.0.0.1:2024", { version: "0.16.7" }),
      source("tui-4711", "opencode", "http://127.0.0.1:50213", { version: "1.18.33" }),
    ],
  }),
  "agents-none": deaf,
  // What the checks of this scene say (`fake-figures.ts`).
  health: (status) => ({ ...status, sources: status.sources.map(unreached) }),
  machines: (status) => shared(status, "build-server", "workstation"),
  "machines-away": (status) => ({ ...status, sources: [...status.sources, away("workstation")] }),
  "machines-down": (status) => ({
    ...status,
    sources: [...status.sources, away("build-server"), away("workstation")],
  }),
  "machines-team": (status) => shared(status, "studio"),
  welcome: (status) => withoutBot({ ...status, sources: status.sources.slice(0, 1) }),
  "welcome-new": (status) => withoutBot({ ...status, sources: [] }),
  "welcome-none": (status) => withoutBot({ ...status, sources: [] }),
  "telegram-new": withoutBot,
  "general-new": withoutBot,
  "notifications-new": withoutBot,
  "agents-new": withoutBot,
  "presence-new": withoutBot,
  "history-new": withoutBot,
  "telegram-pair": (status) => telegram(status, { paired: 0 }),
  "telegram-down": (status, language) =>
    telegram(status, {
      state: "down",
      error: OTHER_POLLER.exec(language === "zh-CN" ? zh : en)?.[1] ?? null,
    }),
  "telegram-proxy": (status, language) => {
    const address = "socks5://me@proxy.example:1080";
    const said = PROXY_DOWN.exec(language === "zh-CN" ? zh : en)?.[1] ?? "";
    return telegram(status, {
      state: "down",
      error: said.replace(/\{ \$(\w+) \}/g, (_, name) =>
        name === "proxy" ? address : "Connection refused",
      ),
      proxy: { address, state: "unreachable" },
    });
  },
  "presence-away": (status) => ({
    ...status,
    channels: {
      ...status.channels,
      desktop: { ...status.channels.desktop, do_not_disturb: true },
    },
    presence: {
      ...status.presence,
      state: "locked",
      away: true,
      evidence: "logind",
      legs: status.presence.legs.map((leg) => ({ ...leg, holds: leg.what !== "sleep" })),
    },
    paused_until: NOW + 25 * 60_000,
  }),
  "presence-elsewhere": (status) => ({
    ...status,
    presence: {
      ...status.presence,
      state: "idle",
      last_input: NOW - 8 * 60_000,
      away: true,
      elsewhere: "seated",
      machines: [seat("workstation", { state: "here", last_input: NOW - 4_000, seated: true })],
      legs: status.presence.legs.map((leg) =>
        leg.what === "idle" ? { ...leg, holds: true, last_input: NOW - 8 * 60_000 } : leg,
      ),
    },
  }),
  "notifications-plain": (status) => ({
    ...status,
    channels: {
      ...status.channels,
      desktop: {
        state: "works",
        error: null,
        daemon: "dunst",
        can: { buttons: false, sound: false, keeps: false },
        do_not_disturb: true,
        break_through: "never",
      },
    },
  }),
  "presence-blind": (status) => ({
    ...status,
    channels: {
      ...status.channels,
      desktop: { ...status.channels.desktop, do_not_disturb: null },
    },
    presence: {
      ...status.presence,
      state: "unknown",
      evidence: "none",
      last_input: null,
      legs: [
        leg("idle", "none", { works: false }),
        leg("lock", "logind", { works: false }),
        leg("sleep", "logind", { works: false }),
      ],
    },
  }),
  "general-hotkey": (status, language) => {
    const taken =
      language === "zh-CN"
        ? "这个快捷键已被别的程序占用。换一个组合"
        : "Another program already uses this shortcut. Choose another";
    return { ...status, warnings: [taken], hotkey_error: taken };
  },
  "notifications-down": (status) => ({
    ...status,
    channels: {
      ...status.channels,
      desktop: {
        state: "down",
        error: "Nobody shows notifications on this desktop.",
        daemon: null,
        can: null,
        do_not_disturb: null,
        break_through: "never",
      },
    },
  }),
};

function seat(node: string, parts: Partial<MachineStatus> = {}): MachineStatus {
  const says = { state: "away", evidence: "x11", last_input: null, override: "auto" } as const;
  return { node, machine: node, ...says, rings: true, paused: false, seated: false, ...parts };
}

/** A source of a machine that is away. */
function away(name: string): Source {
  return source(`hub:${name}`, "opencode", "", { state: "unreachable", error: "away" });
}

/** Adds other machines and what they share. */
function shared(status: Status, ...names: string[]): Status {
  const ago = [2 * 3_600_000, 25 * 60_000];
  const machines = names.map((name, i) => seat(name, { last_input: NOW - (ago[i] ?? 0) }));
  const sources = names.map((name) => source(`hub:${name}`, "opencode", ""));
  return {
    ...status,
    sources: [...status.sources, ...sources],
    presence: { ...status.presence, machines },
  };
}

function source(
  name: string,
  kind: Source["kind"],
  url: string,
  parts: Partial<Source> = {},
): Source {
  const well = { state: "live", version: null, error: null, experimental: false } as const;
  return { name, kind, url, ...well, ...parts };
}

export function statusOf(scene: string, status: Status, language: string): Status {
  return (SCENES[scene] ?? ((same: Status) => same))(status, language);
}

function paused(status: Status): Status {
  return { ...status, paused_until: NOW + 25 * 60_000 };
}

/** Returns the build box as it is while nothing listens there; any other source as it was. */
function unreached(source: Source): Source {
  if (source.name !== "build-box") return source;
  return { ...source, state: "unreachable", version: null, error: "connection refused" };
}

function deaf(status: Status): Status {
  const sources = status.sources.slice(0, 1).map((source) => ({
    ...source,
    state: "unreachable" as const,
    version: null,
    error: "connection refused",
  }));
  return { ...status, sources };
}

function telegram(status: Status, parts: Partial<Status["channels"]["telegram"]>): Status {
  const telegram = { ...status.channels.telegram, ...parts };
  return { ...status, channels: { ...status.channels, telegram } };
}

function withoutBot(status: Status): Status {
  return telegram(status, { state: "off", bot: null, paired: 0 });
}
