// The agents of this computer: which run, and what Beckon has installed into them. They are looked
// up again and again while a page shows them, since they come and go without telling Beckon.

import { reason, session } from "../lib/session.svelte";
import type { Integrations, LocalAgent } from "../lib/wire";

/** How often they are looked up. A look takes some milliseconds, and people who start an agent wait
 * no longer than this to see it. */
const LOOK_MS = 2000;

class LocalState {
  /** The OpenCodes that run; undefined until they are known. */
  running = $state.raw<LocalAgent[]>();
  /** The reason why `running` is not known. */
  error = $state<string>();
  integrations = $state.raw<Integrations>();
  /** The reason why `integrations` are not known. */
  unknown = $state<string>();
  #looks = 0;
  #changes = 0;

  /** Looks again and again while the page is visible, until the returned function is called. */
  watch(): () => void {
    void this.load();
    void this.look();
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") void this.look();
    }, LOOK_MS);
    return () => clearInterval(timer);
  }

  /** Looks once. A result that comes after a later look has begun is dropped. */
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

  /** Installs the hooks or removes them. A look that began before no longer counts. */
  async integrate(install: boolean): Promise<void> {
    const integrations = await session.bridge.integrateClaudeCode(install);
    this.#changes += 1;
    this.integrations = integrations;
  }
}

export const local = new LocalState();
