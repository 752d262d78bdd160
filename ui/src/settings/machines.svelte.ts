// The machines that share what they ask, as the page shows them: looked at whenever something changed,
// and what was seen last stands until the new look is over.

import { reason, session } from "../lib/session.svelte";
import type { HubRefused, HubView } from "../lib/wire";

class MachinesState {
  hub = $state.raw<HubView>();
  error = $state<string>();
  #looking = false;
  #again = false;

  /** One look at a time; what changes meanwhile is looked at once more. */
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

/** Why something was refused, and how often, the gravest first; nothing that never happened. */
export function refusals(refused: HubRefused): { why: RefusedWhy; count: number }[] {
  const order: RefusedWhy[] = ["forged", "strange", "other_content", "unfit", "unreadable"];
  return order.map((why) => ({ why, count: refused[why] })).filter(({ count }) => count > 0);
}
