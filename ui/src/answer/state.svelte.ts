// The answer window's state: the ask that is shown, what is begun, what is being sent. Which ask
// and which step stands in `queue.ts` and `draft.ts`; here they meet the bridge.

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

/** What has taken the place of the usual buttons. */
export type Panel = "dismiss" | "always" | "once" | "reject";

export class Answering extends Writing {
  panel = $state<Panel>();

  /** What keys and clicks may have been meant for. */
  readonly looking = new Looking();
  readonly #settling = new Settling();
  readonly #countdown = new Countdown();
  /** Being sent: until then it can be taken back. */
  readonly undoUntil = $derived(this.#countdown.until);
  readonly asks = $derived(session.view?.asks ?? []);
  readonly sender: Sending = new Sending(this);
  readonly sending = $derived(this.sender.now);
  readonly slow = $derived(this.sender.slow);
  readonly busy = $derived(this.sending || this.undoUntil !== undefined);
  /** For a moment nothing can be sent. */
  readonly settling = $derived(this.#settling.now);

  readonly #calling = new Calling();
  /** How often somebody has called the window. */
  calls = $state(0);
  /** A first view has been drawn: what it shows was called for. */
  #isDrawn = false;

  /** Who comes after one that is answered, where somebody reads a list; else the oldest. */
  successor: (ask: Ask) => Ask | undefined = () => undefined;

  /** Whether somebody is writing; the page knows where the focus is. */
  isWriting: () => boolean = () => false;
  /** Whether the request is to be seen, and not a list in its place. */
  isInSight: () => boolean = () => true;

  /** A new view: the shown ask stays as long as it waits, or somebody writes to it. */
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
    // While an answer is on its way the window waits for its verdict.
    if (!this.sending) this.#pick(view, meant);
  }

  /** The window was called: what was about to be pressed in it is long forgotten. */
  #startOver(): void {
    this.calls += 1;
    if (!this.busy && this.panel !== "reject") this.panel = undefined;
  }

  /** Nothing that a person writes in is replaced by itself. */
  #hasWords(ask: Ask): boolean {
    return this.memory.typed(ask) !== "" || this.isWriting();
  }

  /** The shown one is over and stays, with what was typed, until its human moves on. */
  #stay(): void {
    this.over = true;
    this.panel = undefined;
    this.#countdown.cancel();
    this.#changed();
  }

  #changed(): void {
    if (this.isInSight()) this.looking.changed(performance.now());
  }

  /** Its human has read that the shown one is over. */
  moveOn(): void {
    if (!this.over) return;
    this.over = false;
    const view = session.view;
    this.#show(view && pick(this.memory.open(view.asks)));
    this.followed();
  }

  /** What its human has done led on to what stands there now: an answer to it takes a look first. */
  followed(): void {
    this.looking.followed(performance.now());
  }

  /** Shows what a view wants shown. Whatever takes the place of another one has not been looked at. */
  #pick(view: View, meant: string | null): void {
    const before = this.ask?.fingerprint;
    this.#show(pick(this.memory.open(view.asks), this.ask?.id, meant));
    const isOther = before !== this.ask?.fingerprint;
    if (meant) this.looking.called();
    else if (isOther && this.#isDrawn) this.#changed();
    this.#isDrawn = true;
  }

  /** Somebody wants this one: no press can have been meant for the one before. */
  show(ask: Ask): void {
    if (this.busy) return;
    this.over = false;
    this.looking.called();
    this.#show(ask);
    this.#settling.end();
  }

  /** Keys and clicks were meant for what stood here before. */
  settle(): void {
    this.#settling.begin();
  }

  /** The ask before or after the shown one. */
  step(step: 1 | -1): void {
    const next = this.ask && neighbour(this.asks, this.ask.id, step);
    if (next) this.show(next);
  }

  #show(ask: Ask | undefined): void {
    // A request that asks something else by now is another one to whoever is about to press.
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
    // Who has begun to say why not goes on there: beside "Allow once" a key would allow it.
    if (begun.reason.trim() !== "") this.panel = "reject";
  }

  /** Asks once more, or for a reason, in the place of the buttons. */
  unfold(panel: Panel): void {
    if (this.busy || this.over) return;
    this.panel = panel;
    this.notice = lasting(this.notice);
  }

  /** Next step, review or send: whatever the main button of a question says. */
  forward(): void {
    const ask = this.ask;
    if (!ask || this.busy || this.over || this.settling) return;
    const missing = drafting.firstMissing(ask, this.draft);
    const review = drafting.isReview(ask, this.draft);
    // The button has said that it leads there.
    if (missing !== undefined && review) return this.go(missing);
    if (missing === this.draft.page) {
      this.problem = t("ui-answer-missing");
      return;
    }
    if (ask.questions.length > 1 && !review) return this.go(this.draft.page + 1);
    this.act({ do: "answer", replies: drafting.toReplies(ask, this.draft) });
  }

  /** Sends, or counts down to it. */
  act(act: Act): void {
    // Others decide it, as stands in the place of the buttons.
    if (!this.ask || this.ask.held || this.busy || this.over || this.settling) return;
    this.problem = undefined;
    const wait = session.view?.undo_ms ?? 0;
    if (wait <= 0) return void this.sender.send(this.ask, act);
    const ask = this.ask;
    // The second half of a double press must not take it back at once.
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

  /** On to another one than these. */
  leaveBehind(asks: readonly Ask[]): void {
    const { ask } = this;
    if (!ask || this.busy || !asks.some((other) => other.id === ask.id)) return;
    const open = this.memory.open(this.asks).filter((other) => other.id !== ask.id);
    const meant = this.#calling.take({ asks: open });
    if (meant) {
      this.#show(pick(open, undefined, meant));
      return this.looking.called();
    }
    const next = this.successor(ask);
    this.#show(open.find((other) => other.id === next?.id) ?? pick(open));
    this.followed();
  }

  /** Esc: out of a panel first, then out of the window. It never answers. */
  leave(): void {
    if (this.undoUntil !== undefined) return this.takeBack();
    if (this.panel) return void (this.panel = undefined);
    this.close();
  }

  close(): void {
    this.gone();
    void session.bridge.closeWindow();
  }

  /** The window is closed: what counts down is not sent, as nobody could take it back. */
  gone(): void {
    this.#countdown.cancel();
    this.keeper.flush();
    // The window may come back hours later; only text that would be lost is worth keeping.
    if (!(this.notice?.is === "ended" && this.notice.lost)) this.notice = undefined;
    // Who opens it again wants to see who waits.
    if (this.ask && isSnoozed(this.ask)) this.leaveBehind([this.ask]);
    this.moveOn();
  }

  /** Everything typed is with Beckon after this. */
  flush(): void {
    this.keeper.flush();
  }
}

export const answering = new Answering();
