// Who asks, by the name that people know: the product, and its mode only where that says something.

import { machineOf } from "../lib/sources";
import type { Words } from "../lib/texts";
import type { Ask, Source } from "../lib/wire";

/** OpenCode's usual mode, which most sessions have and nobody knows by name. */
const USUAL = "build";

type Asked = Pick<Ask, "source" | "session">;

/** Returns the product that asks: "OpenCode", "Claude Code", the name of a service. Undefined where
 * nobody has said. */
export function product(t: Words, ask: Asked, sources: readonly Source[]): string | undefined {
  const agent = ask.session.agent?.trim();
  const named = agent && agent !== USUAL ? agent : undefined;
  // Another machine's sources are not known here. Its agents name themselves, as do those that ask
  // through Beckon.
  const source = sources.find(({ name }) => name === ask.source);
  if (!source || machineOf(ask.source) !== undefined || source.beckon) return named;
  return source.kind === "interrupts" ? source.name : t(`ui-kind-${source.kind}`);
}

/** Returns the product and, for a mode that is not the usual one, the mode: "OpenCode", "plan". */
export function asker(t: Words, ask: Asked, sources: readonly Source[]): string[] {
  const name = product(t, ask, sources);
  const agent = ask.session.agent?.trim();
  const mode = agent && agent !== USUAL && agent !== name ? agent : undefined;
  return [name, mode].filter((part): part is string => part !== undefined);
}
