import { expect, test } from "vitest";
import { isDeceptive } from "./hidden";

/** The length of the longest change that is kept. */
const LONG = 128 * 1024;

/** Returns how long some work takes, in milliseconds; the page is busy for so long. */
function time(work: () => unknown): number {
  const began = performance.now();
  work();
  return performance.now() - began;
}

test("a change of nothing but blanks and line breaks is looked through at once", () => {
  for (const piece of ["\n", " \n", "\r\n", " ", "\t", "x\n", "\u3000\n", "\n\n x\n", "x   "]) {
    const text = piece.repeat(LONG / piece.length);
    const took = time(() => isDeceptive(text));
    expect([JSON.stringify(piece), took < 200]).toEqual([JSON.stringify(piece), true]);
  }
});

test("white space that pushes a part out of sight is noticed wherever it stands", () => {
  const deceptive = {
    "x\n\n\n\ny": true,
    "\n\n\n\nx": true,
    "x\n \n\t\n\r\ny": true,
    "x\n\n\ny": false,
    "x\n\n\n\n": false,
    [`x${" ".repeat(16)}y`]: true,
    [`x${" ".repeat(15)}y`]: false,
    [`x${" ".repeat(200)}`]: false,
    [`x\t \ty`]: true,
    [`x\ty`]: false,
    [`${" ".repeat(48)}x`]: true,
    [`${" ".repeat(47)}x`]: false,
    [`x\n${" ".repeat(47)}y\n${" ".repeat(48)}z`]: true,
    [`x${" ".repeat(16)}\ny`]: false,
  };
  for (const [text, expected] of Object.entries(deceptive)) {
    expect([text, isDeceptive(text)]).toEqual([text, expected]);
  }
});
