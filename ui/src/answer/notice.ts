// The line that says what became of an ask: ours on its way, ours taken, or ended without us.

import type { AnswerPlace, Ask, OutcomeKind, VerdictState } from "../lib/wire";
import type { Act } from "./act";

/** How an ask ended that was not answered here. */
export type Ending = "elsewhere" | "dismissed" | "expired" | "gone";

export type Notice =
  | { is: "sending" | "taken"; ask: Ask; act: Act }
  | { is: "failed"; ask: Ask; message: string }
  | {
      is: "ended";
      ask: Ask;
      how: Ending;
      /** Where it was answered. */
      by: AnswerPlace | null;
      answer?: string[][];
      /** What was typed here and not sent. */
      lost: string;
    };

/** Does a verdict say that ours counts, and how far it has come? */
export function ours(verdict: VerdictState): "sending" | "taken" | undefined {
  switch (verdict) {
    case "sent":
      return "sending";
    case "taken":
      return "taken";
    case "already answered":
    case "gone":
      return undefined;
    default:
      // A word of another version.
      verdict satisfies never;
      return undefined;
  }
}

/** Reads a verdict's state or a history entry's outcome. */
export function ended(
  outcome: OutcomeKind | VerdictState,
  by?: AnswerPlace | null,
): { how: Ending; by: AnswerPlace | null } {
  return { how: how(outcome), by: by ?? null };
}

function how(outcome: OutcomeKind | VerdictState): Ending {
  switch (outcome) {
    case "dismissed elsewhere":
      return "dismissed";
    case "expired":
    case "gone":
      return outcome;
    case "sent":
    case "taken":
    case "answered":
    case "answered elsewhere":
    case "already answered":
      return "elsewhere";
    default:
      // A word of another version.
      outcome satisfies never;
      return "elsewhere";
  }
}
