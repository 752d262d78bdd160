// The notices about requests that are over: one is shown at a time. Text that was typed and never
// sent is kept until it is dismissed.

import { session } from "../lib/session.svelte";
import type { Ask, View } from "../lib/wire";
import { learned, type LostWords, type Notice } from "./notice";
import { outcome } from "./outcome";

export class Notices {
  /** Notices with text that was typed for earlier requests and never sent, until they are
   * dismissed. */
  losses = $state.raw<readonly LostWords[]>([]);
  #shown = $state.raw<Notice>();

  constructor(private readonly typed: (ask: Ask) => string) {}

  get shown(): Notice | undefined {
    return this.#shown;
  }

  /** Shows another notice. Unsent text of the present one moves to `losses`. */
  set shown(next: Notice | undefined) {
    const before = this.#shown;
    if (before?.is === "ended" && before.lost && next?.ask.id !== before.ask.id) {
      this.losses = [...this.losses, before];
    }
    this.#shown = next;
  }

  /** Removes a notice that the human has read, with its unsent text. */
  dismiss(notice: Notice): void {
    this.losses = this.losses.filter((lost) => lost !== notice);
    if (this.#shown === notice) this.#shown = undefined;
  }

  /** Says that a request is gone which we did not answer, how it ended, and keeps what was
   * typed. */
  left(ask: Ask): void {
    this.shown = { is: "ended", ask, how: "elsewhere", by: null, lost: this.typed(ask) };
    void this.#learn(ask);
  }

  /** Says that a request now asks something else. What was typed was for what it asked before. */
  changed(ask: Ask): void {
    this.shown = { is: "ended", ask, how: "changed", by: null, lost: this.typed(ask) };
  }

  /** Looks up in the history how the request of an open notice ended, once it has left the list. */
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
