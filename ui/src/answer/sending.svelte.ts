// Sending an answer: what is said meanwhile, and when the window moves on to the next request.

import { session } from "../lib/session.svelte";
import type { Ask, Verdict } from "../lib/wire";
import { send, type Act } from "./act";
import type { Keeper } from "./keeper";
import type { Memory } from "./memory";
import { late, ours } from "./notice";
import type { Notices } from "./notices.svelte";

/** How long an answer on its way changes nothing in sight. Most are taken sooner. */
const UNSEEN_MS = 300;
/** How long the window waits for a verdict before it moves on. */
const PATIENCE_MS = 1500;
/** How long, after an answer, views from before it may still arrive. A later view that shows the
 * request as open is right. */
const STALE_MS = 3000;

/** The window that sends, as far as sending needs it. */
export interface Desk {
  readonly memory: Memory;
  readonly keeper: Keeper;
  readonly notices: Notices;
  readonly ask: Ask | undefined;
  problem: string | undefined;
  /** Moves on to whoever waits next. */
  leaveBehind(asks: readonly Ask[]): void;
  /** Looks at the current view again, in which a request that is still open is shown again. */
  seeAgain(): void;
}

export class Sending {
  now = $state(false);
  /** Whether the answer has been on its way long enough to say so. */
  slow = $state(false);

  constructor(private readonly desk: Desk) {}

  async send(ask: Ask, act: Act): Promise<void> {
    const { desk } = this;
    this.now = true;
    desk.memory.claim(ask);
    desk.notices.shown = { is: "sending", ask, act };
    const seen = setTimeout(() => (this.slow = true), UNSEEN_MS);
    const late = setTimeout(() => this.#next(ask), PATIENCE_MS);
    try {
      this.#verdict(ask, act, await send(session.bridge, ask, act));
    } catch (error) {
      session.complain(error, (message) => this.#refused(ask, message));
    } finally {
      clearTimeout(seen);
      clearTimeout(late);
      this.#next(ask);
    }
  }

  #verdict(ask: Ask, act: Act, verdict: Verdict): void {
    const { memory, keeper, notices } = this.desk;
    const is = ours(verdict.state);
    keeper.forget(ask.id);
    setTimeout(() => this.#forgive(ask), STALE_MS);
    notices.shown = is ? { is, ask, act } : late(ask, verdict, memory.typed(ask));
  }

  /** Believes views again that show the request as open: delivery has failed for good then. */
  #forgive(ask: Ask): void {
    this.desk.memory.release(ask);
    this.desk.seeAgain();
  }

  /** Puts a request back whose answer was refused, and says why. Without a message, takes that
   * complaint back: Beckon is running again. */
  #refused(ask: Ask, message: string | undefined): void {
    const { desk } = this;
    desk.memory.release(ask);
    desk.notices.shown = undefined;
    if (desk.ask?.id === ask.id) desk.problem = message;
    else if (message) desk.notices.shown = { is: "failed", ask, message };
  }

  /** Moves on to whoever waits next, unless the answer was refused and the request is still to be
   * answered here. */
  #next(ask: Ask): void {
    const { desk } = this;
    if (desk.ask?.id !== ask.id) return;
    this.now = this.slow = false;
    if (desk.memory.isOurs(ask)) desk.leaveBehind([ask]);
  }
}
