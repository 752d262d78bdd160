// Several similar permissions, opened to be allowed by one button: who is selected, what has become
// of the others, and the sending. Only what is shown whole, as it was shown, is ever sent.

import { reason, session } from "../../lib/session.svelte";
import type { Ask, View } from "../../lib/wire";
import { Countdown } from "../countdown.svelte";
import { waits } from "../queue";
import { Settling } from "../settling.svelte";
import { answering } from "../state.svelte";
import { allowEach, type Failed, type Outcome } from "./batch";
import { likeness, NONE, select, shrink, toggle } from "./similar";
import { byId, NOBODY } from "./standing";

export class Pile {
  /** In the order of the list, as they were or are. */
  asks = $state.raw<readonly Ask[]>([]);
  selected = $state.raw(NONE);
  /** Taken out since it was opened, because somebody else was quicker. */
  left = $state(0);
  /** Taken out because they ask something else by now. */
  changed = $state(0);
  allowed = $state.raw<readonly string[]>([]);
  failed = $state.raw<readonly Failed[]>([]);
  sending = $state(false);

  readonly #countdown = new Countdown();
  readonly #settling = new Settling();
  #live = NOBODY.known;
  readonly undoUntil = $derived(this.#countdown.until);
  readonly busy = $derived(this.sending || this.undoUntil !== undefined);
  readonly settling = $derived(this.#settling.now);
  /** What one press would allow. */
  readonly chosen = $derived(this.asks.filter((ask) => this.selected.has(ask.id)));

  /** `done`: what has become of those that were sent. */
  constructor(
    asks: readonly Ask[],
    private readonly done: (outcome: Outcome, pile: Pile) => void,
  ) {
    this.asks = asks;
    this.#live = byId(asks);
    this.selected = select(asks.filter((ask) => this.isFit(ask)));
    // What was pressed for the list must not allow what has just come up.
    this.#settling.begin();
  }

  /** A new view: whoever has gone or changed is no longer selected, also while the undo runs. */
  see(view: View): void {
    const [live, known] = [byId(view.asks), byId(this.asks)];
    this.#live = live;
    this.asks = this.asks.map((ask) => live.get(ask.id) ?? ask);
    if (this.sending) return;
    const { kept, left, changed } = shrink(this.selected, live, known, (ask) => this.isFit(ask));
    if (kept.size === this.selected.size) return;
    this.selected = kept;
    this.left += left.filter((ask) => !this.allowed.includes(ask.id)).length;
    this.changed += changed.length;
    // The number on the button is another one: a press that was on its way meant the one before.
    this.#settling.begin();
    if (kept.size === 0) this.#countdown.cancel();
  }

  /** Does it wait, and is it one of those that may be allowed together? */
  isFit(ask: Ask): boolean {
    return this.isThere(ask) && likeness(ask) !== undefined;
  }

  isThere(ask: Ask): boolean {
    const now = this.#live.get(ask.id);
    return now !== undefined && waits(now) && !this.allowed.includes(ask.id);
  }

  toggle(ask: Ask): void {
    if (!this.busy && this.isFit(ask)) this.selected = toggle(this.selected, [ask]);
  }

  /** Sends what is selected, or counts down to it. */
  allow(): void {
    if (this.busy || this.settling || this.selected.size === 0) return;
    this.left = this.changed = 0;
    this.failed = [];
    const wait = session.view?.undo_ms ?? 0;
    if (wait <= 0) return void this.#send();
    this.#settling.begin();
    this.#countdown.begin(wait, () => void this.#send());
  }

  takeBack(): void {
    this.#countdown.cancel();
    this.#settling.end();
  }

  async #send(): Promise<void> {
    // With the fingerprints that were seen: who asks something else meanwhile refuses.
    const asks = this.chosen;
    this.sending = true;
    for (const ask of asks) answering.memory.claim(ask);
    const outcome = await allowEach(session.bridge, asks, reason);
    const { allowed, elsewhere, failed } = outcome;
    for (const { ask } of failed) answering.memory.release(ask);
    this.allowed = [...this.allowed, ...allowed.map((ask) => ask.id)];
    // To be tried again as they were seen; what has changed meanwhile has to be read first.
    const again = select(failed.map(({ ask }) => ask));
    const { kept, changed } = shrink(again, this.#live, this.#live, (ask) => this.isFit(ask));
    this.selected = kept;
    this.changed = changed.length;
    this.left = elsewhere.length;
    this.failed = failed;
    this.sending = false;
    this.#settling.begin();
    this.done(outcome, this);
  }
}
