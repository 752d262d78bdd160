// Cutting long texts, which are shown a part at a time: ten megabytes would hold up the page for
// seconds.

export interface Part {
  text: string;
  /** Number of characters that are not shown. */
  rest: number;
}

/** Returns the first `limit` characters, cut where no character is torn and, if one is near, at the
 * end of a line. */
export function clip(text: string, limit: number): Part {
  if (text.length <= limit) return { text, rest: 0 };
  const line = text.lastIndexOf("\n", limit);
  let end = line >= limit * 0.8 ? line + 1 : limit;
  const last = text.charCodeAt(end - 1);
  if (last >= 0xd800 && last < 0xdc00) end -= 1;
  return { text: text.slice(0, end), rest: text.length - end };
}

/** Tells whether a text is long enough to be folded at first: more than `lines` lines of `width`
 * characters. */
export function isLong(text: string, lines: number, width: number): boolean {
  if (text.length > lines * width) return true;
  const taken = text.split("\n").map((line) => Math.max(1, Math.ceil(line.length / width)));
  return taken.reduce((sum, count) => sum + count, 0) > lines;
}
