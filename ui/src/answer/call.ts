// What a call is given besides what its permission says, as lines and as fields. Pure.

import type { Permission } from "../lib/wire";

/** A longer value says so beside the buttons, as a longer command does. */
export const VALUE = 2000;
/** A longer command says so beside the buttons. */
export const COMMAND = 4000;
/** So does a longer name of an argument. */
export const NAME = 80;
/** So does a longer pattern. */
export const PATTERN = 600;
/** So do more patterns. */
export const PATTERNS = 200;

/** More lines of a change are unfolded first. */
export const LINES = 400;
/** So is the rest of a longer line. */
export const LINE = 1000;
/** Lines are cheap, characters are not: a change of megabytes is read by its beginning. */
export const CHANGE = 200_000;
/** How Beckon ends a text of which it has not kept all (`core/src/cut.rs`). */
const NOT_KEPT = /\n⋯ \+[\d.]+ [kM]?B #[0-9a-f]{8} ⋯\s*$/;

export interface Field {
  /** An argument's, or what is done with a file. */
  name: string;
  value: string;
  isDeed?: boolean;
}

/** The files that are added, deleted or moved, and the arguments, in their order. */
export function fields(wish: Permission): Field[] {
  const { files = [], arguments: given = [] } = wish;
  // A file whose content changes is told by the change itself, where there is one.
  const isTold = Boolean(wish.diff?.trim()) && files.every(({ does }) => does === "update");
  const told = isTold ? [] : files;
  const deeds = told.map(({ does, path, to }) => ({
    name: does,
    value: to === undefined ? path : `${path} → ${to}`,
    isDeed: true,
  }));
  return [...deeds, ...given];
}

/** The same, a line each. Further lines of one are indented, so that none looks like another. */
export function lines(wish: Permission): string[] {
  return fields(wish).map(({ name, value }) => `${name}: ${value}`.replaceAll("\n", "\n  "));
}

/** Why a press does not allow it at once: the agent has not told all, or not all of it is shown. */
export function unseen(wish: Permission): "partial" | "cut" | undefined {
  if (wish.is_partial) return "partial";
  const isLong =
    (wish.command ?? "").length > COMMAND ||
    fields(wish).some(({ name, value }) => name.length > NAME || value.length > VALUE);
  // A command shows what its patterns say.
  const patterns = wish.patterns.filter((pattern) => pattern !== wish.command);
  const isLongList =
    patterns.length > PATTERNS || patterns.some((pattern) => pattern.length > PATTERN);
  const isCut = isLong || isLongList || isFolded(wish.diff ?? "");
  return isCut || (wish.left_out ?? 0) > 0 ? "cut" : undefined;
}

/** What is said of it beside the buttons. What is folded can be unfolded here; what Beckon has not kept cannot. */
export function unseenKey(wish: Permission): string {
  const change = wish.diff ?? "";
  if (wish.is_partial) return "ui-partial";
  if ((wish.left_out ?? 0) > 0 || NOT_KEPT.test(change)) return "ui-left-out";
  return isFolded(change) ? "ui-change-long" : "ui-command-long";
}

/** Whether not all of a change stands on the card at first. */
function isFolded(change: string): boolean {
  if (change.length > CHANGE || NOT_KEPT.test(change)) return true;
  const all = change.replace(/\n$/, "").split("\n");
  return all.length > LINES || all.some((line) => line.length > LINE);
}
