// The answer window's state: the ask that is shown, what is begun, what is being sent. Choosing the
// ask and the step is in `queue.ts` and `draft.ts`; here they meet the bridge.

import { session, t } from "../lib/session.svelte";
import type { Ask, View } from "../lib/wire";
import type { Act } from "./act";
import { Calling } from "./calling";
import { Countdown } from "./countdown.svelte";
import * as drafting from "./draft";
import { Looking } from "./looking";
import { lasting } from "./notice";
import { isSnoozed, neighbour, pick, waits } from "./queue";
import { Sending } from "./sending.svelte";
import { Settling } from "./settling.svelte";
import { Writing } from "./writing.svelte";

/** The panel that has taken the place of the usual buttons. */
export type Panel = "dismiss" | "always" | "once" | "reject";

export class Answering extends Writing {
  panel = $state<Panel>();

  /** The judge of whether keys and clicks were meant for what is shown. */
  readonly looking = new Looking();
  readonly #settling = new Settling();
  readonly #countdown = new Countdown();
  /** The moment until which the answer can be taken back; undefined if none is counting down. */
  readonly undoUntil = $derived(this.#countdown.until);
  readonly asks = $derived(session.view?.asks ?? []);
  readonly sender: Sending = new Sending(this);
  readonly sending = $derived(this.sender.now);
  readonly slow = $derived(this.sender.slow);
  readonly busy = $derived(this.sending || this.undoUntil !== undefined);
  /** Whether nothing can be sent for a moment, since something else has just been shown. */
  readonly settling = $derived(this.#settling.now);

  readonly #calling = new Calling();
  /** Number of times that the window was called. */
  calls = $state(0);
  /** Whether a first view has been drawn. What that shows was called for and needs no look. */
  #isDrawn = false;

  /** Returns the ask to show after one that is answered: the next in the list that the human reads.
   * Undefined means the oldest. */
  successor: (ask: Ask) => Ask | undefined = () => undefined;

  /** Tells whether the human is writing. The page sets it, since it knows where the focus is. */
  isWriting: () => boolean = () => false;
  /** Tells whether the request is in sight, and not a list in its place. The page sets it. */
  isInSight: () => boolean = () => true;

  /** Takes in a new view. The shown ask stays as long as it waits, or as somebody writes to it. */
  see(view: View): void {
    if (this.#calling.hear(view)) this.#startOver();
    this.keeper.retry(view.asks);
    const meant = this.busy ? null : this.#calling.take(view);
    if (meant) this.over = false;
    const before = this.ask;
    if (!this.sending) this.notices.follow(view);
    if (this.over) return;
    if (!before) return this.#pick(view, meant);

    const now = view.asks.find((ask) => ask.id === before.id);
    const isOurs = this.memory.isOurs(before);
    const left = !(now && waits(now)) && !isOurs;
    const changed = !left && !isOurs && now?.fingerprint !== before.fingerprint;
    if (left) this.notices.left(before);
    if ((left || changed) && !meant && this.#hasWords(before)) {
      if (changed) this.notices.changed(before);
      return this.#stay();
    }
    // While an answer is being sent, the window waits for its verdict.
    if (!this.sending) this.#pick(view, meant);
  }

  /** Closes the open panel when the window is called again: what was about to be pressed in it is
   * long forgotten. A rejection stays, since its reason may be half written. */
  #startOver(): void {
    this.calls += 1;
    if (!this.busy && this.panel !== "reject") this.panel = undefined;
  }

  /** Tells whether a person writes to an ask: nothing may replace it by itself then. */
  #hasWords(ask: Ask): boolean {
    return this.memory.typed(ask) !== "" || this.isWriting();
  }

  /** Keeps the shown ask although it is over, with what was typed, until its human moves on. */
  #stay(): void {
    this.over = true;
    this.panel = undefined;
    this.#countdown.cancel();
    this.#changed();
  }

  #changed(): void {
    if (this.isInSight()) this.looking.changed(performance.now());
  }

  /** Moves on from an ask that is over, once its human has read so. */
  moveOn(): void {
    if (!this.over) return;
    this.over = false;
    const view = session.view;
    this.#show(view && pick(this.memory.open(view.asks)));
    this.followed();
  }

  /** Notes that the human's own act led to what is shown now: an answer to it takes a look
   * first. */
  followed(): void {
    this.looking.followed(performance.now());
  }

  /** Shows what a view wants shown. An ask that replaces another one counts as not looked at
   * yet. */
  #pick(view: View, meant: string | null): void {
    const before = this.ask?.fingerprint;
    this.#show(pick(this.memory.open(view.asks), this.ask?.id, meant));
    const isOther = before !== this.ask?.fingerprint;
    if (meant) this.looking.called(performance.now());
    else if (isOther && this.#isDrawn) this.#changed();
    this.#isDrawn = true;
  }

  /** Shows an ask that the human chose. No key press can have been meant for the one before. */
  show(ask: Ask): void {
    if (this.busy) return;
    this.over = false;
    this.looking.called(performance.now());
    this.#show(ask);
    this.#settling.end();
  }

  /** Blocks sending for a moment: keys and clicks were meant for what was here before. */
  settle(): void {
    this.#settling.begin();
  }

  /** Shows the ask before or after the shown one. */
  step(step: 1 | -1): void {
    const next = this.ask && neighbour(this.asks, this.ask.id, step);
    if (next) this.show(next);
  }

  #show(ask: Ask | undefined): void {
    // A request with another fingerprint asks something else, and is another one to a human who is
    // about to press.
    const before = this.ask?.fingerprint;
    this.ask = ask;
    if (ask?.fingerprint === before) return;
    this.#countdown.cancel();
    this.panel = this.problem = undefined;
    if (before !== undefined) this.#settling.begin();
    if (!ask) return;
    const begun = this.memory.begun(ask);
    this.draft = begun.draft;
    this.reasonText = begun.reason;
    // Continues a reason that was begun. Beside "Allow once", a key meant for the reason would
    // allow.
    if (begun.reason.trim() !== "") this.panel = "reject";
  }

  /** Opens a panel in place of the buttons, which asks for confirmation or for a reason. */
  unfold(panel: Panel): void {
    if (this.busy || this.over) return;
    this.panel = panel;
    this.notice = lasting(this.notice);
  }

  /** Does what the main button of a question says: next step, review, or send. */
  forward(): void {
    const ask = this.ask;
    if (!ask || this.busy || this.over || this.settling) return;
    const missing = drafting.firstMissing(ask, this.draft);
    const review = drafting.isReview(ask, this.draft);
    // The button says that it leads to the missing answer.
    if (missing !== undefined && review) return this.go(missing);
    if (missing === this.draft.page) {
      this.problem = t("ui-answer-missing");
      return;
    }
    if (ask.questions.length > 1 && !review) return this.go(this.draft.page + 1);
    this.act({ do: "answer", replies: drafting.toReplies(ask, this.draft) });
  }

  /** Sends an answer, or begins the countdown to sending it. */
  act(act: Act): void {
    // A held ask is decided by others of the team, which the place of the buttons says.
    if (!this.ask || this.ask.held || this.busy || this.over || this.settling) return;
    this.problem = undefined;
    const wait = session.view?.undo_ms ?? 0;
    if (wait <= 0) return void this.sender.send(this.ask, act);
    const ask = this.ask;
    // Otherwise the second half of a double press would take the answer back at once.
    this.#settling.begin();
    this.#countdown.begin(wait, () => void this.sender.send(ask, act));
  }

  takeBack(): void {
    this.#calling.forget();
    this.#countdown.cancel();
    this.#settling.end();
    this.notice = undefined;
  }

  seeAgain(): void {
    if (session.view) this.see(session.view);
  }

  /** Moves on if the shown ask is one of these. */
  leaveBehind(asks: readonly Ask[]): void {
    const { ask } = this;
    if (!ask || this.busy || !asks.some((other) => other.id === ask.id)) return;
    const open = this.memory.open(this.asks).filter((other) => other.id !== ask.id);
    const meant = this.#calling.take({ asks: open });
    if (meant) {
      this.#show(pick(open, undefined, meant));
      return this.looking.called(performance.now());
    }
    const next = this.successor(ask);
    this.#show(open.find((other) => other.id === next?.id) ?? pick(open));
    this.followed();
  }

  /** Handles Esc: leaves a panel first, then the window. It never answers. */
  leave(): void {
    if (this.undoUntil !== undefined) return this.takeBack();
    if (this.panel) return void (this.panel = undefined);
    this.close();
  }

  close(): void {
    this.gone();
    void session.bridge.closeWindow();
  }

  /** Tidies up when the window is closed. An answer that is counting down is not sent, as nobody
   * could take it back. */
  gone(): void {
    this.#countdown.cancel();
    this.keeper.flush();
    // The window may come back hours later. Only a notice with text that would be lost is kept.
    if (!(this.notice?.is === "ended" && this.notice.lost)) this.notice = undefined;
    // Somebody who opens the window again wants to see who waits, not what they snoozed.
    if (this.ask && isSnoozed(this.ask)) this.leaveBehind([this.ask]);
    this.moveOn();
  }

  /** Hands everything typed to Beckon. */
  flush(): void {
    this.keeper.flush();
  }
}

export const answering = new Answering();
