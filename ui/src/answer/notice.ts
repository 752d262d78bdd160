// The line that says what became of an ask: ours on its way, ours taken, or ended without us.

import type { Ask } from "../lib/wire";
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
      /** Where it was answered, in Beckon's word for it. */
      by: string | null;
      answer?: string[][];
      /** What was typed here and not sent. */
      lost: string;
    };

/** Reads a verdict's state or a history entry's outcome. */
export function ended(outcome: string, by?: string | null): { how: Ending; by: string | null } {
  return { how: how(outcome), by: by ?? null };
}

function how(outcome: string): Ending {
  if (outcome.startsWith("dismissed")) return "dismissed";
  if (outcome === "expired" || outcome === "gone") return outcome;
  return "elsewhere";
}
