// Whose a source is: a server or service of one's own, or another machine that shares what it asks.

import type { Source } from "./wire";

/** Before the name of a machine in the source of what it shares. */
const HUB = "hub:";

/** The machine that shares it over the hub, where the source of that name is another one's. */
export function machineOf(source: string): string | undefined {
  return source.startsWith(HUB) ? source.slice(HUB.length) : undefined;
}

/** Those that are no machines: these have a page of their own. */
export function servers(sources: Source[]): Source[] {
  return sources.filter(({ name }) => machineOf(name) === undefined);
}
