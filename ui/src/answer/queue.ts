// Choosing which ask is shown, and who else waits. The order is Beckon's: the oldest first.

import { machineOf } from "../lib/sources";
import type { Ask, Session } from "../lib/wire";

/** Tells whether an ask waits for a human. One whose answer is on its way does not. */
export function waits(ask: Ask): boolean {
  return ask.state !== "answering";
}

/** Tells whether an ask is snoozed: it is not counted, and never shown unasked. */
export function isSnoozed(ask: Ask): boolean {
  return ask.set_aside?.is === "snoozed";
}

/** Tells whether others of the team decide an ask. */
export function isHeld(ask: Ask): boolean {
  return ask.held !== undefined;
}

/** Tells whether an ask is shown only to somebody who looks for it. */
function isAside(ask: Ask): boolean {
  return isSnoozed(ask) || isHeld(ask);
}

/** Returns the asks that wait for this human now. */
export function awake(asks: readonly Ask[]): Ask[] {
  return asks.filter((ask) => waits(ask) && !isAside(ask));
}

/** Tells whether a page's wish, which may name the source as well, means this ask. */
export function isMeant(ask: Ask, wish: string): boolean {
  return ask.id === wish || `${ask.source}/${ask.id}` === wish;
}

/** Picks the ask to show: the one that was wished for, else the one that is shown, else the
 * oldest. */
export function pick(asks: Ask[], shown?: string, wish?: string | null): Ask | undefined {
  const waiting = asks.filter(waits);
  const called = awake(waiting);
  return (
    (wish ? waiting.find((ask) => isMeant(ask, wish)) : undefined) ??
    waiting.find((ask) => ask.id === shown) ??
    // Stale asks, which their agent seems to have left, come after those that are surely waited
    // for.
    called.find((ask) => ask.state !== "stale") ??
    called[0]
  );
}

/** Returns the asks that wait besides the shown one, in Beckon's order. */
export function others(asks: Ask[], shown?: string): Ask[] {
  return awake(asks).filter((ask) => ask.id !== shown);
}

/** Returns the ask before or after the shown one, going round at the ends. */
export function neighbour(asks: Ask[], shown: string, step: 1 | -1): Ask | undefined {
  const waiting = asks.filter((ask) => waits(ask) && (!isAside(ask) || ask.id === shown));
  const here = waiting.findIndex((ask) => ask.id === shown);
  return waiting.at((here + step + waiting.length) % Math.max(waiting.length, 1));
}

/** Returns the machine that shares an ask; undefined if it is of this machine. */
export function machine(ask: Ask): string | undefined {
  return machineOf(ask.source);
}

/** Returns the last part of the directory: what people call a project. */
export function project(session: Session): string {
  const parts = session.directory.split(/[/\\]/).filter((part) => part !== "");
  return parts.at(-1) ?? session.directory;
}
