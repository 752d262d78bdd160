// Finding the lines of a long list that are in sight. Only these are in the page; the others are
// blank height. Pure: heights in, indexes out.

import type { Item } from "./list";

/** The heights of lines, in pixels. */
export interface Heights {
  heading: number;
  row: number;
}

/** Returns where each line begins, and at the end where the list ends. */
export function offsets(items: readonly Item[], heights: Heights): Float64Array {
  const found = new Float64Array(items.length + 1);
  items.forEach((item, i) => {
    found[i + 1] = (found[i] ?? 0) + (item.is === "heading" ? heights.heading : heights.row);
  });
  return found;
}

/** The line that is higher than the others, the current row with its answers: its index, and by how
 * much. */
export interface Grown {
  index: number;
  by: number;
}

export function top(offsets: Float64Array, index: number, grown: Grown): number {
  return (offsets[index] ?? 0) + (index > grown.index && grown.index >= 0 ? grown.by : 0);
}

/** Returns the lines between two heights: the index of the first one, and the index after the
 * last. */
export function between(
  offsets: Float64Array,
  grown: Grown,
  from: number,
  to: number,
): [number, number] {
  const count = offsets.length - 1;
  const first = search(count, (i) => top(offsets, i + 1, grown) > from);
  const after = search(count, (i) => top(offsets, i, grown) >= to);
  return [first, Math.max(after, first)];
}

/** Returns the first of `count` indexes for which `holds`, by bisection: it must hold for all after
 * it. */
function search(count: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
