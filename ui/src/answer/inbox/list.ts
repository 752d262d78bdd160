// The inbox as a list: who waits, by project.
//
// The order holds while somebody looks at it, since a row that moves under a hand is pressed by
// mistake. Rows are only ever added, and below all others: what arrives has a section of its own at
// the end, and what ends stays where it is. Only leaving the list, or filtering it, makes a new
// one.

import type { Ask } from "../../lib/wire";
import { isHeld, isSnoozed, project, waits } from "../queue";
import { likeness } from "./similar";

/** The most requests in one pile. More of one kind would not be read at once, so that one button
 * allows no more. */
export const MOST_IN_PILE = 20;

export interface Row {
  key: string;
  /** The ids of one request, or of several similar ones. */
  ids: readonly string[];
}

export interface Section {
  key: string;
  what: "project" | "snoozed" | "held" | "new";
  /** The request from which a project's heading takes the names; only in a project's section. */
  of?: Ask;
  rows: readonly Row[];
}

export interface Sheet {
  sections: readonly Section[];
  /** The ids of all requests in the list. */
  ids: ReadonlySet<string>;
}

export const EMPTY: Sheet = { sections: [], ids: new Set() };

/** Builds a new list. The project with the longest wait comes first, and in each project the
 * request with the longest wait. Snoozed requests and those that others decide are at the end. */
export function arrange(asks: readonly Ask[], fits: (ask: Ask) => boolean = () => true): Sheet {
  const waiting = asks.filter((ask) => waits(ask) && fits(ask));
  const held = waiting.filter(isHeld).sort(byWait);
  const ours = waiting.filter((ask) => !isHeld(ask));
  const awake = ours.filter((ask) => !isSnoozed(ask)).sort(byWait);
  const snoozed = ours.filter(isSnoozed).sort(byWaking);
  const sections = projects(awake);
  if (snoozed.length > 0)
    sections.push({ key: "snoozed", what: "snoozed", rows: snoozed.map(alone) });
  if (held.length > 0) sections.push({ key: "held", what: "held", rows: held.map(alone) });
  return { sections, ids: new Set(waiting.map((ask) => ask.id)) };
}

/** Returns the list with what has arrived added at the end. */
export function extend(
  sheet: Sheet,
  asks: readonly Ask[],
  fits: (ask: Ask) => boolean = () => true,
): Sheet {
  const added = asks.filter((ask) => !sheet.ids.has(ask.id) && waits(ask) && fits(ask));
  if (added.length === 0) return sheet;
  const last = sheet.sections.at(-1);
  const before = last?.what === "new" ? last.rows : [];
  const sections = last?.what === "new" ? sheet.sections.slice(0, -1) : sheet.sections;
  const rows = [...before, ...added.sort(byWait).map(alone)];
  return {
    sections: [...sections, { key: "new", what: "new", rows }],
    ids: new Set([...sheet.ids, ...added.map((ask) => ask.id)]),
  };
}

function byWait(one: Ask, other: Ask): number {
  return one.asked_at - other.asked_at;
}

/** Orders snoozes by when they end. Those that last until the human is back come last. */
function byWaking(one: Ask, other: Ask): number {
  return waking(one) - waking(other);
}

function waking({ set_aside }: Ask): number {
  return (set_aside?.is === "snoozed" && set_aside.until) || Number.MAX_SAFE_INTEGER;
}

/** Groups asks by project, in the order in which the first of each has asked. Two directories of
 * the same name are two projects. */
function projects(asks: readonly Ask[]): Section[] {
  const found = new Map<string, Ask[]>();
  for (const ask of asks) {
    const key = `${ask.source}\n${ask.session.directory}`;
    const there = found.get(key);
    if (there) there.push(ask);
    else found.set(key, [ask]);
  }
  return [...found].map(([key, [first, ...rest]]) => ({
    key,
    what: "project",
    of: first,
    rows: piled(first ? [first, ...rest] : rest),
  }));
}

/** Joins similar asks into one row, at the place of the first of them. */
function piled(asks: readonly Ask[]): Row[] {
  const rows: { key: string; ids: string[] }[] = [];
  const open = new Map<string, { ids: string[] }>();
  for (const ask of asks) {
    const like = likeness(ask);
    const pile = like === undefined ? undefined : open.get(like);
    if (pile && pile.ids.length < MOST_IN_PILE) pile.ids.push(ask.id);
    else {
      const row = { key: ask.id, ids: [ask.id] };
      rows.push(row);
      if (like !== undefined) open.set(like, row);
    }
  }
  return rows;
}

function alone(ask: Ask): Row {
  return { key: ask.id, ids: [ask.id] };
}

/** A line of the list: a heading or a row. */
export type Item =
  | { is: "heading"; section: Section }
  /** `foreign`: the heading above is not a project's. */
  | { is: "row"; row: Row; number: number; foreign: boolean };

export function lines(sheet: Sheet): Item[] {
  const found: Item[] = [];
  let number = 0;
  for (const section of sheet.sections) {
    found.push({ is: "heading", section });
    const foreign = section.what !== "project";
    for (const row of section.rows) found.push({ is: "row", row, number: (number += 1), foreign });
  }
  return found;
}

/** Returns the project's name for a heading. */
export function projectOf(section: Section): string {
  return section.of ? project(section.of.session) : "";
}
