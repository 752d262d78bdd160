import { expect, test } from "vitest";
import { hours, written } from "./quiet";

test("the file's hours are two times, and two times are the file's hours", () => {
  expect(hours("23:00-07:30")).toEqual({ from: "23:00", to: "07:30" });
  expect(written({ from: "23:00", to: "07:30" })).toBe("23:00-07:30");
});

test.each(["", "23-7", "23:00", "23:00-07:30 "])("%j are no hours", (text) => {
  expect(hours(text)).toBeUndefined();
});

test("what is half typed, or no time at all, is not saved", () => {
  expect(written({ from: "", to: "07:30" })).toBeUndefined();
  expect(written({ from: "07:30", to: "07:30" })).toBeUndefined();
});
