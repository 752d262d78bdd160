import { expect, test } from "vitest";
import type { View } from "../lib/wire";
import { Calling } from "./calling";

const view = (call: number, ask?: string): View =>
  ({
    call,
    page: { window: "answer", ...(ask ? { ask } : {}) },
    asks: [
      { id: "b", source: "main" },
      { id: "c", source: "main" },
    ],
  }) as unknown as View;

test("a call is carried out once, and the next one for the same request once more", () => {
  const calling = new Calling();
  for (const call of [1, 2]) {
    expect(calling.hear(view(call, "b"))).toBe(true);
    expect(calling.take(view(call, "b"))).toBe("b");
    expect(calling.hear(view(call, "b"))).toBe(false);
    expect(calling.take(view(call, "b"))).toBe(null);
  }
});

test("a call is kept until somebody can carry it out, and the newest one counts", () => {
  const calling = new Calling();
  calling.hear(view(1, "b"));
  calling.hear(view(2, "main/c"));
  calling.hear(view(2, "main/c"));
  expect(calling.take(view(2))).toBe("main/c");
  calling.hear(view(3, "b"));
  calling.hear(view(4));
  expect(calling.take(view(4))).toBe(null);
});

test("a call for a request that is not there shows nothing else", () => {
  const calling = new Calling();
  calling.hear(view(1, "gone"));
  expect(calling.take(view(1))).toBe(null);
});
