import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { clip, isLong } from "./clip";
import { readDiff } from "./diff";
import { isDeceptive, pieces } from "./hidden";
import { read, type Node } from "./markdown";

const codes = (text: string, exact = false) =>
  pieces(text, exact).flatMap((piece) => (piece.code ? [piece.code] : []));

test("hidden characters become codes, and not one character is lost", () => {
  const text = "a\u202eb\u200bc\u0000d\u{e0041}";
  expect(codes(text)).toEqual(["U+202E", "U+200B", "U+0000", "U+E0041"]);
  expect(
    pieces(text)
      .map((piece) => piece.text)
      .join(""),
  ).toBe(text);
});

interface Case {
  text: string;
  exact: string;
  prose: string;
  deceptive: boolean;
}

test("the windows show and notice what every other surface does", () => {
  const table = new URL("../../../core/tests/visible.json", import.meta.url);
  const cases = JSON.parse(readFileSync(table, "utf8")) as Case[];
  const shown = (text: string, exact: boolean) =>
    pieces(text, exact)
      .map((piece) => (piece.code ? `⟨${piece.code}⟩` : piece.text))
      .join("");
  for (const { text, exact, prose, deceptive } of cases) {
    expect(shown(text, true)).toBe(exact);
    expect(shown(text, false)).toBe(prose);
    expect([exact, isDeceptive(text)]).toEqual([exact, deceptive]);
  }
});

test("a family in prose stays a family; in a command every joiner shows", () => {
  const family = "👨‍👩‍👧";
  expect(codes(family)).toEqual([]);
  expect(codes(family, true)).toEqual(["U+200D", "U+200D"]);
  expect(codes("rm\u00a0-rf", true)).toEqual(["U+00A0"]);
  expect(codes("two\n\tlines 中文", true)).toEqual([]);
});

test("a clipped text tears no character and prefers the end of a line", () => {
  expect(clip("abc", 3)).toEqual({ text: "abc", rest: 0 });
  expect(clip("ab😀cd", 3)).toEqual({ text: "ab", rest: 4 });
  expect(clip("line one\nline two", 10)).toEqual({ text: "line one\n", rest: 8 });
});

test("a text is long by its lines as well as by its length", () => {
  expect(isLong("a\nb\nc", 3, 40)).toBe(false);
  expect(isLong("a\nb\nc\nd", 3, 40)).toBe(true);
  expect(isLong("x".repeat(200), 3, 40)).toBe(true);
});

function plain(nodes: Node[]): string {
  return nodes.map((node) => (node.is === "text" ? node.text : plain(node.inside))).join("");
}

function links(nodes: Node[]): string[] {
  return nodes.flatMap((node) => {
    if (node.is === "text") return [];
    return [...(node.is === "link" ? [node.href] : []), ...links(node.inside)];
  });
}

test("Markdown becomes elements", () => {
  const [paragraph, list] = read("Say **it**\n\n- one\n- two");
  expect(paragraph).toMatchObject({ is: "element", tag: "p" });
  expect(list).toMatchObject({ is: "element", tag: "ul" });
  expect(plain(read("# Big `code` ~~gone~~"))).toBe("Big code gone");
});

test("HTML in Markdown stays text, and only web addresses are links", () => {
  const nasty =
    "Look: <script>x</script> [a](javascript:x) [b](https://example.com) ![p](https://e.com/p.png)";
  expect(plain(read(nasty))).toContain("<script>x</script>");
  expect(links(read(nasty))).toEqual(["https://example.com"]);
  expect(links(read("[a](data:text/html,x) [b](file:///etc/passwd) <vbscript:x>"))).toEqual([]);
});

test("nesting without end is cut, not followed", () => {
  expect(plain(read(`${"> ".repeat(500)}deep`))).toContain("deep");
  expect(plain(read("*".repeat(3000)))).toBeTypeOf("string");
});

test("a diff's lines are told apart and counted, heads are none", () => {
  const diff = readDiff(
    "Index: a\n===================\n--- a\n+++ b\n@@ -1,2 +1,3 @@\n x\n-y\n+z\n+w\n",
  );
  expect(diff.lines.map((line) => line.sort)).toEqual([
    ...["file", "file", "place", "same"],
    ...["removed", "added", "added"],
  ]);
  expect([diff.added, diff.removed]).toEqual([2, 1]);
  expect(diff.file).toBeUndefined();
});

test("a file that keeps its name is named once", () => {
  const diff = readDiff("--- src/a.ts\n+++ src/a.ts\n@@ -1 +1 @@\n-y\n+z\n");
  expect(diff.file).toBe("src/a.ts");
  expect(diff.lines.map((line) => line.text)).toEqual(["@@ -1 +1 @@", "-y", "+z"]);
  expect(readDiff("--- a\n+++ a\n@@ -1 +1 @@\n-y\n+z\n--- b\n+++ b\n").file).toBeUndefined();
});

test("a removed line that looks like a file's name is a removed line", () => {
  const diff = readDiff("--- a\n+++ a\n@@ -1,2 +1,2 @@\n--- a note\n-x\n+++ another\n+y\n");
  expect([diff.added, diff.removed]).toEqual([2, 2]);
  expect(diff.lines[1]).toEqual({ sort: "removed", text: "--- a note" });
});
