import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { words } from "../lib/texts";
import type { Permission } from "../lib/wire";
import { allowWord, ownKind, rejectWord, wordKey } from "./deciding";

const ftl = (language: string) =>
  readFileSync(new URL(`../../../client/locales/${language}/ui.ftl`, import.meta.url), "utf8");
const asked = (permission: string) => ({ permission: { permission } as Permission });

test("a plan is started or planned on, and an agent that repeats itself goes on or stops", () => {
  const t = words({ language: "en", languages: [], ftl: ftl("en") });
  const said = (name: string) => [allowWord(t, asked(name)), rejectWord(t, asked(name))];
  expect(said("plan")).toEqual(["Start", "Keep planning"]);
  expect(said("doom_loop")).toEqual(["Keep going", "Stop"]);
  expect(said("bash")).toEqual(["Allow once", "Reject"]);
  expect(said("constructor")).toEqual(["Allow once", "Reject"]);
});

test("every language has all words of both", () => {
  for (const language of ["en", "zh-CN"]) {
    const t = words({ language, languages: [], ftl: ftl(language) });
    const begins = ["once", "reject", "why", "because", "did-once", "did-reject"];
    const window = ["act-once", "act-deny", "sure-reject", "why-not", "sure-always", "yes-always"];
    for (const begin of [...begins, ...window]) {
      for (const kind of ["plan", "doom_loop"]) {
        const key = wordKey(asked(kind), begin, "");
        expect(t(key), key).not.toBe(key);
      }
    }
  }
  expect(ownKind({ permission: null })).toBeUndefined();
});
