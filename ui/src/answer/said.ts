// The limits up to which an agent's words are read as Markdown. Pure.

/** Characters that are read as Markdown. Beyond this the text is shown plain: an agent's essay is
 * read elsewhere, and for some texts the Markdown reader's time grows with the square of the
 * length. */
export const READABLE = 4000;

/** Cuts a long text between its paragraphs, never within a block of code, into portions that are
 * read one by one. A portion without a place to cut is longer than `READABLE`. */
export function portions(text: string): string[] {
  const found: string[] = [];
  let portion = "";
  let fenced = false;
  for (const paragraph of text.split(/\n(?=\n)/u)) {
    if (portion && !fenced && portion.length + paragraph.length > READABLE) {
      found.push(portion);
      portion = "";
    }
    const fences = paragraph.match(/^\s*(?:```|~~~)/gmu)?.length ?? 0;
    fenced = fences % 2 === 1 ? !fenced : fenced;
    portion += portion ? `\n${paragraph}` : paragraph;
  }
  return portion ? [...found, portion] : found;
}
