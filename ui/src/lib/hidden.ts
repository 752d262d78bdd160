// Hidden characters, which change what is seen without being seen: direction overrides, zero-width
// and control characters. An agent's text shows them as their code, so that a command reads as it
// is. The same rules are in `core/src/visible.rs`; `core/tests/visible.json` holds what both must
// answer.

export interface Piece {
  text: string;
  /** The code point, if this piece stands for a hidden character. */
  code?: string;
}

/** Number of blanks inside a line that push what follows out of sight. */
const BLANKS = 16;
/** Number of blanks at the beginning of a line that push it out of sight. Indented code begins
 * further to the right than any sentence, but not that far. */
const INDENT = 48;
/** Width of a tab in blanks, about. */
const TAB = 8;
/** Number of line breaks in a row that leave a hole at which a text seems to end. */
const BREAKS = 4;
const BLANK = /\s/u;

/** Characters shown as codes in a command: everything but plain characters, blanks and line
 * breaks. */
const EXACT =
  /(?![\n\t ]|\r\n|(?<=[\u2190-\u27bf\u2900-\u2bff\u{1f000}-\u{1faff}])\ufe0f)[\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\ufffd\u2800]/gu;
/** Characters shown as codes in prose. Joiners, direction marks and wide blanks are left alone,
 * since prose needs them (emoji, Persian, Arabic, Chinese). */
const PROSE =
  /(?![\n\t]|\r\n|\u200c|\u200d|\u200e|\u200f|\u061c|(?<=[^\s\p{Cc}\p{Variation_Selector}])\p{Variation_Selector})[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;
/** Letters of scripts that run from right to left, which change the order of what is around
 * them. */
const LEFTWARDS =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1eeff}]/u;

/** Tells whether a command, a path or a change could be taken for another one. */
export function isDeceptive(text: string): boolean {
  return text.search(EXACT) >= 0 || LEFTWARDS.test(text) || hasHoles(text);
}

/** Tells whether white space pushes a part of a text out of sight. The text is read once: a regular
 * expression would begin anew at each of a hundred thousand line breaks. */
function hasHoles(text: string): boolean {
  let blanks = 0;
  let breaks = 0;
  let indented = true;
  for (const character of text) {
    if (character === "\n") {
      breaks += 1;
      blanks = 0;
      indented = true;
    } else if (character === "\t") {
      blanks += TAB;
    } else if (BLANK.test(character)) {
      if (character !== "\r") blanks += 1;
    } else {
      if (blanks >= (indented ? INDENT : BLANKS) || breaks >= BREAKS) return true;
      blanks = 0;
      breaks = 0;
      indented = false;
    }
  }
  return false;
}

/** Cuts a text into pieces that are shown as they are and pieces that are shown as a code. */
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
