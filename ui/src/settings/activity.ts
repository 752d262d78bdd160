// The figures of the last days as the chart and the history need them: heights of bars, sums, and
// days. Pure.

import type { HistoryEntry } from "../lib/wire";
import type { Activity } from "../bindings/Activity";
import type { ActivityDay } from "../bindings/ActivityDay";
import type { AnswersAt } from "../bindings/AnswersAt";

const MINUTE = 60_000;

export interface Bar {
  day: ActivityDay;
  /** Height as a part of the highest bar, 0 to 1. */
  height: number;
  today: boolean;
}

/** Returns the bars of the chart. The highest one stands for at least a minute, and a day on which
 * nobody waited has a height of 0. */
export function bars({ days }: Activity): Bar[] {
  const most = Math.max(...days.map((day) => day.waited_ms), MINUTE);
  const last = days.length - 1;
  return days.map((day, i) => ({ day, height: day.waited_ms / most, today: i === last }));
}

export function total({ days }: Activity): { waited_ms: number; answered: number } {
  const sum = (of: (day: ActivityDay) => number) => days.reduce((all, day) => all + of(day), 0);
  return { waited_ms: sum((day) => day.waited_ms), answered: sum((day) => day.answered) };
}

/** Returns how many answers were given where in all those days, the most frequent place first. */
export function places({ days }: Activity): AnswersAt[] {
  const counts = new Map<AnswersAt["place"], number>();
  for (const { place, count } of days.flatMap((day) => day.by))
    counts.set(place, (counts.get(place) ?? 0) + count);
  return [...counts].map(([place, count]) => ({ place, count })).sort((a, b) => b.count - a.count);
}

/** Returns a date at noon, so that no time zone makes another day of it. */
export function noon(date: string): Date {
  return new Date(`${date}T12:00:00`);
}

/** Returns how many midnights are between two moments, in local time. */
export function daysBetween(time: number, now: number): number {
  const day = (at: number) => {
    const date = new Date(at);
    return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000;
  };
  return day(now) - day(time);
}

/** Groups entries by the day on which they ended. */
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
