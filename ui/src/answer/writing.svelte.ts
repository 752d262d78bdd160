// The text and choices that the human enters for the request that is shown: kept in the window's
// memory and handed to Beckon with each change. Choosing the request and sending are in
// `state.svelte.ts`.

import { session } from "../lib/session.svelte";
import type { Ask, WindowDraft } from "../lib/wire";
import * as drafting from "./draft";
import { Keeper } from "./keeper";
import { Memory } from "./memory";
import { lasting, type Notice } from "./notice";
import { Notices } from "./notices.svelte";

export abstract class Writing {
  ask = $state.raw<Ask>();
  draft = $state.raw<drafting.Draft>({ replies: [], page: 0 });
  reasonText = $state("");
  problem = $state<string>();
  /** Whether the shown ask ended without us while somebody wrote to it. It stays until they move
   * on. */
  over = $state(false);
  readonly question = $derived(this.ask?.questions[this.draft.page]);

  readonly memory = new Memory();
  readonly notices = new Notices((ask) => this.memory.typed(ask));
  readonly keeper = new Keeper((id, draft) => session.bridge.keepDraft(id, draft));

  /** Whether an answer is counting down or being sent: nothing changes it any more. */
  abstract readonly busy: boolean;

  get notice(): Notice | undefined {
    return this.notices.shown;
  }
  set notice(notice: Notice | undefined) {
    this.notices.shown = notice;
  }

  choose(index: number): void {
    const { question, reply } = this.here();
    if (question && reply) this.reply(drafting.choose(question, reply, index));
  }

  write(text: string): void {
    const { question, reply } = this.here();
    if (question && reply) this.reply(drafting.write(question, reply, text));
  }

  /** Makes the own text count, whatever was chosen before. */
  preferOwn(): void {
    const { question, reply } = this.here();
    if (question && reply?.text.trim()) this.write(reply.text);
  }

  because(text: string): void {
    if (this.over) return;
    this.reasonText = text;
    this.remember();
    this.keep({ replies: [{ choices: [], text }], page: 0 });
  }

  private here(): { question?: Ask["questions"][number]; reply?: drafting.Begun } {
    if (this.over) return {};
    return { question: this.question, reply: this.draft.replies[this.draft.page] };
  }

  private reply(reply: drafting.Begun): void {
    if (!this.busy)
      this.set({ ...this.draft, replies: this.draft.replies.with(this.draft.page, reply) });
  }

  go(page: number): void {
    if (this.busy || this.over || !this.ask) return;
    this.problem = undefined;
    this.set({ ...this.draft, page: Math.min(Math.max(page, 0), drafting.lastPage(this.ask)) });
  }

  private set(draft: drafting.Draft): void {
    this.notice = lasting(this.notice);
    this.draft = draft;
    this.problem = undefined;
    this.remember();
    this.keep(drafting.toKept(draft));
  }

  private keep(draft: WindowDraft): void {
    const ask = this.ask;
    if (ask) this.keeper.keep(ask.id, { ...draft, seen: ask.fingerprint });
  }

  private remember(): void {
    if (this.ask) this.memory.begin(this.ask, { draft: this.draft, reason: this.reasonText });
  }
}
