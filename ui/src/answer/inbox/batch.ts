// Allowing or rejecting several requests, each by an answer of its own.

import type { Bridge } from "../../bridge";
import type { Ask } from "../../lib/wire";
import { ours } from "../notice";

/** What is done with all selected requests. */
export type BatchDeed = "allow" | "reject";

export interface Failed {
  ask: Ask;
  message: string;
}

export interface Outcome {
  /** What was done with them. */
  does: BatchDeed;
  /** Requests whose answer counts: on its way, or taken by the agent. */
  done: Ask[];
  /** Requests that somebody else answered first, or that have stopped waiting. */
  elsewhere: Ask[];
  failed: Failed[];
}

/** Allows each request once, or rejects each. `told` returns the text for a person about something
 * that was thrown. What becomes of one does not affect the others, but for rejections: with one of
 * them some agents take back all that their session asks, which then counts as rejected here. */
export async function answerEach(
  bridge: Pick<Bridge, "grant" | "deny">,
  does: BatchDeed,
  asks: readonly Ask[],
  told: (error: unknown) => string,
): Promise<Outcome> {
  const outcome: Outcome = { does, done: [], elsewhere: [], failed: [] };
  const each = asks.map(async (ask) => {
    try {
      const send = does === "allow" ? bridge.grant(ask, false) : bridge.deny(ask);
      const verdict = await send;
      (ours(verdict.state) ? outcome.done : outcome.elsewhere).push(ask);
    } catch (error) {
      outcome.failed.push({ ask, message: told(error) });
    }
  });
  await Promise.all(each);
  const isTakenAlong = does === "reject" && outcome.done.some((ask) => ask.also_rejects);
  if (!isTakenAlong) return outcome;
  return { ...outcome, done: [...outcome.done, ...outcome.elsewhere], elsewhere: [] };
}
