// How the rows of a list stand: what each was last, and how it ended. Pure.

import type { Ask } from "../../lib/wire";
import { waits } from "../queue";

/** `left`: answered elsewhere, or no longer waited for. */
export type RowEnd = "answered" | "left";

export type AsksById = ReadonlyMap<string, Ask>;

export interface Standing {
  /** Of all rows, as they are, or as they were when they went. */
  known: AsksById;
  ended: ReadonlyMap<string, RowEnd>;
}

export const NOBODY: Standing = { known: new Map(), ended: new Map() };

export function byId(asks: readonly Ask[]): AsksById {
  return new Map(asks.map((ask) => [ask.id, ask]));
}

/** `isOurs`: it was answered in this window. */
export function stand(
  ids: Iterable<string>,
  live: AsksById,
  before: Standing,
  isOurs: (ask: Ask) => boolean,
): Standing {
  const known = new Map<string, Ask>();
  const ended = new Map<string, RowEnd>();
  for (const id of ids) {
    const now = live.get(id);
    const ask = now ?? before.known.get(id);
    if (!ask) continue;
    known.set(id, ask);
    // One whose answer comes back waits again, where it always was.
    if (now && waits(now)) continue;
    // An answer that is on its way is known to be one.
    const answered = now !== undefined || isOurs(ask);
    ended.set(id, before.ended.get(id) ?? (answered ? "answered" : "left"));
  }
  return { known, ended };
}
