// Allows several requests, each by its own answer: what becomes of one is no matter of the others.

import type { Bridge } from "../../bridge";
import type { Ask } from "../../lib/wire";
import { ours } from "../notice";

export interface Failed {
  ask: Ask;
  message: string;
}

export interface Outcome {
  /** On their way, or with their agents. */
  allowed: Ask[];
  /** Somebody was quicker, or they have stopped waiting. */
  elsewhere: Ask[];
  failed: Failed[];
}

/** `told` says what a person should read of something that was thrown. */
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
