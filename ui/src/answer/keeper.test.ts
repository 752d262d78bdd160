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

test("what Beckon could not take is handed over once its request is seen again, the newest of it", async () => {
  let isGone = true;
  const put = vi.fn(async () => (isGone ? Promise.reject(new Error("gone")) : undefined));
  const keeper = new Keeper(put);
  keeper.keep("a", draft(0));
  await vi.advanceTimersByTimeAsync(200);
  keeper.keep("a", draft(1));
  await vi.advanceTimersByTimeAsync(200);
  isGone = false;
  put.mockClear();
  keeper.retry([{ id: "b" }]);
  await vi.advanceTimersByTimeAsync(200);
  expect(put).not.toHaveBeenCalled();
  keeper.retry([{ id: "a" }]);
  await vi.advanceTimersByTimeAsync(200);
  keeper.retry([{ id: "a" }]);
  await vi.advanceTimersByTimeAsync(200);
  expect(put.mock.calls).toEqual([["a", draft(1)]]);
});

test("what was answered while Beckon was gone is not handed over afterwards", async () => {
  const put = vi.fn(async () => Promise.reject(new Error("gone")));
  const keeper = new Keeper(put);
  keeper.keep("a", draft(0));
  await vi.advanceTimersByTimeAsync(200);
  keeper.forget("a");
  keeper.retry([{ id: "a" }]);
  await vi.advanceTimersByTimeAsync(200);
  expect(put).toHaveBeenCalledTimes(1);
});
