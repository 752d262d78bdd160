// A unified diff, told apart line by line. Words beside colours: every line keeps its sign.

export type Sort = "file" | "place" | "added" | "removed" | "same";

export interface Line {
  sort: Sort;
  text: string;
}

export interface Diff {
  /** The one file that is changed under its own name; its two lines are then left out. */
  file?: string;
  lines: Line[];
  added: number;
  removed: number;
}

/** What OpenCode sets before each file; the two lines after it name the file again. */
const HEAD = /^Index: .*\n={10,}\n(?=--- )/gm;
/** How many lines of the old and of the new file follow. */
const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/** Reads a diff; text that is none comes back as unchanged lines. */
export function readDiff(diff: string): Diff {
  const lines = sorted(diff.replace(HEAD, "").replace(/\n$/, "").split("\n"));
  const count = (sort: Sort) => lines.filter((line) => line.sort === sort).length;
  const figures = { added: count("added"), removed: count("removed") };
  const file = onlyFile(lines);
  return file === undefined ? { lines, ...figures } : { file, lines: lines.slice(2), ...figures };
}

/** Inside a hunk the first character alone tells: a removed `-- note` is no file's name. */
function sorted(texts: string[]): Line[] {
  let [old, fresh] = [0, 0];
  // Without a hunk a removed `-- note` above an added `++ note` would look like two names.
  const isUnified = texts.some((text) => HUNK.test(text));
  return texts.map((text) => {
    if (old <= 0 && fresh <= 0) {
      const hunk = HUNK.exec(text);
      if (hunk) [old, fresh] = [Number(hunk[1] ?? 1), Number(hunk[2] ?? 1)];
      return { sort: outside(text, isUnified), text };
    }
    const sort = inside(text);
    if (sort !== "added" && !text.startsWith("\\")) old -= 1;
    if (sort !== "removed" && !text.startsWith("\\")) fresh -= 1;
    return { sort, text };
  });
}

function inside(text: string): Sort {
  return text.startsWith("+") ? "added" : text.startsWith("-") ? "removed" : "same";
}

function onlyFile(lines: Line[]): string | undefined {
  const heads = lines.filter((line) => line.sort === "file");
  const first = heads.length === 2 && lines[0] === heads[0] && lines[1] === heads[1];
  const name = first ? /^--- (.+)$/.exec(heads[0]?.text ?? "")?.[1] : undefined;
  return heads[1]?.text === `+++ ${name}` ? name : undefined;
}

function outside(text: string, isUnified: boolean): Sort {
  if (/^(Index: |diff --git )/.test(text)) return "file";
  if (isUnified && /^(--- |\+\+\+ )/.test(text)) return "file";
  if (text.startsWith("@@")) return "place";
  if (text.startsWith("+")) return "added";
  if (text.startsWith("-")) return "removed";
  return "same";
}
