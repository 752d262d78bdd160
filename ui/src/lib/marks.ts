// Cutting a text at its marks, so that the dangerous words of a command can be shown as such.

export interface Span {
  /** Offset in UTF-16 units, like `end`. */
  start: number;
  end: number;
}

export interface Segment {
  text: string;
  marked: boolean;
}

/** Cuts a text at its marks. Overlapping marks are joined; what lies outside of the text is left
 * out. */
export function segments(text: string, marks: readonly Span[]): Segment[] {
  const found: Segment[] = [];
  let from = 0;
  for (const mark of [...marks].sort((a, b) => a.start - b.start)) {
    const start = Math.max(mark.start, from);
    const end = Math.min(mark.end, text.length);
    if (start >= end) continue;
    if (start > from) found.push({ text: text.slice(from, start), marked: false });
    found.push({ text: text.slice(start, end), marked: true });
    from = end;
  }
  if (from < text.length) found.push({ text: text.slice(from), marked: false });
  return found;
}
