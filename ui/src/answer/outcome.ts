// How an ask ended that has left the list: the history knows.

import type { Bridge } from "../bridge";
import type { Ask, HistoryEntry } from "../lib/wire";

/** More asks do not end at one moment. */
const LATEST = 20;

/** Its entry, if it has one yet; without a history the notice stays as it is. */
export async function outcome(bridge: Bridge, ask: Ask): Promise<HistoryEntry | undefined> {
  try {
    const { entries } = await bridge.history({ limit: LATEST });
    // The list names the source before the id where two sources use the same.
    const ids = [ask.id, ask.id.slice(ask.source.length + 1)];
    return entries.find((entry) => entry.source === ask.source && ids.includes(entry.id));
  } catch {
    return undefined;
  }
}
