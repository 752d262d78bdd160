// How the pretend Beckon stands in each scene.

import type { Status, Tab } from "../lib/wire";

/** A settings scene begins with its tab: `telegram-new`. */
export function tabOf(scene: string): Tab {
  return (scene.split("-")[0] ?? "agents") as Tab;
}

export function statusOf(scene: string, status: Status): Status {
  const deaf = (error: string) =>
    status.sources.map((source) => ({ ...source, state: "unreachable", version: null, error }));
  if (scene === "empty-deaf") return { ...status, sources: deaf("connection refused") };
  return status;
}
