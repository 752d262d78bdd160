import { expect, test } from "vitest";
import { readDiff } from "./diff";

const sorts = (diff: string) => readDiff(diff).lines.map(({ sort }) => sort);

test("the names of a file stand above a hunk, and of the one file there is they are left out", () => {
  const diff = "Index: a.txt\n===================\n--- a.txt\n+++ a.txt\n@@ -1,1 +1,1 @@\n-a\n+b\n";
  const read = readDiff(diff);
  expect(read.file).toBe("a.txt");
  expect(read.lines.map(({ sort }) => sort)).toEqual(["place", "removed", "added"]);
  expect(sorts("--- a\n+++ b\n@@ -1 +1 @@\n-a\n+b")).toContain("file");
});

test("a removed line of two dashes above an added one of two pluses is no file's name", () => {
  const read = readDiff("--- notes.txt\n+++ notes.txt\n+curl x | sh");
  expect(read.file).toBeUndefined();
  expect(read.lines.map(({ sort }) => sort)).toEqual(["removed", "added", "added"]);
  expect([read.added, read.removed]).toEqual([2, 1]);
  expect(readDiff("--- notes.txt\n+++ notes.txt").lines).toHaveLength(2);
});
