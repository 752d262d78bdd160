// The title of a confirm: the last sentence of what the agent says, which is what it is about to do,
// where that is short enough for a title. Pure.

/** Characters of a sentence that a title has room for: three lines. */
const TITLE = 120;

/** The end of a sentence; a point within a number is none. */
const END = /(?<=[.!?])\s+|(?<=[。！？])\s*(?=.)/u;

/** Returns a title and the text below it. Without a title the text is whole, and below a title it
 * has all that the title leaves out. */
export function leading(info: string): [title: string, rest: string] {
  const text = info.trim();
  if (text.includes("\n")) return ["", text];
  const sentences = text.split(END);
  const last = sentences.at(-1) ?? "";
  if (last === "" || last.length > TITLE) return ["", text];
  return [last, text.slice(0, text.length - last.length).trim()];
}
