// Allowing several requests, each by an answer of its own: what becomes of one does not affect the
// others.

import type { Bridge } from "../../bridge";
import type { Ask } from "../../lib/wire";
import { ours } from "../notice";

export interface Failed {
  ask: Ask;
  message: string;
}

export interface Outcome {
  /** Requests whose answer counts: on its way, or taken by the agent. */
  allowed: Ask[];
  /** Requests that somebody else answered first, or that have stopped waiting. */
  elsewhere: Ask[];
  failed: Failed[];
}

/** Allows each request once. `told` returns the text for a person about something that was
 * thrown. */
export async function allowEach(
  bridge: Pick<Bridge, "grant">,
  asks: readonly Ask[],
  told: (error: unknown) => string,
): Promise<Outcome> {
  const outcome: Outcome = { allowed: [], elsewhere: [], failed: [] };
  const each = asks.map(async (ask) => {
    try {
      const verdict = await bridge.grant(ask, false);
      (ours(verdict.state) ? outcome.allowed : outcome.elsewhere).push(ask);
    } catch (error) {
      outcome.failed.push({ ask, message: told(error) });
    }
  });
  await Promise.all(each);
  return outcome;
}
