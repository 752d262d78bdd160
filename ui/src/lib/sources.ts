// Telling sources apart: a server or service of one's own, or another machine that shares its
// requests.

import type { Source } from "./wire";

/** The prefix of a source that another machine shares; the machine's name follows. */
const HUB = "hub:";

/** Returns the machine that shares a source over the hub; undefined for a source of this
 * machine. */
export function machineOf(source: string): string | undefined {
  return source.startsWith(HUB) ? source.slice(HUB.length) : undefined;
}

/** Returns the sources that are no machines, which have a page of their own. */
export function servers(sources: Source[]): Source[] {
  return sources.filter(({ name }) => machineOf(name) === undefined);
}
