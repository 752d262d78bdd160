// A unified diff, told apart line by line. Words beside colours: every line keeps its sign.

export type Sort = "file" | "place" | "added" | "removed" | "same";

export interface Line {
  sort: Sort;
  text: string;
}

export interface Diff {
  lines: Line[];
  added: number;
  removed: number;
}

/** What OpenCode sets before each file; the two lines after it name the file again. */
const HEAD = /^Index: .*\n={10,}\n(?=--- )/gm;

/** Reads a diff; text that is none comes back as unchanged lines. */
export function readDiff(diff: string): Diff {
  const lines = diff.replace(HEAD, "").replace(/\n$/, "").split("\n").map(line);
  const count = (sort: Sort) => lines.filter((line) => line.sort === sort).length;
  return { lines, added: count("added"), removed: count("removed") };
}

function line(text: string): Line {
  return { sort: sort(text), text };
}

function sort(text: string): Sort {
  if (/^(Index: |diff --git |--- |\+\+\+ )/.test(text)) return "file";
  if (text.startsWith("@@")) return "place";
  if (text.startsWith("+")) return "added";
  if (text.startsWith("-")) return "removed";
  return "same";
}
