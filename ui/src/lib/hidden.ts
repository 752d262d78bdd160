// Characters that nobody sees but that change what is seen: direction overrides, zero-width and
// control characters. An agent's text shows them as their code, so that a command reads as it is.

export interface Piece {
  text: string;
  /** The code point when this piece stands for a hidden character. */
  code?: string;
}

const ALWAYS =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u115f\u1160\u180e\u200b\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
/** Legitimate in prose (Arabic, Persian, emoji); in a command they are not. */
const EXACT =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u00a0\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e01ef}]/gu;

/** Cuts a text into what is shown as it is and what is shown as a code. */
export function pieces(text: string, exact = false): Piece[] {
  const found: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(exact ? EXACT : ALWAYS)) {
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
