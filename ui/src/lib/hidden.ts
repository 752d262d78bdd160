// Characters that nobody sees but that change what is seen: direction overrides, zero-width and
// control characters. An agent's text shows them as their code, so that a command reads as it is.

export interface Piece {
  text: string;
  /** The code point when this piece stands for a hidden character. */
  code?: string;
}

/** In a command everything but a plain character, a blank and a line break is worth a look. */
const EXACT = /(?![\n\t ])[\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}]/gu;
/** Prose has its joiners, direction marks and wide blanks (emoji, Persian, Arabic, Chinese). */
const PROSE =
  /(?![\n\r\t]|\u200c|\u200d|\u200e|\u200f|\u061c|\p{Variation_Selector})[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Cuts a text into what is shown as it is and what is shown as a code. */
export function pieces(text: string, exact = false): Piece[] {
  const found: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(exact ? EXACT : PROSE)) {
    if (match.index > from) found.push({ text: text.slice(from, match.index) });
    found.push({ text: match[0], code: code(match[0]) });
    from = match.index + match[0].length;
  }
  if (from < text.length) found.push({ text: text.slice(from) });
  return found;
}

function code(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  return `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
}
