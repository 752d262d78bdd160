// The agents of this computer: which run, and what Beckon has put into them. Looked at again and again
// while a page shows them: they come and go without a word to Beckon.

import { reason, session } from "../lib/session.svelte";
import type { Integrations, LocalAgent } from "../lib/wire";

/** Looking takes some milliseconds; nobody waits longer than that to see what they have started. */
const LOOK_MS = 2000;

class LocalState {
  /** The OpenCodes that run; nothing until it is known. */
  running = $state.raw<LocalAgent[]>();
  /** Why that is not known. */
  error = $state<string>();
  integrations = $state.raw<Integrations>();
  /** Why those are not known. */
  unknown = $state<string>();
  #looks = 0;
  #changes = 0;

  /** Looks until the returned function is called, as long as somebody sees it. */
  watch(): () => void {
    void this.load();
    void this.look();
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") void this.look();
    }, LOOK_MS);
    return () => clearInterval(timer);
  }

  /** An answer that comes after a later one's question is old. */
  async look(): Promise<void> {
    const look = ++this.#looks;
    try {
      const running = await session.bridge.agents();
      if (look === this.#looks) [this.running, this.error] = [running, undefined];
    } catch (error) {
      if (look === this.#looks) this.error = reason(error);
    }
  }

  async load(): Promise<void> {
    const change = ++this.#changes;
    try {
      const integrations = await session.bridge.integrations();
      if (change === this.#changes) [this.integrations, this.unknown] = [integrations, undefined];
    } catch (error) {
      if (change === this.#changes) this.unknown = reason(error);
    }
  }

  /** Puts the hooks there, or takes them out: what was looked at before no longer counts. */
  async integrate(install: boolean): Promise<void> {
    const integrations = await session.bridge.integrateClaudeCode(install);
    this.#changes += 1;
    this.integrations = integrations;
  }
}

export const local = new LocalState();
