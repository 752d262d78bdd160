import { expect, test } from "vitest";
import type { Permission } from "../lib/wire";
import { unseen } from "./call";

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
