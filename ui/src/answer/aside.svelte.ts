// Marking requests as seen or snoozed, which does not answer them, and undoing that.

import { reason, session } from "../lib/session.svelte";
import { spanMs } from "../lib/time";
import type { Ask, Attend } from "../lib/wire";
import { answering } from "./state.svelte";

/** The spans of snoozing that the menu offers. `undefined` means "until I'm back". */
export const SPANS = ["15m", "1h", undefined] as const;
export type SnoozeSpan = (typeof SPANS)[number];

const UNDO_WITHIN_MS = 60_000;

/** The place in the window where the open menu is. */
export type MenuPlace = "answer" | "row" | "selection";
export interface OpenMenu {
  at: MenuPlace;
  /** Whether the key for snoozing opened it: the focus then goes to the first snooze line. */
  snooze: boolean;
}

/** Returns the state an ask has now, as the order that brings it back. */
function before({ set_aside }: Ask): Attend {
  if (set_aside?.is !== "snoozed") return { is: set_aside?.is ?? "wanted" };
  const left = (set_aside.until ?? session.now) - session.now;
  return { is: "snoozed", for: left > 0 ? `${Math.ceil(left / 60_000)}m` : undefined };
}

/** Returns the moment at which a snooze of this span ends. `undefined` if it lasts until the human
 * is back. */
export function wakes(span: SnoozeSpan): number | undefined {
  const ms = span && spanMs(span);
  return ms === undefined ? undefined : session.now + ms;
}

export class Aside {
  menu = $state<OpenMenu>();
  /** The asks that were changed last, with their states before. `undo` brings those back, but only
   * for `UNDO_WITHIN_MS`: later nobody remembers what it would bring back. */
  #last: (readonly [Ask, Attend])[] = [];
  #lastAt = 0;

  /** Marks asks as seen; if all of them are already, as wanted again. */
  async toggleSeen(asks: readonly Ask[]): Promise<void> {
    const all = asks.every((ask) => ask.set_aside?.is === "seen");
    await this.#say(asks, { is: all ? "wanted" : "seen" });
  }

  async wake(asks: readonly Ask[]): Promise<void> {
    await this.#say(asks, { is: "wanted" });
  }

  /** Snoozes asks and moves on to the next one. */
  async snooze(asks: readonly Ask[], span: SnoozeSpan): Promise<void> {
    const [first] = asks;
    if (!first || !(await this.#say(asks, { is: "snoozed", for: span }))) return;
    const to = { is: "snoozed", until: wakes(span) } as const;
    answering.notice = { is: "snoozed", ask: first, count: asks.length, to };
    answering.leaveBehind(asks);
  }

  /** Undoes the last change. */
  async undo(): Promise<void> {
    const last = Date.now() - this.#lastAt < UNDO_WITHIN_MS ? this.#last : [];
    if (answering.notice?.is === "snoozed") answering.notice = undefined;
    await this.#each(last.map(([ask, was]) => [ask, was] as const));
    this.#last = [];
  }

  async #say(asks: readonly Ask[], to: Attend): Promise<boolean> {
    this.#last = asks.map((ask) => [ask, before(ask)] as const);
    this.#lastAt = Date.now();
    return this.#each(asks.map((ask) => [ask, to] as const));
  }

  /** Carries out each order. A refused one is named in the notice and the others go on. Returns
   * true if any was accepted. */
  async #each(all: (readonly [Ask, Attend])[]): Promise<boolean> {
    const each = all.map(async ([ask, to]) => {
      try {
        await session.bridge.attend(ask, to);
        return true;
      } catch (error) {
        answering.notice = { is: "failed", ask, message: reason(error) };
        return false;
      }
    });
    return (await Promise.all(each)).some((said) => said);
  }
}

export const aside = new Aside();
