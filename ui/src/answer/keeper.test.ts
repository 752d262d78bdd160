import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Keeper } from "./keeper";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const draft = (page: number) => ({ replies: [], page });

test("a burst of changes is handed over once, the newest of each ask", () => {
  const put = vi.fn(async () => {});
  const keeper = new Keeper(put);
  keeper.keep("a", draft(0));
  keeper.keep("b", draft(0));
  keeper.keep("a", draft(1));
  expect(put).not.toHaveBeenCalled();
  vi.advanceTimersByTime(200);
  expect(put.mock.calls).toEqual([
    ["a", draft(1)],
    ["b", draft(0)],
  ]);
});

test("typing without a pause is handed over all the same", () => {
  const put = vi.fn(async () => {});
  const keeper = new Keeper(put);
  for (let i = 0; i < 10; i += 1) {
    keeper.keep("a", draft(i));
    vi.advanceTimersByTime(50);
  }
  expect(put.mock.calls.length).toBeGreaterThan(1);
});

test("a flush leaves nothing behind, and what is answered is not kept", () => {
  const put = vi.fn(async () => Promise.reject(new Error("settled")));
  const keeper = new Keeper(put);
  keeper.keep("a", draft(0));
  keeper.keep("b", draft(0));
  keeper.forget("b");
  keeper.flush();
  keeper.flush();
  expect(put.mock.calls).toEqual([["a", draft(0)]]);
});
