// Seen and snoozed: what a human says of a request without answering it, and the way back.

import { reason, session } from "../lib/session.svelte";
import { spanMs } from "../lib/time";
import type { Ask, Attend } from "../lib/wire";
import { answering } from "./state.svelte";

/** The spans that the menu offers; nothing stands for "until I'm back". */
export const SPANS = ["15m", "1h", undefined] as const;
export type SnoozeSpan = (typeof SPANS)[number];

const UNDO_WITHIN_MS = 60_000;

/** Where a menu stands, and what is the first thing in it that is meant. */
export type MenuPlace = "answer" | "row" | "selection";
export interface OpenMenu {
  at: MenuPlace;
  /** Opened by the key of snoozing: that is where the focus goes. */
  snooze: boolean;
}

/** As it was, to be said again. */
function before({ set_aside }: Ask): Attend {
  if (set_aside?.is !== "snoozed") return { is: set_aside?.is ?? "wanted" };
  const left = (set_aside.until ?? session.now) - session.now;
  return { is: "snoozed", for: left > 0 ? `${Math.ceil(left / 60_000)}m` : undefined };
}

/** The moment at which such a snooze ends. */
export function wakes(span: SnoozeSpan): number | undefined {
  const ms = span && spanMs(span);
  return ms === undefined ? undefined : session.now + ms;
}

export class Aside {
  menu = $state<OpenMenu>();
  /** What `undo` brings back, for a while: later nobody knows what would come. */
  #last: (readonly [Ask, Attend])[] = [];
  #lastAt = 0;

  /** Seen, or if all of them were: as any other again. */
  async toggleSeen(asks: readonly Ask[]): Promise<void> {
    const all = asks.every((ask) => ask.set_aside?.is === "seen");
    await this.#say(asks, { is: all ? "wanted" : "seen" });
  }

  async wake(asks: readonly Ask[]): Promise<void> {
    await this.#say(asks, { is: "wanted" });
  }

  /** Nothing is heard of them for a while: on to the next one. */
  async snooze(asks: readonly Ask[], span: SnoozeSpan): Promise<void> {
    const [first] = asks;
    if (!first || !(await this.#say(asks, { is: "snoozed", for: span }))) return;
    const to = { is: "snoozed", until: wakes(span) } as const;
    answering.notice = { is: "snoozed", ask: first, count: asks.length, to };
    answering.leaveBehind(asks);
  }

  /** Takes the last of these back. */
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

  /** One that is refused is named; the others go on. */
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
