import { expect, test } from "vitest";
import { segments } from "./marks";

const told = (text: string, ...marks: [number, number][]) =>
  segments(
    text,
    marks.map(([start, end]) => ({ start, end })),
  )
    .map(({ text, marked }) => (marked ? `[${text}]` : text))
    .join("");

test("marked words are set apart and nothing is lost or doubled", () => {
  expect(told("rm -rf a && rm -r b", [0, 6], [12, 17])).toBe("[rm -rf] a && [rm -r] b");
  expect(told("rm -rf a", [3, 6], [0, 6])).toBe("[rm -rf] a");
  expect(told("abcdef", [0, 4], [2, 5])).toBe("[abcd][e]f");
  expect(told("abc")).toBe("abc");
});

test("a mark that leads out of the text, or the wrong way, does no harm", () => {
  expect(told("abc", [1, 99])).toBe("a[bc]");
  expect(told("abc", [7, 9], [2, 1])).toBe("abc");
  expect(told("", [0, 1])).toBe("");
});
