// What tells where the human is, in a sentence: "keyboard or mouse 12 s ago, X11".

import { age, at, t } from "../lib/session.svelte";
import type { PresenceStatus } from "../lib/wire";

/** Hands that have not moved for so long are told of as idle. */
const IN_USE_MS = 30_000;

export function evidence(presence: PresenceStatus, now: number): string {
  if (presence.override !== "auto") {
    return presence.until
      ? t("ui-evidence-said-until", { time: at(presence.until) })
      : t("ui-evidence-said");
  }
  const since = presence.last_input === null ? undefined : now - presence.last_input;
  return t(`ui-evidence-${kind(presence, since)}`, {
    age: age(since ?? 0),
    source: t(`ui-witness-${presence.evidence}`),
  });
}

function kind({ state }: PresenceStatus, since: number | undefined): string {
  if (state === "idle") return since === undefined ? "no-input" : "idle";
  if (state === "here") return since === undefined || since > IN_USE_MS ? "using" : "input";
  return state;
}
