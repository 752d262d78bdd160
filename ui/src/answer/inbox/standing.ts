// The state of a list's rows: each request as it was last seen, and how it ended. Pure.

import type { Ask } from "../../lib/wire";
import { waits } from "../queue";

/** The way in which a row ended. `left`: answered elsewhere, or no longer waited for. */
export type RowEnd = "answered" | "left";

export type AsksById = ReadonlyMap<string, Ask>;

export interface Standing {
  /** The requests of all rows, as they are, or as they were when they went. */
  known: AsksById;
  ended: ReadonlyMap<string, RowEnd>;
}

export const NOBODY: Standing = { known: new Map(), ended: new Map() };

export function byId(asks: readonly Ask[]): AsksById {
  return new Map(asks.map((ask) => [ask.id, ask]));
}

/** Returns the state of the rows after a view. `isOurs` tells whether a request was answered in
 * this window. */
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
    // A request that is put back after a failed answer waits again, where it always was.
    if (now && waits(now)) continue;
    // A request still listed that does not wait has an answer on its way.
    const answered = now !== undefined || isOurs(ask);
    ended.set(id, before.ended.get(id) ?? (answered ? "answered" : "left"));
  }
  return { known, ended };
}
