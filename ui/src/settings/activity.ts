// The figures of the last days as a picture needs them: heights, and which day is called what. Pure.

import type { HistoryEntry } from "../lib/wire";
import type { Activity } from "../bindings/Activity";
import type { ActivityDay } from "../bindings/ActivityDay";
import type { AnswersAt } from "../bindings/AnswersAt";

const MINUTE = 60_000;

export interface Bar {
  day: ActivityDay;
  /** Of the highest bar, 0 to 1. */
  height: number;
  today: boolean;
}

/** A day on which nobody waited for a second has none. */
export function bars({ days }: Activity): Bar[] {
  const most = Math.max(...days.map((day) => day.waited_ms), MINUTE);
  const last = days.length - 1;
  return days.map((day, i) => ({ day, height: day.waited_ms / most, today: i === last }));
}

export function total({ days }: Activity): { waited_ms: number; answered: number } {
  const sum = (of: (day: ActivityDay) => number) => days.reduce((all, day) => all + of(day), 0);
  return { waited_ms: sum((day) => day.waited_ms), answered: sum((day) => day.answered) };
}

/** Where they were answered in all those days, the most frequent first. */
export function places({ days }: Activity): AnswersAt[] {
  const counts = new Map<AnswersAt["place"], number>();
  for (const { place, count } of days.flatMap((day) => day.by))
    counts.set(place, (counts.get(place) ?? 0) + count);
  return [...counts].map(([place, count]) => ({ place, count })).sort((a, b) => b.count - a.count);
}

/** A date without a time is that day at noon: no zone makes another day of it. */
export function noon(date: string): Date {
  return new Date(`${date}T12:00:00`);
}

/** How many midnights lie between two times, on the wall. */
export function daysBetween(time: number, now: number): number {
  const day = (at: number) => {
    const date = new Date(at);
    return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000;
  };
  return day(now) - day(time);
}

/** What ended on one day, under one heading. */
export function byDay(entries: HistoryEntry[]): { day: string; entries: HistoryEntry[] }[] {
  const days: { day: string; entries: HistoryEntry[] }[] = [];
  for (const entry of entries) {
    const day = new Date(entry.settled_at).toDateString();
    const last = days.at(-1);
    if (last?.day === day) last.entries.push(entry);
    else days.push({ day, entries: [entry] });
  }
  return days;
}
