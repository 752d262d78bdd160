import { expect, test } from "vitest";
import type { ActivityDay } from "../bindings/ActivityDay";
import type { HistoryEntry } from "../lib/wire";
import { bars, byDay, daysBetween, noon, places, total } from "./activity";

const day = (date: string, minutes: number, parts: Partial<ActivityDay> = {}): ActivityDay => ({
  date,
  waited_ms: minutes * 60_000,
  answered: 0,
  median_ms: null,
  by: [],
  ...parts,
});

test("the highest bar is the day on which agents waited longest, the last one is today", () => {
  const days = [day("2026-11-22", 12), day("2026-11-23", 6)];
  expect(bars({ days, median_ms: null }).map(({ height, today }) => [height, today])).toEqual([
    [1, false],
    [0.5, true],
  ]);
});

test("a few seconds do not look like a day of waiting", () => {
  expect(bars({ days: [day("2026-11-23", 0.1)], median_ms: null })[0]?.height).toBeCloseTo(0.1);
});

test("where it was answered counts over all days, the most frequent first", () => {
  const by = [{ place: "tray" as const, count: 1 }];
  const more = [{ place: "window" as const, count: 3 }, ...by];
  const activity = {
    days: [
      day("2026-11-22", 1, { by, answered: 1 }),
      day("2026-11-23", 2, { by: more, answered: 4 }),
    ],
    median_ms: 38_000,
  };
  expect(places(activity)).toEqual([
    { place: "window", count: 3 },
    { place: "tray", count: 2 },
  ]);
  expect(total(activity)).toEqual({ waited_ms: 180_000, answered: 5 });
});

test("a date is that day in every zone", () => {
  expect(noon("2026-11-23").getDate()).toBe(23);
});

test("what ended on one day stands under one heading", () => {
  const at = (settled_at: number) => ({ settled_at }) as HistoryEntry;
  const noonOf = noon("2026-11-23").getTime();
  const days = byDay([at(noonOf), at(noonOf - 60_000), at(noonOf - 86_400_000)]);
  expect(days.map(({ entries }) => entries.length)).toEqual([2, 1]);
});

test("an hour before midnight is yesterday, whatever the clocks do that night", () => {
  const now = new Date(2026, 9, 25, 0, 30).getTime();
  expect(daysBetween(now - 3_600_000, now)).toBe(1);
  expect(daysBetween(now, now)).toBe(0);
});
