// The way from an agent to its human as four stations, each with a state and a few words. Pure. Why
// something is wrong, and what to do about it, is not here but in the checks below the picture.

import type { Status, Tab } from "../lib/wire";
import { isTrouble } from "./trouble";

export type StationState = "ok" | "note" | "bad" | "none";

export interface Station {
  name: "agents" | "beckon" | "computer" | "phone";
  state: StationState;
  /** The ending of the key of its text, which may have a count. */
  says: string;
  count?: number;
  of?: number;
}

export function stations(status: Status, now: number): Station[] {
  return [agents(status), beckon(status), computer(status, now), phone(status)];
}

function agents({ sources }: Status): Station {
  const name = "agents";
  const [of, bad] = [sources.length, sources.filter(isTrouble).length];
  const live = sources.filter((source) => source.state === "live").length;
  if (of === 0) return { name, state: "none", says: "none" };
  if (bad > 0) return { name, state: "bad", says: "unreachable", count: bad, of };
  if (live === 0) return { name, state: "none", says: "connecting" };
  return { name, state: "ok", says: "connected", count: live };
}

function beckon({ warnings }: Status): Station {
  const [name, count] = ["beckon" as const, warnings.length];
  if (count > 0) return { name, state: "note", says: "warnings", count };
  return { name, state: "ok", says: "running" };
}

function computer({ channels, paused_until }: Status, now: number): Station {
  const name = "computer";
  const { desktop } = channels;
  if (desktop.state === "down") return { name, state: "bad", says: "down" };
  if (desktop.state !== "works") return { name, state: "none", says: "off" };
  if ((paused_until ?? 0) > now) return { name, state: "note", says: "paused" };
  if (desktop.do_not_disturb) return { name, state: "note", says: "disturb" };
  return { name, state: "ok", says: "works" };
}

function phone({ channels }: Status): Station {
  const name = "phone";
  const { telegram } = channels;
  if (telegram.bot === null && telegram.state !== "down")
    return { name, state: "none", says: "none" };
  if (telegram.state === "starting") return { name, state: "none", says: "starting" };
  if (telegram.state === "standby") return { name, state: "ok", says: "standby" };
  if (telegram.state !== "works") return { name, state: "bad", says: "down" };
  if (telegram.paired === 0) return { name, state: "note", says: "nobody" };
  return { name, state: "ok", says: "works", count: telegram.paired };
}

/** The tab in which a finding can be mended, by leg. */
const MENDED_IN: Partial<Record<string, Tab>> = {
  source: "agents",
  unread: "agents",
  nearby: "agents",
  plugin: "agents",
  hooks: "agents",
  coverage: "agents",
  desktop: "notifications",
  presence: "presence",
  telegram: "telegram",
  paired: "telegram",
  privacy: "telegram",
};

export function mendedIn(leg: string): Tab | undefined {
  return MENDED_IN[leg];
}
