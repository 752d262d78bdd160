import { expect, test } from "vitest";
import { FittedHeight } from "./fit";

test("another request takes its own height, higher or not", () => {
  const fitted = new FittedHeight();
  expect(fitted.next("a", 300)).toBe(300);
  expect(fitted.next("b", 260)).toBe(260);
  expect(fitted.next("c", 500)).toBe(500);
  expect(fitted.next("d", 500)).toBeUndefined();
});

test("what is unfolded makes the window grow, and what is folded leaves it as it is", () => {
  const fitted = new FittedHeight();
  expect(fitted.next("a", 300)).toBe(300);
  expect(fitted.next("a", 420)).toBe(420);
  expect(fitted.next("a", 300)).toBeUndefined();
  expect(fitted.next("a", 420)).toBeUndefined();
});
