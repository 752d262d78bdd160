import { expect, test } from "vitest";
import type { RiskMark } from "./wire";
import { reach } from "./reach";

test("a pattern is marked by what its star leaves open", () => {
  const found = (pattern: string) => reach(pattern);
  expect(["rm *", "/bin/rm -r *", "Bash(rm:*)", "find . *"].map(found)).toEqual(
    Array(4).fill("deletes"),
  );
  expect(["sudo *", "doas apt *"].map(found)).toEqual(["admin", "admin"]);
  expect(["*", "bash *", "python3 *", "Bash(sh:*)"].map(found)).toEqual(Array(4).fill("anything"));
  expect(["git *", "git push *", "Bash(git push:*)"].map(found)).toEqual(Array(3).fill("rewrites"));
});

test("what leaves nothing open, and what does little harm, has no mark", () => {
  const plain = ["rm build/a.o", "npm run *", "git status *", "cargo *", "src/**", "constructor *"];
  expect(plain.map((pattern) => reach(pattern))).toEqual(Array(plain.length).fill(undefined));
});

test("a program whose command is marked is marked in its pattern, too", () => {
  const risks: RiskMark[] = [{ risk: "deletes", words: "wipe -f disk", start: 0, end: 12 }];
  expect(reach("wipe *", risks)).toBe("deletes");
  expect(reach("npm *", risks)).toBeUndefined();
});
