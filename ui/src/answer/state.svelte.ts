// The answer window's state: the ask that is shown, what is begun, what is being sent. Which ask
// and which step stands in `queue.ts` and `draft.ts`; here they meet the bridge.

import { reason, session, t } from "../lib/session.svelte";
import type { Ask, Verdict, View, WindowDraft } from "../lib/wire";
import { send, type Act } from "./act";
import { Countdown } from "./countdown.svelte";
import * as drafting from "./draft";
import { Keeper } from "./keeper";
import { Memory } from "./memory";
import { lasting, late, learned, ours, type Notice } from "./notice";
import { outcome } from "./outcome";
import { isMeant, isSnoozed, neighbour, pick, waits } from "./queue";
import { Settling } from "./settling.svelte";

/** Until then an answer on its way changes nothing in sight: most are taken sooner. */
const UNSEEN_MS = 300;
/** A verdict that takes longer holds nobody up. */
const PATIENCE_MS = 1500;
/** Views that are older than an answer have all arrived by then. */
const STALE_MS = 3000;

/** What has taken the place of the usual buttons. */
export type Panel = "dismiss" | "always" | "reject";

export class Answering {
  ask = $state.raw<Ask>();
  draft = $state.raw<drafting.Draft>({ replies: [], page: 0 });
  reasonText = $state("");
  panel = $state<Panel>();
  sending = $state(false);
  /** It has been on its way for long enough to say so. */
  slow = $state(false);
  problem = $state<string>();
  notice = $state.raw<Notice>();

  readonly #settling = new Settling();
  readonly #countdown = new Countdown();
  /** Being sent: until then it can be taken back. */
  readonly undoUntil = $derived(this.#countdown.until);
  readonly asks = $derived(session.view?.asks ?? []);
  readonly question = $derived(this.ask?.questions[this.draft.page]);
  readonly busy = $derived(this.sending || this.undoUntil !== undefined);
  /** For a moment nothing can be sent. */
  readonly settling = $derived(this.#settling.now);

  readonly memory = new Memory();
  readonly #keeper = new Keeper((id, draft) => session.bridge.keepDraft(id, draft));
  #wish: string | null | undefined;

  /** Who comes after one that is answered, where somebody reads a list; else the oldest. */
  successor: (ask: Ask) => Ask | undefined = () => undefined;

  /** A new view: the shown ask stays as long as it waits. */
  see(view: View): void {
    const wish = view.page.window === "answer" ? view.page.ask : undefined;
    const fresh = wish !== this.#wish ? wish : undefined;
    this.#wish = wish;
    const before = this.ask;
    const now = before && view.asks.find((ask) => ask.id === before.id);
    if (before && !(now && waits(now)) && !this.memory.isOurs(before)) void this.#left(before);
    else this.#follow(view);
    const meant =
      fresh && view.asks.some((ask) => isMeant(ask, fresh)) && !this.busy ? fresh : null;
    // While an answer is on its way the window waits for its verdict.
    if (!(before && this.sending)) {
      this.#show(pick(this.memory.open(view.asks), before?.id, meant));
    }
  }

  /** Somebody wants this one: no press can have been meant for the one before. */
  show(ask: Ask): void {
    if (this.busy) return;
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
  }

  choose(index: number): void {
    const { question, reply } = this.#here();
    if (question && reply) this.#reply(drafting.choose(question, reply, index));
  }

  write(text: string): void {
    const { question, reply } = this.#here();
    if (question && reply) this.#reply(drafting.write(question, reply, text));
  }

  /** Own text shall count, whatever was chosen before. */
  preferOwn(): void {
    const { question, reply } = this.#here();
    if (question && reply?.text.trim()) this.write(reply.text);
  }

  because(text: string): void {
    this.reasonText = text;
    this.#remember();
    this.#keep({ replies: [{ choices: [], text }], page: 0 });
  }

  /** Asks once more, or for a reason, in the place of the buttons. */
  unfold(panel: Panel): void {
    if (this.busy) return;
    this.panel = panel;
    this.notice = lasting(this.notice);
  }

  #here(): { question?: Ask["questions"][number]; reply?: drafting.Begun } {
    return { question: this.question, reply: this.draft.replies[this.draft.page] };
  }

  #reply(reply: drafting.Begun): void {
    if (!this.busy)
      this.#set({ ...this.draft, replies: this.draft.replies.with(this.draft.page, reply) });
  }

  go(page: number): void {
    if (this.busy || !this.ask) return;
    this.problem = undefined;
    this.#set({ ...this.draft, page: Math.min(Math.max(page, 0), drafting.lastPage(this.ask)) });
  }

  #set(draft: drafting.Draft): void {
    this.notice = lasting(this.notice);
    this.draft = draft;
    this.problem = undefined;
    this.#remember();
    this.#keep(drafting.toKept(draft));
  }

  #keep(draft: WindowDraft): void {
    const ask = this.ask;
    if (ask) this.#keeper.keep(ask.id, { ...draft, seen: ask.fingerprint });
  }

  #remember(): void {
    if (this.ask) this.memory.begin(this.ask, { draft: this.draft, reason: this.reasonText });
  }

  /** Next step, review or send: whatever the main button of a question says. */
  forward(): void {
    const ask = this.ask;
    if (!ask || this.busy || this.settling) return;
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
    if (!this.ask || this.ask.held || this.busy || this.settling) return;
    this.problem = undefined;
    const wait = session.view?.undo_ms ?? 0;
    if (wait <= 0) return void this.#send(this.ask, act);
    const ask = this.ask;
    // The second half of a double press must not take it back at once.
    this.#settling.begin();
    this.#countdown.begin(wait, () => void this.#send(ask, act));
  }

  takeBack(): void {
    this.#countdown.cancel();
    this.#settling.end();
    this.notice = undefined;
  }

  async #send(ask: Ask, act: Act): Promise<void> {
    this.sending = true;
    this.memory.claim(ask);
    this.notice = { is: "sending", ask, act };
    const seen = setTimeout(() => (this.slow = true), UNSEEN_MS);
    const late = setTimeout(() => this.#next(ask), PATIENCE_MS);
    try {
      this.#verdict(ask, act, await send(session.bridge, ask, act));
    } catch (error) {
      this.#refused(ask, reason(error));
    } finally {
      clearTimeout(seen);
      clearTimeout(late);
      this.#next(ask);
    }
  }

  #verdict(ask: Ask, act: Act, verdict: Verdict): void {
    const is = ours(verdict.state);
    this.#keeper.forget(ask.id);
    setTimeout(() => this.#forgive(ask), STALE_MS);
    this.notice = is ? { is, ask, act } : late(ask, verdict, this.memory.typed(ask));
  }

  /** From now on a view that shows it as open means it: its delivery has failed for good. */
  #forgive(ask: Ask): void {
    this.memory.release(ask);
    if (session.view) this.see(session.view);
  }

  #refused(ask: Ask, message: string): void {
    this.memory.release(ask);
    this.notice = undefined;
    if (this.ask?.id === ask.id) this.problem = message;
    else this.notice = { is: "failed", ask, message };
  }

  /** On to whoever waits next, unless it has been refused and is still to be answered here. */
  #next(ask: Ask): void {
    if (this.ask?.id !== ask.id) return;
    this.sending = this.slow = false;
    if (this.memory.isOurs(ask)) this.leaveBehind([ask]);
  }

  /** On to another one than these. */
  leaveBehind(asks: readonly Ask[]): void {
    const { ask } = this;
    if (!ask || this.busy || !asks.some((other) => other.id === ask.id)) return;
    const open = this.memory.open(this.asks).filter((other) => other.id !== ask.id);
    const next = this.successor(ask);
    this.#show(open.find((other) => other.id === next?.id) ?? pick(open));
  }

  /** The shown ask is gone and it was not us: say how, and keep what was typed. */
  async #left(ask: Ask): Promise<void> {
    this.notice = { is: "ended", ask, how: "elsewhere", by: null, lost: this.memory.typed(ask) };
    await this.#learn(ask);
  }

  /** What the notice says is still open: has its ask ended by now? */
  #follow(view: View): void {
    const { notice } = this;
    const unsure = notice?.is === "sending" || (notice?.is === "ended" && notice.by === null);
    if (!notice || !unsure || this.sending) return;
    if (!view.asks.some((ask) => ask.id === notice.ask.id)) void this.#learn(notice.ask);
  }

  async #learn(ask: Ask): Promise<void> {
    const entry = await outcome(session.bridge, ask);
    const notice = this.notice;
    if (!entry || notice?.ask.id !== ask.id) return;
    this.notice = learned(notice, entry, this.memory.typed(ask));
  }

  /** Esc: out of a panel first, then out of the window. It never answers. */
  leave(): void {
    if (this.undoUntil !== undefined) return this.takeBack();
    if (this.panel) {
      this.panel = undefined;
      return;
    }
    this.close();
  }

  close(): void {
    this.#countdown.cancel();
    this.#keeper.flush();
    // The window may come back hours later; only text that would be lost is worth keeping.
    if (!(this.notice?.is === "ended" && this.notice.lost)) this.notice = undefined;
    // Who opens it again wants to see who waits.
    if (this.ask && isSnoozed(this.ask)) this.leaveBehind([this.ask]);
    void session.bridge.closeWindow();
  }

  /** Everything typed is with Beckon after this. */
  flush(): void {
    this.#keeper.flush();
  }
}

export const answering = new Answering();
