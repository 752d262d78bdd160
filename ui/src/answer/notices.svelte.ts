// What is said of requests that are over: one notice at a time, and whatever was typed and never sent.

import { session } from "../lib/session.svelte";
import type { Ask, View } from "../lib/wire";
import { learned, type LostWords, type Notice } from "./notice";
import { outcome } from "./outcome";

export class Notices {
  /** What was typed for others and never sent, until it is dismissed. */
  losses = $state.raw<readonly LostWords[]>([]);
  #shown = $state.raw<Notice>();

  constructor(private readonly typed: (ask: Ask) => string) {}

  get shown(): Notice | undefined {
    return this.#shown;
  }

  /** Words that were never sent outlive their notice. */
  set shown(next: Notice | undefined) {
    const before = this.#shown;
    if (before?.is === "ended" && before.lost && next?.ask.id !== before.ask.id) {
      this.losses = [...this.losses, before];
    }
    this.#shown = next;
  }

  /** Its human has read it, and needs no words of it. */
  dismiss(notice: Notice): void {
    this.losses = this.losses.filter((lost) => lost !== notice);
    if (this.#shown === notice) this.#shown = undefined;
  }

  /** A request is gone and it was not us: says how, and keeps what was typed. */
  left(ask: Ask): void {
    this.shown = { is: "ended", ask, how: "elsewhere", by: null, lost: this.typed(ask) };
    void this.#learn(ask);
  }

  /** A request asks something else now: what was typed was for what it asked before. */
  changed(ask: Ask): void {
    this.shown = { is: "ended", ask, how: "changed", by: null, lost: this.typed(ask) };
  }

  /** What the notice says is still open: has its request ended by now? */
  follow(view: View): void {
    const notice = this.#shown;
    const isUnsure =
      notice?.is === "sending" ||
      (notice?.is === "ended" && notice.by === null && notice.how !== "changed");
    if (!notice || !isUnsure) return;
    if (!view.asks.some((ask) => ask.id === notice.ask.id)) void this.#learn(notice.ask);
  }

  async #learn(ask: Ask): Promise<void> {
    const entry = await outcome(session.bridge, ask);
    const notice = this.#shown;
    if (!entry || notice?.ask.id !== ask.id) return;
    this.shown = learned(notice, entry, this.typed(ask));
  }
}
