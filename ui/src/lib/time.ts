// Lengths of time and times of day as people read them: "12 s", "2 min", "14:02", "yesterday 14:02".

import type { Words } from "./texts";

/** Returns a length of time in the largest unit that fits, never rounded up: "12 s", "2 min", "3
 * h", "2 d". */
export function age(words: Words, ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return words("ui-age-seconds", { count: seconds });
  if (seconds < 3600) return words("ui-age-minutes", { count: Math.floor(seconds / 60) });
  if (seconds < 86_400) return words("ui-age-hours", { count: Math.floor(seconds / 3600) });
  return words("ui-age-days", { count: Math.floor(seconds / 86_400) });
}

/** Returns a moment as text: "14:02" today, "yesterday 14:02", "tomorrow 14:02", else with the
 * date. */
export function at(words: Words, language: string, time: number, now: number): string {
  const clock = new Intl.DateTimeFormat(language, {
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).format(time);
  const days = day(time) - day(now);
  if (days === 0) return clock;
  if (days === -1) return words("ui-time-yesterday", { time: clock });
  if (days === 1) return words("ui-time-tomorrow", { time: clock });
  const sameYear = new Date(time).getFullYear() === new Date(now).getFullYear();
  const date = new Intl.DateTimeFormat(language, {
    ...(sameYear ? {} : { year: "numeric" }),
    month: "short",
    day: "numeric",
  }).format(time);
  return words("ui-time-date", { date, time: clock });
}

/** Returns the local date as days since 1970. */
function day(time: number): number {
  const date = new Date(time);
  return Math.floor(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000);
}

/** Reads a length of time as in the config: "30s", "3m", "1h", "2d". Undefined for "never" and for
 * anything else. */
export function spanMs(span: string): number | undefined {
  const found = /^(\d+)\s*(s|m|min|h|d)$/.exec(span.trim());
  if (!found) return undefined;
  const unit = { s: 1, m: 60, min: 60, h: 3600, d: 86_400 }[
    found[2] as "s" | "m" | "min" | "h" | "d"
  ];
  return Number(found[1]) * unit * 1000;
}
