// Looking up in the history how an ask ended that has left the list.

import type { Bridge } from "../bridge";
import { t } from "../lib/session.svelte";
import type { Ask, HistoryEntry } from "../lib/wire";

/** Number of history entries that are read. More asks do not end at one moment. */
const LATEST = 20;

/** Returns the history entry of an ask, if it has one yet. Without a history the result is
 * undefined and the notice stays as it is. */
export async function outcome(bridge: Bridge, ask: Ask): Promise<HistoryEntry | undefined> {
  try {
    const { entries } = await bridge.history({ limit: LATEST });
    // The view's id begins with the source's name where two sources use the same id; the history's
    // does not.
    const ids = [ask.id, ask.id.slice(ask.source.length + 1)];
    const entry = entries.find(({ source, id }) => source === ask.source && ids.includes(id));
    // The answer to a permission is a word for programs; it is replaced by one for people.
    if (!entry || entry.kind === "question") return entry;
    return { ...entry, answer: [[t(`ui-ending-${entry.ending}`)]] };
  } catch {
    return undefined;
  }
}
