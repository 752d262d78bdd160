import { expect, test } from "vitest";
import type { OutcomeKind, Source, SourceStatus, VerdictState } from "../lib/wire";
import { isTrouble } from "../settings/trouble";
import { ended, ours } from "./notice";

test("a notice says how an ask ended that was not answered here", () => {
  expect(ended("dismissed elsewhere", "elsewhere")).toEqual({ how: "dismissed", by: "elsewhere" });
  expect(ended("expired", "clock")).toEqual({ how: "expired", by: "clock" });
  expect(ended("gone")).toEqual({ how: "gone", by: null });
  expect(ended("already answered", "tray")).toEqual({ how: "elsewhere", by: "tray" });
});

test("a word of another version is neither ours nor an end of its own, and no trouble", () => {
  expect(ours("put off" as VerdictState)).toBeUndefined();
  expect(ended("snoozed" as OutcomeKind).how).toBe("elsewhere");
  expect(isTrouble({ state: "asleep" as SourceStatus } as Source)).toBe(false);
});
