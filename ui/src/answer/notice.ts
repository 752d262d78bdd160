// The notice that says what became of an ask: our answer is on its way, was taken, or the ask ended
// without us.

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

/** The way in which an ask ended that was not answered here. */
export type Ending = "elsewhere" | "dismissed" | "expired" | "gone" | "changed";

export type Notice =
  | { is: "sending" | "taken"; ask: Ask; act: Act }
  | { is: "failed"; ask: Ask; message: string }
  /** The session could not be opened. */
  | { is: "not_shown"; ask: Ask; message: string }
  /** Several answers were sent at once; `count` says how many. */
  | { is: "batch"; ask: Ask; count: number; does: "allow" | "reject" }
  /** Requests were snoozed, until the time in `to`. `ask` is the first of `count`. */
  | { is: "snoozed"; ask: Ask; count: number; to: SetAside }
  | {
      is: "ended";
      ask: Ask;
      how: Ending;
      /** The place where it was answered. */
      by: AnswerPlace | null;
      /** The person who answered. */
      who?: AnsweredBy | null;
      answer?: string[][];
      /** Text that was typed here and not sent. */
      lost: string;
    };

/** A notice that may hold text which was typed and not sent. */
export type LostWords = Extract<Notice, { is: "ended" }>;

/** Tells whether a notice is good news: nobody has to do anything about it, and it needs no room of
 * its own. */
export function isPassing(notice: Notice): boolean {
  return notice.is === "taken" || notice.is === "sending" || notice.is === "batch";
}

/** Returns a notice as it is after the human went on to the next request: news of the last answer
 * is known by then and dropped. */
export function lasting(notice: Notice | undefined): Notice | undefined {
  return notice?.is === "taken" || notice?.is === "batch" ? undefined : notice;
}

/** Returns the notice as it is once the history says how its ask ended. */
export function learned(notice: Notice, entry: HistoryEntry, typed: string): Notice {
  if (notice.is === "sending" && entry.outcome === "answered") return { ...notice, is: "taken" };
  const lost = notice.is === "ended" ? notice.lost : typed;
  const { answer, responder: who } = entry;
  const how = { ...ended(entry.outcome, entry.by), ...dismissed(entry) };
  return { is: "ended", ask: notice.ask, ...how, who, answer, lost };
}

/** Corrects the ending for a request that was dismissed by a person: the history lists a dismissal
 * as an answer. */
function dismissed({ ending, by }: HistoryEntry): { how?: Ending } {
  return ending === "dismissed" && by !== "clock" ? { how: "dismissed" } : {};
}

/** Returns the notice for an answer that came after another one. */
export function late(ask: Ask, verdict: Verdict, lost: string): Notice {
  const { state, by, responder: who } = verdict;
  return { is: "ended", ask, ...ended(state, by), who, lost };
}

/** Tells whether a verdict says that our answer counts, and how far it has come. */
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
      // An unknown word, from another version of Beckon.
      verdict satisfies never;
      return undefined;
  }
}

/** Returns the ending that a verdict's state or a history entry's outcome stands for. */
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
      // An unknown word, from another version of Beckon.
      outcome satisfies never;
      return "elsewhere";
  }
}
