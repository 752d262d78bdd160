// Which ask is shown, and who else waits. The order is Beckon's: the oldest first.

import { machineOf } from "../lib/sources";
import type { Ask, Session } from "../lib/wire";

/** An answer that is on its way needs nobody any more. */
export function waits(ask: Ask): boolean {
  return ask.state !== "answering";
}

/** Its human wants to hear nothing of it for a while: it is not counted, and never shown unasked. */
export function isSnoozed(ask: Ask): boolean {
  return ask.set_aside?.is === "snoozed";
}

/** Others of a team decide it. */
export function isHeld(ask: Ask): boolean {
  return ask.held !== undefined;
}

/** It is shown to whoever looks for it, and to nobody else. */
function isAside(ask: Ask): boolean {
  return isSnoozed(ask) || isHeld(ask);
}

/** Who waits for somebody now. */
export function awake(asks: readonly Ask[]): Ask[] {
  return asks.filter((ask) => waits(ask) && !isAside(ask));
}

/** Does a page's wish, which may name the source as well, mean this ask? */
export function isMeant(ask: Ask, wish: string): boolean {
  return ask.id === wish || `${ask.source}/${ask.id}` === wish;
}

/** What to show: the ask that was wished for, else the one that is shown, else the oldest. */
export function pick(asks: Ask[], shown?: string, wish?: string | null): Ask | undefined {
  const waiting = asks.filter(waits);
  const called = awake(waiting);
  return (
    (wish ? waiting.find((ask) => isMeant(ask, wish)) : undefined) ??
    waiting.find((ask) => ask.id === shown) ??
    // What its agent seems to have left comes after what is surely waited for.
    called.find((ask) => ask.state !== "stale") ??
    called[0]
  );
}

/** The others, in Beckon's order. */
export function others(asks: Ask[], shown?: string): Ask[] {
  return awake(asks).filter((ask) => ask.id !== shown);
}

/** The ask before or after the shown one, round the end. */
export function neighbour(asks: Ask[], shown: string, step: 1 | -1): Ask | undefined {
  const waiting = asks.filter((ask) => waits(ask) && (!isAside(ask) || ask.id === shown));
  const here = waiting.findIndex((ask) => ask.id === shown);
  return waiting.at((here + step + waiting.length) % Math.max(waiting.length, 1));
}

/** The machine that shares it, where it is another one's. */
export function machine(ask: Ask): string | undefined {
  return machineOf(ask.source);
}

/** The last part of the directory: what people call a project. */
export function project(session: Session): string {
  const parts = session.directory.split(/[/\\]/).filter((part) => part !== "");
  return parts.at(-1) ?? session.directory;
}
