import { expect, test } from "vitest";
import type { Permission } from "../lib/wire";
import { unseen, unseenKey } from "./call";

const wish = (of: Partial<Permission>): Permission => ({
  permission: "read",
  patterns: [],
  always: [],
  always_until: "unsaid",
  command: null,
  diff: null,
  ...of,
});

test("what is not shown in full is not allowed by one press", () => {
  const long = "x".repeat(601);
  expect(unseen(wish({ patterns: ["a", "b"] }))).toBeUndefined();
  expect(unseen(wish({ is_partial: true }))).toBe("partial");
  expect(unseen(wish({ patterns: [long] }))).toBe("cut");
  expect(unseen(wish({ patterns: Array<string>(201).fill("a") }))).toBe("cut");
  expect(unseen(wish({ patterns: Array<string>(200).fill("a") }))).toBeUndefined();
  expect(unseen(wish({ left_out: 1 }))).toBe("cut");
  expect(unseen(wish({ arguments: [{ name: "n".repeat(81), value: "v" }] }))).toBe("cut");
  expect(unseen(wish({ arguments: [{ name: "n", value: "v".repeat(2001) }] }))).toBe("cut");
  expect(unseen(wish({ command: "c".repeat(4001) }))).toBe("cut");
});

test("a pattern that its command says as well takes no place of its own", () => {
  const command = "npm run ".padEnd(700, "x");
  expect(unseen(wish({ command, patterns: [command] }))).toBeUndefined();
  expect(unseen(wish({ command: "npm", patterns: [command] }))).toBe("cut");
});

test("a change of which not all stands on the card is not allowed by one press", () => {
  const lines = (count: number) => Array<string>(count).fill("+a").join("\n");
  expect(unseen(wish({ diff: lines(400) }))).toBeUndefined();
  expect(unseen(wish({ diff: lines(401) }))).toBe("cut");
  expect(unseen(wish({ diff: `+echo ${" ".repeat(1000)}; rm -rf ~` }))).toBe("cut");
  expect(unseen(wish({ diff: "+a".repeat(100_001) }))).toBe("cut");
  expect(unseen(wish({ diff: "+a\n⋯ +58 kB #0ef1751d ⋯" }))).toBe("cut");
  expect(unseen(wish({ diff: "+a\n⋯ +19.8 MB #0ef1751d ⋯\n" }))).toBe("cut");
  expect(unseen(wish({ diff: "+⋯ +58 kB" }))).toBeUndefined();

  const key = (diff: string) => unseenKey(wish({ diff }));
  expect(key(lines(401))).toBe("ui-change-long");
  expect(key("+a\n⋯ +58 kB #0ef1751d ⋯")).toBe("ui-left-out");
  expect(unseenKey(wish({ command: "c".repeat(4001) }))).toBe("ui-command-long");
});
