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
  return isLong || isLongList || (wish.left_out ?? 0) > 0 ? "cut" : undefined;
}
