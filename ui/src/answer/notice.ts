// The line that says what became of an ask: ours on its way, ours taken, or ended without us.

import type {
  AnsweredBy,
  AnswerPlace,
  Ask,
  HistoryEntry,
  OutcomeKind,
  SetAside,
  Verdict,
  VerdictState,
} from "../lib/wire";
import type { Act } from "./act";

/** How an ask ended that was not answered here. */
export type Ending = "elsewhere" | "dismissed" | "expired" | "gone" | "changed";

export type Notice =
  | { is: "sending" | "taken"; ask: Ask; act: Act }
  | { is: "failed"; ask: Ask; message: string }
  /** Nobody gets to where it runs. */
  | { is: "not_shown"; ask: Ask; message: string }
  /** Several at once: how many of them are on their way. */
  | { is: "batch"; ask: Ask; count: number }
  /** Nothing is heard of it until then; the first of so many. */
  | { is: "snoozed"; ask: Ask; count: number; to: SetAside }
  | {
      is: "ended";
      ask: Ask;
      how: Ending;
      /** Where it was answered. */
      by: AnswerPlace | null;
      /** Who answered. */
      who?: AnsweredBy | null;
      answer?: string[][];
      /** What was typed here and not sent. */
      lost: string;
    };

/** Words that were typed and not sent. */
export type LostWords = Extract<Notice, { is: "ended" }>;

/** What went well: nobody has to do anything about it, and it needs no room of its own. */
export function isPassing(notice: Notice): boolean {
  return notice.is === "taken" || notice.is === "sending" || notice.is === "batch";
}

/** Whoever goes on with the next request knows what became of the last one. */
export function lasting(notice: Notice | undefined): Notice | undefined {
  return notice?.is === "taken" || notice?.is === "batch" ? undefined : notice;
}

/** What a notice says as soon as the history knows how its ask has ended. */
export function learned(notice: Notice, entry: HistoryEntry, typed: string): Notice {
  if (notice.is === "sending" && entry.outcome === "answered") return { ...notice, is: "taken" };
  const lost = notice.is === "ended" ? notice.lost : typed;
  const { answer, responder: who } = entry;
  const how = { ...ended(entry.outcome, entry.by), ...dismissed(entry) };
  return { is: "ended", ask: notice.ask, ...how, who, answer, lost };
}

/** A dismissal is an answer of ours that says nothing. */
function dismissed({ ending, by }: HistoryEntry): { how?: Ending } {
  return ending === "dismissed" && by !== "clock" ? { how: "dismissed" } : {};
}

/** What is said where another answer was faster. */
export function late(ask: Ask, verdict: Verdict, lost: string): Notice {
  const { state, by, responder: who } = verdict;
  return { is: "ended", ask, ...ended(state, by), who, lost };
}

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
