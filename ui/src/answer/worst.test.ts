// A test of how long a page is busy with the largest body that a request may have, in each shape.
// Prints a table when it is run alone: npx vitest run --project logic src/answer/worst.test.ts

import { expect, test } from "vitest";
import { clip } from "../lib/clip";
import { readDiff } from "../lib/diff";
import { isDeceptive, pieces } from "../lib/hidden";
import { read } from "../lib/markdown";
import { segments } from "../lib/marks";
import type { Permission } from "../lib/wire";
import { lines, unseen } from "./call";
import { common } from "./inbox/words";
import { place } from "./names";
import { READABLE } from "./said";

/** The limit in milliseconds of processor time, since this machine may have other work. A page that
 * is busy for longer seems to hang. */
const BUDGET = 200;
/** The most bytes that are kept of a change, and of any other text (`core/src/cut.rs`). */
const CHANGE = 128 * 1024;
const TEXT = 64 * 1024;

const SHAPES: Record<string, string> = {
  "all line breaks": "\n",
  "all blank lines": " \n",
  "Windows' line breaks": "\r\n",
  "all blanks": " ",
  "all tabs": "\t",
  "wide blanks": "\u3000",
  "one word": "x",
  "short lines": "+x\n",
  "all hidden": "\u200b",
  "hidden and shown": "x\u202e",
  selectors: "\ufe0f",
  emoji: "😀",
  "half emoji": "\ud83d",
  hunks: "@@ -1 +1 @@\n",
  heads: "Index: x\n===========\n--- x\n+++ x\n",
  "heads without an end": "Index: ",
  "equals signs": "Index: x\n=",
  signs: "====",
  stars: "*",
  "stars and letters": "*a ",
  underscores: "_a",
  brackets: "[",
  "links that never close": "[a](",
  images: "![",
  backticks: "`",
  "backticks apart": "` ",
  tildes: "~~a",
  angles: "<",
  tags: "<a ",
  entities: "&amp",
  quotes: "> ",
  "nested lists": "- ",
  "lists of lines": "- a\n",
  numbers: "1. ",
  tables: "|",
  "rows of tables": "|a|b|\n|-|-|\n",
  headings: "# ",
  references: "[a]: ",
  escapes: "\\",
  addresses: "http://",
  "at signs": "a@",
  commas: "a,b ",
};

function repeated(piece: string, length: number): string {
  return piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
}

function wish(text: string): Permission {
  const many = Array.from({ length: 1000 }, (_, at) => text.slice(at * 128, at * 128 + 128));
  return {
    permission: "edit",
    patterns: many,
    always: many,
    always_until: "unsaid",
    command: text.slice(0, TEXT),
    diff: text,
    arguments: many.slice(0, 64).map((value) => ({ name: value, value })),
  };
}

/** The work that a page does with a text before it draws it. */
const WORK: Record<string, (text: string) => unknown> = {
  "could it be misread": (text) => isDeceptive(text),
  "its hidden characters": (text) => pieces(clip(text, 4000).text, true),
  "its change": (text) => {
    const { lines } = readDiff(clip(text, 200_000).text);
    return lines.slice(0, 400).map((line) => pieces(clip(line.text, 1000).text, true));
  },
  "its marks": (text) => {
    const marks = Array.from({ length: 206 }, (_, at) => ({ start: at, end: at + 100 }));
    return segments(text, marks);
  },
  "what it asks for": (text) => {
    const asked = wish(text);
    return [unseen(asked), lines(asked).some((line) => isDeceptive(line))];
  },
  "its place": (text) => place(text),
  "what several have in common": (text) => common([text, text, text]),
  "its Markdown": (text) => read(clip(text, READABLE).text),
};

test("a page is never away for longer than a glance, whatever it shows", () => {
  const over: string[] = [];
  const longest = { took: 0, what: "" };
  for (const [shape, piece] of Object.entries(SHAPES)) {
    const text = repeated(piece, CHANGE);
    for (const [work, run] of Object.entries(WORK)) {
      const began = process.cpuUsage();
      run(text);
      const { user, system } = process.cpuUsage(began);
      const took = (user + system) / 1000;
      const what = `${shape}, ${work}: ${took.toFixed(0)} ms`;
      if (took > longest.took) Object.assign(longest, { took, what });
      if (took > BUDGET) over.push(what);
    }
  }
  console.log(`the longest: ${longest.what}`);
  expect(over).toEqual([]);
}, 600_000);
