import { expect, test } from "vitest";
import { stopOf, stops } from "../settings/spans";
import { age, at, spanMs } from "./time";

const words = (key: string, args?: Record<string, unknown>) =>
  `${key.replace("ui-", "")} ${Object.values(args ?? {}).join(" ")}`.trim();

test("an age is told in the largest unit that fits, never rounded up", () => {
  const told = [0, 59_999, 60_000, 3_599_999, 3_600_000, 86_399_999, 86_400_000];
  expect(told.map((ms) => age(words, ms))).toEqual([
    ...["age-seconds 0", "age-seconds 59", "age-minutes 1", "age-minutes 59"],
    ...["age-hours 1", "age-hours 23", "age-days 1"],
  ]);
  expect(age(words, -5)).toBe("age-seconds 0");
});

test("a time of today is a clock, others have their day", () => {
  const now = new Date(2026, 10, 20, 14, 2).getTime();
  const told = (day: number, hour: number) =>
    at(words, "en", new Date(2026, 10, day, hour, 5).getTime(), now);
  expect(told(20, 0)).toBe("00:05");
  expect(told(19, 23)).toBe("time-yesterday 23:05");
  expect(told(21, 9)).toBe("time-tomorrow 09:05");
  expect(told(3, 9)).toBe("time-date Nov 3 09:05");
});

test("config's lengths are read, never and nonsense are none", () => {
  expect([spanMs("30s"), spanMs("3m"), spanMs("2 min"), spanMs("1h"), spanMs("2d")]).toEqual([
    ...[30_000, 180_000, 120_000, 3_600_000, 172_800_000],
  ]);
  expect([spanMs("never"), spanMs(""), spanMs("soon")]).toEqual([undefined, undefined, undefined]);
});

test("what the file says is among the stops, in its place and only once", () => {
  expect(stops(["1m", "5m", "never"], "90s")).toEqual(["1m", "90s", "5m", "never"]);
  expect(stops(["1m", "5m", "never"], "60s")).toEqual(["1m", "5m", "never"]);
  expect(stopOf(["1m", "5m", "never"], "300s")).toBe(1);
  expect(stopOf(["1m", "5m", "never"], "never")).toBe(2);
});
