// Characters that nobody sees but that change what is seen: direction overrides, zero-width and
// control characters. An agent's text shows them as their code, so that a command reads as it is.
// The same rules as in `core/src/visible.rs`; `core/tests/visible.json` holds what both must answer.

export interface Piece {
  text: string;
  /** The code point when this piece stands for a hidden character. */
  code?: string;
}

/** So many blanks inside a line push what follows out of sight. */
const BLANKS = 16;
/** Indented code begins further to the right than any sentence, but not that far. */
const INDENT = 48;
/** A tab is about so wide. */
const TAB = 8;
/** So many line breaks in a row leave a hole that a text seems to end at. */
const BREAKS = 4;
const BLANK = /\s/u;

/** In a command everything but a plain character, a blank and a line break is worth a look. */
const EXACT =
  /(?![\n\t ]|\r\n|(?<=[\u2190-\u27bf\u2900-\u2bff\u{1f000}-\u{1faff}])\ufe0f)[\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\ufffd\u2800]/gu;
/** Prose has its joiners, direction marks and wide blanks (emoji, Persian, Arabic, Chinese). */
const PROSE =
  /(?![\n\t]|\r\n|\u200c|\u200d|\u200e|\u200f|\u061c|(?<=[^\s\p{Cc}\p{Variation_Selector}])\p{Variation_Selector})[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;
/** Letters that turn the order of what stands around them. */
const LEFTWARDS =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1eeff}]/u;

/** Could a command, a path or a change be taken for another one? */
export function isDeceptive(text: string): boolean {
  return text.search(EXACT) >= 0 || LEFTWARDS.test(text) || hasHoles(text);
}

/** Does white space push a part of it out of sight? The text is gone through once: a regular expression
 * would begin anew at each of a hundred thousand line breaks. */
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
