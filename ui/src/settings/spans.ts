// The lengths of time that a choice offers. What the file says is always one of them, also if it
// was set by hand.

import { spanMs } from "../lib/time";

/** Returns the choices in order, with `value` among them; "never" comes last. */
export function stops(usual: string[], value: string): string[] {
  const all = usual.some((stop) => same(stop, value)) ? usual : [...usual, value];
  return [...all].sort((a, b) => length(a) - length(b));
}

/** Returns the index of the choice that a value equals: "60s" is "1m". 0 if there is none. */
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
