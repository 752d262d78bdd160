// The parts of a permission's call besides its command (files, arguments), as lines and as fields,
// and whether all of the call is in sight. Pure.

import type { Permission } from "../lib/wire";

/** Characters of a value that are shown. A longer one counts as unseen, which is said beside the
 * buttons. */
export const VALUE = 2000;
/** Characters of a command that are shown. A longer one counts as unseen. */
export const COMMAND = 4000;
/** Characters of an argument's name that are shown. A longer one counts as unseen. */
export const NAME = 80;
/** Characters of a pattern that are shown. A longer one counts as unseen. */
export const PATTERN = 600;
/** Characters of a plan that are shown. A plan is prose and longer than any other pattern; this many
 * are several screens. */
export const PLAN = 20_000;
/** Number of patterns that are shown. If there are more, the call counts as unseen. */
export const PATTERNS = 200;

/** Lines of a change that are shown before it is unfolded. */
export const LINES = 400;
/** Characters of a line that are shown before it is unfolded. */
export const LINE = 1000;
/** Characters of a change that are read. Lines are cheap, characters are not: of a change of
 * megabytes only the beginning is read. */
export const CHANGE = 200_000;
/** The mark with which Beckon ends a text that it has not kept in full (`core/src/cut.rs`). */
const NOT_KEPT = /\n⋯ \+[\d.]+ [kM]?B #[0-9a-f]{8} ⋯\s*$/;

export interface Field {
  /** The name of an argument; if `isDeed`, what is done with a file (`add`, `update`, `delete`,
   * `move`). */
  name: string;
  value: string;
  isDeed?: boolean;
}

/** Returns the files that are added, deleted or moved, then the arguments, in their order. */
export function fields(wish: Permission): Field[] {
  const { files = [], arguments: given = [] } = wish;
  // If there is a diff and files only change, the diff names them already.
  const isTold = Boolean(wish.diff?.trim()) && files.every(({ does }) => does === "update");
  const told = isTold ? [] : files;
  const deeds = told.map(({ does, path, to }) => ({
    name: does,
    value: to === undefined ? path : `${path} → ${to}`,
    isDeed: true,
  }));
  return [...deeds, ...given];
}

/** Returns the fields as text, one a line. Further lines of a value are indented, so that none can
 * be taken for another field. */
export function lines(wish: Permission): string[] {
  return fields(wish).map(({ name, value }) => `${name}: ${value}`.replaceAll("\n", "\n  "));
}

/** Tells why "allow" asks a second time: `partial` if the agent has not told all of the call, `cut`
 * if not all of it is shown. */
export function unseen(wish: Permission): "partial" | "cut" | undefined {
  if (wish.is_partial) return "partial";
  const isLong =
    (wish.command ?? "").length > COMMAND ||
    fields(wish).some(({ name, value }) => name.length > NAME || value.length > VALUE);
  // A pattern equal to the command is not listed, since the command is shown.
  const patterns = wish.patterns.filter((pattern) => pattern !== wish.command);
  const isLongList =
    patterns.length > PATTERNS || patterns.some((pattern) => pattern.length > room(wish));
  const isCut = isLong || isLongList || isFolded(wish.diff ?? "");
  return isCut || (wish.left_out ?? 0) > 0 ? "cut" : undefined;
}

/** Returns the key of the text beside the buttons that says what is unseen. It tells apart what can
 * be unfolded here and what Beckon has not kept. */
export function unseenKey(wish: Permission): string {
  const change = wish.diff ?? "";
  if (wish.is_partial) return "ui-partial";
  if ((wish.left_out ?? 0) > 0 || NOT_KEPT.test(change)) return "ui-left-out";
  if (isPlan(wish.permission)) return "ui-plan-long";
  return isFolded(change) ? "ui-change-long" : "ui-command-long";
}

/** Returns the characters of a pattern that its card shows. */
function room({ permission }: Permission): number {
  return isPlan(permission) ? PLAN : PATTERN;
}

/** Tells whether a permission's patterns are plans, which are shown as an agent's words. */
export function isPlan(permission: string): boolean {
  return permission === "plan";
}

/** Tells whether the card does not show all of a change at first. */
function isFolded(change: string): boolean {
  if (change.length > CHANGE || NOT_KEPT.test(change)) return true;
  const all = change.replace(/\n$/, "").split("\n");
  return all.length > LINES || all.some((line) => line.length > LINE);
}
