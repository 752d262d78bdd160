// How an ask ended that has left the list: the history knows.

import type { Bridge } from "../bridge";
import { t } from "../lib/session.svelte";
import type { Ask, HistoryEntry } from "../lib/wire";

/** More asks do not end at one moment. */
const LATEST = 20;

/** Its entry, if it has one yet; without a history the notice stays as it is. */
export async function outcome(bridge: Bridge, ask: Ask): Promise<HistoryEntry | undefined> {
  try {
    const { entries } = await bridge.history({ limit: LATEST });
    // The list names the source before the id where two sources use the same.
    const ids = [ask.id, ask.id.slice(ask.source.length + 1)];
    const entry = entries.find(({ source, id }) => source === ask.source && ids.includes(id));
    // A permission's answer is a word for programs.
    if (!entry || entry.kind === "question") return entry;
    return { ...entry, answer: [[t(`ui-ending-${entry.ending}`)]] };
  } catch {
    return undefined;
  }
}
