// An answer on its way: what is said meanwhile, and when its request is left behind.

import { session } from "../lib/session.svelte";
import type { Ask, Verdict } from "../lib/wire";
import { send, type Act } from "./act";
import type { Keeper } from "./keeper";
import type { Memory } from "./memory";
import { late, ours } from "./notice";
import type { Notices } from "./notices.svelte";

/** Until then an answer on its way changes nothing in sight: most are taken sooner. */
const UNSEEN_MS = 300;
/** A verdict that takes longer holds nobody up. */
const PATIENCE_MS = 1500;
/** Views that are older than an answer have all arrived by then. */
const STALE_MS = 3000;

/** The window around it. */
export interface Desk {
  readonly memory: Memory;
  readonly keeper: Keeper;
  readonly notices: Notices;
  readonly ask: Ask | undefined;
  problem: string | undefined;
  /** On to whoever waits next. */
  leaveBehind(asks: readonly Ask[]): void;
  /** A view that shows the request as open means it from now on. */
  seeAgain(): void;
}

export class Sending {
  now = $state(false);
  /** It has been on its way for long enough to say so. */
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

  /** From now on a view that shows it as open means it: its delivery has failed for good. */
  #forgive(ask: Ask): void {
    this.desk.memory.release(ask);
    this.desk.seeAgain();
  }

  /** Without a message it is taken back: there is somebody again to be asked. */
  #refused(ask: Ask, message: string | undefined): void {
    const { desk } = this;
    desk.memory.release(ask);
    desk.notices.shown = undefined;
    if (desk.ask?.id === ask.id) desk.problem = message;
    else if (message) desk.notices.shown = { is: "failed", ask, message };
  }

  /** On to whoever waits next, unless it has been refused and is still to be answered here. */
  #next(ask: Ask): void {
    const { desk } = this;
    if (desk.ask?.id !== ask.id) return;
    this.now = this.slow = false;
    if (desk.memory.isOurs(ask)) desk.leaveBehind([ask]);
  }
}
