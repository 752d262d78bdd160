// Sentences that say how Beckon knows where the human is, such as "keyboard or mouse 12 s ago,
// X11": for all legs together, and for each leg.

import { age, at, t } from "../lib/session.svelte";
import type { DesktopStatus, Leg, MachineStatus, PresenceStatus } from "../lib/wire";

/** The age of the last input, in milliseconds, up to which the sentence says it. Older input of a
 * human who does not count as idle yet is told of as "in use". */
const IN_USE_MS = 30_000;

export function evidence(presence: PresenceStatus, now: number): string {
  if (presence.override !== "auto") {
    return presence.until
      ? t("ui-evidence-said-until", { time: at(presence.until) })
      : t("ui-evidence-said");
  }
  const { state, last_input } = presence;
  const source = t(`ui-witness-${presence.evidence}`);
  if (state === "idle" || state === "here") return hands(state === "idle", last_input, source, now);
  return t(`ui-evidence-${state}`, { source });
}

/** Says what a leg tells now. For one that does not work, says what that means and what still
 * counts. */
export function legSentence(leg: Leg, all: Leg[], now: number): string {
  if (!leg.works) {
    const missing = t(`ui-leg-${leg.what}-missing`, { kind: leg.source });
    const left = rest(leg, all);
    return left ? t("ui-leg-both", { missing, rest: t(`ui-leg-rest-${left}`) }) : missing;
  }
  const source = t(`ui-witness-${leg.source}`);
  if (leg.what === "idle") return hands(leg.holds, leg.last_input, source, now);
  return t(`ui-leg-${leg.what}-${leg.holds ? "on" : "off"}`, { source });
}

/** Returns whether the desktop's "do not disturb" is on. Many desktops do not say. */
export function disturbWord(desktop: DesktopStatus | undefined): "on" | "off" | "unknown" {
  switch (desktop?.do_not_disturb) {
    case true:
      return "on";
    case false:
      return "off";
    default:
      return "unknown";
  }
}

/** Returns the leg that is left to go by without the missing one. */
function rest(missing: Leg, all: Leg[]): "idle" | "lock" | "none" | undefined {
  if (missing.what === "sleep") return undefined;
  const other = missing.what === "idle" ? "lock" : "idle";
  if (all.some(({ what, works }) => what === other && works)) return other;
  return missing.what === "idle" ? "none" : undefined;
}

function hands(idle: boolean, last: number | null, source: string, now: number): string {
  const since = last === null ? undefined : now - last;
  return t(`ui-evidence-${kind(idle, since)}`, { age: age(since ?? 0), source });
}

function kind(idle: boolean, since: number | undefined): string {
  if (idle) return since === undefined ? "no-input" : "idle";
  return since === undefined || since > IN_USE_MS ? "using" : "input";
}

/** Says when hands were last at a machine, as the machine itself tells. Empty if it does not. */
export function handsAt(
  state: MachineStatus["state"] | PresenceStatus["state"],
  last: number | null,
  now: number,
): string {
  const since = last === null ? undefined : Math.max(0, now - last);
  const resting = state !== "here";
  if (state === "unknown" || (resting && since === undefined)) return "";
  return t(`ui-hands-${kind(resting, since)}`, { age: age(since ?? 0) });
}

/** Names the machines at which the human sits instead, as `hub/elsewhere.rs` decides it. */
function seated({ machines = [] }: PresenceStatus): string {
  const there = machines.filter((machine) => machine.seated);
  return there.map(({ machine }) => machine).join(", ");
}

/** Says where the human is, as a heading. It names a machine only if that is another one. */
export function whereabouts(presence: PresenceStatus): string {
  const { away, override, state } = presence;
  if (override === "auto") {
    const machines = seated(presence);
    if (machines) return t("ui-presence-at", { machines });
    if (state === "unknown") return t("ui-presence-unknown");
  }
  return t(away ? "ui-presence-away" : "ui-presence-here");
}

/** Says where it rings because of the other machines, if that changes what is done here. */
export function ringsElsewhere(presence: PresenceStatus): string | undefined {
  const { elsewhere } = presence;
  if (elsewhere === "gone") return t("ui-presence-gone");
  if (elsewhere !== "seated" && elsewhere !== "deaf") return undefined;
  const machines = seated(presence);
  // Nothing is said without a machine to name: the state of this machine's own notifications is
  // shown elsewhere.
  return machines ? t(`ui-presence-${elsewhere}`, { machines }) : undefined;
}
