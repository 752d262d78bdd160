// The machines that share their requests, as the page shows them. They are looked up whenever
// something changed; what was seen last is shown until the new look is over.

import { reason, session } from "../lib/session.svelte";
import type { HubRefused, HubView } from "../lib/wire";

class MachinesState {
  hub = $state.raw<HubView>();
  error = $state<string>();
  #looking = false;
  #again = false;

  /** Looks once at a time. If asked again meanwhile, it looks once more afterwards. */
  async look(): Promise<void> {
    if (this.#looking) {
      this.#again = true;
      return;
    }
    this.#looking = true;
    try {
      this.hub = await session.bridge.hub();
      this.error = undefined;
    } catch (error) {
      this.error = reason(error);
    } finally {
      this.#looking = false;
    }
    if (this.#again) {
      this.#again = false;
      await this.look();
    }
  }
}

export const machines = new MachinesState();

export type RefusedWhy = keyof HubRefused;

/** Returns why and how often something was refused, the gravest first. Reasons that never occurred
 * are left out. */
export function refusals(refused: HubRefused): { why: RefusedWhy; count: number }[] {
  const order: RefusedWhy[] = ["forged", "strange", "other_content", "unfit", "unreadable"];
  return order.map((why) => ({ why, count: refused[why] })).filter(({ count }) => count > 0);
}
