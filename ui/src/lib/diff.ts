// Reading a unified diff line by line. Every line keeps its sign, so that colour is not the only
// mark.

export type Sort = "file" | "place" | "added" | "removed" | "same";

export interface Line {
  sort: Sort;
  text: string;
}

export interface Diff {
  /** The name of the changed file, if there is only one and it keeps its name. Its two lines are
   * then left out. */
  file?: string;
  lines: Line[];
  added: number;
  removed: number;
}

/** The lines that OpenCode sets before each file. The two lines after them name the file again. */
const HEAD = /^Index: .*\n={10,}\n(?=--- )/gm;
/** The head of a hunk, with the number of lines of the old and of the new file that follow. */
const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/** Reads a diff. A text that is not a diff comes back as unchanged lines. */
export function readDiff(diff: string): Diff {
  const lines = sorted(diff.replace(HEAD, "").replace(/\n$/, "").split("\n"));
  const count = (sort: Sort) => lines.filter((line) => line.sort === sort).length;
  const figures = { added: count("added"), removed: count("removed") };
  const file = onlyFile(lines);
  return file === undefined ? { lines, ...figures } : { file, lines: lines.slice(2), ...figures };
}

/** Sorts the lines. Inside a hunk only the first character counts: a removed `-- note` is not a
 * file's name. */
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
