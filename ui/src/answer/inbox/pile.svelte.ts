// Several similar permissions, opened to be allowed or rejected by one button: which are selected, what has
// become of the others, and the sending. Only a request that is shown whole is ever sent, and only
// as it was shown.

import { reason, session } from "../../lib/session.svelte";
import type { Ask, View } from "../../lib/wire";
import { Countdown } from "../countdown.svelte";
import { waits } from "../queue";
import { Settling } from "../settling.svelte";
import { answering } from "../state.svelte";
import { answerEach, type BatchDeed, type Failed, type Outcome } from "./batch";
import { likeness, NONE, select, shrink, toggle } from "./similar";
import { byId, NOBODY } from "./standing";

export class Pile {
  /** The permissions in the order of the list, as they are or, once gone, as they were. */
  asks = $state.raw<readonly Ask[]>([]);
  selected = $state.raw(NONE);
  /** Number of permissions taken out of the selection since the pile was opened, because somebody
   * else was quicker. */
  left = $state(0);
  /** Number of permissions taken out because they now ask something else. */
  changed = $state(0);
  /** The permissions that were answered here, and how. */
  done = $state.raw<readonly { id: string; does: BatchDeed }[]>([]);
  /** Whether the button that rejects has been pressed once, and asks. */
  rejecting = $state(false);
  failed = $state.raw<readonly Failed[]>([]);
  sending = $state(false);

  readonly #countdown = new Countdown();
  readonly #settling = new Settling();
  #live = NOBODY.known;
  readonly undoUntil = $derived(this.#countdown.until);
  readonly busy = $derived(this.sending || this.undoUntil !== undefined);
  readonly settling = $derived(this.#settling.now);
  /** The permissions that one press would allow. */
  readonly chosen = $derived(this.asks.filter((ask) => this.selected.has(ask.id)));

  /** Opens a pile. `sent` is called with what has become of those that were sent. */
  constructor(
    asks: readonly Ask[],
    private readonly sent: (outcome: Outcome, pile: Pile) => void,
  ) {
    this.asks = asks;
    this.#live = byId(asks);
    this.selected = select(asks.filter((ask) => this.isFit(ask)));
    // A press that was meant for the list must not allow what has just come up.
    this.#settling.begin();
  }

  /** Takes in a new view. Requests that have gone or changed are no longer selected, also while the
   * undo runs. */
  see(view: View): void {
    const [live, known] = [byId(view.asks), byId(this.asks)];
    this.#live = live;
    this.asks = this.asks.map((ask) => live.get(ask.id) ?? ask);
    if (this.sending) return;
    const { kept, left, changed } = shrink(this.selected, live, known, (ask) => this.isFit(ask));
    if (kept.size === this.selected.size) return;
    this.selected = kept;
    this.left += left.filter((ask) => this.doneAs(ask) === undefined).length;
    this.changed += changed.length;
    // The number on the button has changed: a press that was on its way meant the one before.
    this.#settling.begin();
    if (kept.size === 0) this.#countdown.cancel();
  }

  /** Tells whether a request waits and is one of those that may be allowed together. */
  isFit(ask: Ask): boolean {
    return this.isThere(ask) && likeness(ask) !== undefined;
  }

  /** Returns how a permission was answered here, if it was. */
  doneAs(ask: Ask): BatchDeed | undefined {
    return this.done.find(({ id }) => id === ask.id)?.does;
  }

  isThere(ask: Ask): boolean {
    const now = this.#live.get(ask.id);
    return now !== undefined && waits(now) && this.doneAs(ask) === undefined;
  }

  toggle(ask: Ask): void {
    if (!this.busy && this.isFit(ask)) this.selected = toggle(this.selected, [ask]);
  }

  /** Asks before all that is selected is rejected. */
  askToReject(): void {
    if (this.busy || this.selected.size === 0) return;
    this.rejecting = true;
    this.#settling.begin();
  }

  /** Sends what is selected, or begins the countdown to it. */
  answer(does: BatchDeed): void {
    if (this.busy || this.settling || this.selected.size === 0) return;
    this.left = this.changed = 0;
    this.failed = [];
    const wait = session.view?.undo_ms ?? 0;
    this.rejecting = false;
    if (wait <= 0) return void this.#send(does);
    this.#settling.begin();
    this.#countdown.begin(wait, () => void this.#send(does));
  }

  takeBack(): void {
    this.#countdown.cancel();
    this.#settling.end();
  }

  async #send(does: BatchDeed): Promise<void> {
    // Sent with the fingerprints that were seen: a request that asks something else meanwhile is
    // refused.
    const asks = this.chosen;
    this.sending = true;
    for (const ask of asks) answering.memory.claim(ask);
    const outcome = await answerEach(session.bridge, does, asks, reason);
    const { done, elsewhere, failed } = outcome;
    for (const { ask } of failed) answering.memory.release(ask);
    this.done = [...this.done, ...done.map(({ id }) => ({ id, does }))];
    // The failed ones stay selected as they were seen, to be tried again. Those that have changed
    // meanwhile have to be read first.
    const again = select(failed.map(({ ask }) => ask));
    const { kept, changed } = shrink(again, this.#live, this.#live, (ask) => this.isFit(ask));
    this.selected = kept;
    this.changed = changed.length;
    this.left = elsewhere.length;
    this.failed = failed;
    this.sending = false;
    this.#settling.begin();
    this.sent(outcome, this);
  }
}
