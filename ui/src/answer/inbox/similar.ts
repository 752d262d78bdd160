// The rule which permissions may be allowed together, and a selection of requests that never holds
// what its human has not seen. Pure; sending is in `batch.ts`.

import { isDeceptive } from "../../lib/hidden";
import type { Ask, Purpose } from "../../lib/wire";
import { lines } from "../call";
import { waits } from "../queue";
import type { AsksById } from "./standing";

/** Limits of what is read of one permission in a list: characters and lines of one text, and number
 * of texts. */
const MOST_CHARACTERS = 600;
const MOST_LINES = 12;
const MOST_PATTERNS = 8;

/** Verbs whose request is fully told by a command or a pattern. For a change, a tool or a plan that
 * would not be all. */
const TOLD: readonly Purpose["verb"][] = ["run", "read", "fetch", "find", "grep", "list", "search"];

/** Selected requests: by id, the fingerprint of what was seen when it was selected. */
export type Selection = ReadonlyMap<string, string>;

/** Returns what a permission allows, word by word: its command, the patterns that differ from it,
 * and what its call is given besides. */
export function content(ask: Ask): string[] {
  const { command, patterns = [] } = ask.permission ?? {};
  const more = ask.permission ? lines(ask.permission) : [];
  const others = [...patterns.filter((pattern) => pattern !== command), ...more];
  return command ? [command, ...others] : others;
}

/** Tells whether a list can show a permission whole and it has nothing that needs a second look. */
export function isPlain(ask: Ask): boolean {
  const wish = ask.permission;
  if (ask.kind !== "permission" || !wish || ask.unknown !== undefined || ask.held) return false;
  if (ask.state !== "open" || ask.changed || ask.returned || (ask.times ?? 1) > 1) return false;
  if ((ask.risks ?? []).length > 0 || wish.diff) return false;
  if (wish.is_partial || (wish.left_out ?? 0) > 0) return false;
  const texts = content(ask);
  if (texts.length === 0 || texts.length > MOST_PATTERNS) return false;
  return [wish.permission, ...texts].every(isWhole);
}

function isWhole(text: string): boolean {
  // The length first, since looking through megabytes takes long.
  if (text.length > MOST_CHARACTERS || text.split("\n").length > MOST_LINES) return false;
  return !isDeceptive(text);
}

/** Returns a key that is the same for all permissions that may be allowed together: one kind and
 * purpose in one session. Undefined for one that has to be looked at by itself. */
export function likeness(ask: Ask): string | undefined {
  const wish = ask.permission;
  if (!wish?.purpose || !isPlain(ask)) return undefined;
  const { verb, objects } = wish.purpose;
  if (!TOLD.includes(verb)) return undefined;
  return JSON.stringify([ask.source, ask.session.id, wish.permission, verb, objects]);
}

/** Tells whether these are two or more permissions that may be allowed together. */
export function areAlike(asks: readonly Ask[]): boolean {
  const [first, ...rest] = asks.map(likeness);
  return first !== undefined && rest.length > 0 && rest.every((other) => other === first);
}

export const NONE: Selection = new Map();

export function select(asks: readonly Ask[]): Selection {
  return new Map(asks.map((ask) => [ask.id, ask.fingerprint]));
}

/** Adds requests to a selection; removes them if all of them are selected as they are now. */
export function toggle(selection: Selection, asks: readonly Ask[]): Selection {
  const next = new Map(selection);
  const out = asks.every((ask) => selection.get(ask.id) === ask.fingerprint);
  for (const ask of asks) {
    if (out) next.delete(ask.id);
    else next.set(ask.id, ask.fingerprint);
  }
  return next;
}

export interface Shrunk {
  kept: Selection;
  /** Requests that were answered or left meanwhile. */
  left: Ask[];
  /** Requests whose content differs from what was seen, or that now have to be looked at one by
   * one. */
  changed: Ask[];
}

/** Returns what is left of a selection. `fits` is what else must hold for each. */
export function shrink(
  selection: Selection,
  asks: AsksById,
  known: AsksById,
  fits: (ask: Ask) => boolean = () => true,
): Shrunk {
  const kept = new Map<string, string>();
  const left: Ask[] = [];
  const changed: Ask[] = [];
  for (const [id, seen] of selection) {
    const ask = asks.get(id);
    const named = ask ?? known.get(id);
    if (ask && waits(ask) && ask.fingerprint === seen && fits(ask)) kept.set(id, seen);
    else if (ask && waits(ask)) changed.push(ask);
    else if (named) left.push(named);
  }
  return { kept, left, changed };
}
