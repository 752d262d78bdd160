// The words for the answers to a permission. A plan, and an agent that repeats itself, have words
// of their own, the same on every surface; `client/src/text/words/deciding.rs` reads the same texts.

import type { Words } from "../lib/texts";
import type { Ask } from "../lib/wire";

/** The kinds of permission to which "Allow once" is no answer, by the agents' names for them. */
const OWN: Partial<Record<string, "plan" | "repeat">> = { plan: "plan", doom_loop: "repeat" };

export type Decided = Pick<Ask, "permission">;

/** Returns the kind of a permission that has words of its own. */
export function ownKind({ permission }: Decided): "plan" | "repeat" | undefined {
  const name = permission?.permission ?? "";
  return Object.hasOwn(OWN, name) ? OWN[name] : undefined;
}

/** Returns the key of a word: the permission's own one if it has one, else the general one. `word`
 * is the beginning of the keys of its own words. */
export function wordKey(ask: Decided, word: string, general: string): string {
  const kind = ownKind(ask);
  return kind ? `${word}-${kind}` : general;
}

export const allowWord = (t: Words, ask: Decided): string => t(wordKey(ask, "once", "ui-once"));

export const rejectWord = (t: Words, ask: Decided): string =>
  t(wordKey(ask, "reject", "ui-reject"));
