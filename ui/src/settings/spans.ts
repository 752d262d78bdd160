// The stops of a slider of times. What the file says is always one of them, also by hand.

import { spanMs } from "../lib/time";

/** The stops in order, with `value` among them; "never" comes last. */
export function stops(usual: string[], value: string): string[] {
  const all = usual.some((stop) => same(stop, value)) ? usual : [...usual, value];
  return [...all].sort((a, b) => length(a) - length(b));
}

/** Which stop a value is: "60s" is "1m". */
export function stopOf(stops: string[], value: string): number {
  return Math.max(
    0,
    stops.findIndex((stop) => same(stop, value)),
  );
}

function same(a: string, b: string): boolean {
  return a === b || length(a) === length(b);
}

function length(span: string): number {
  return spanMs(span) ?? Infinity;
}
