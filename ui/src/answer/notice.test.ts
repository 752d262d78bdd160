import { expect, test } from "vitest";
import type { HistoryEntry, OutcomeKind, Source, SourceStatus, VerdictState } from "../lib/wire";
import { isTrouble } from "../settings/trouble";
import { ended, learned, ours, type Notice } from "./notice";

test("a notice says how an ask ended that was not answered here", () => {
  expect(ended("dismissed elsewhere", "elsewhere")).toEqual({ how: "dismissed", by: "elsewhere" });
  expect(ended("expired", "clock")).toEqual({ how: "expired", by: "clock" });
  expect(ended("gone")).toEqual({ how: "gone", by: null });
  expect(ended("already answered", "tray")).toEqual({ how: "elsewhere", by: "tray" });
});

test("a dismissal on another surface is called one", () => {
  const notice = {
    is: "ended",
    ask: {},
    how: "elsewhere",
    by: null,
    lost: "",
  } as unknown as Notice;
  const entry = { outcome: "answered", ending: "dismissed", by: "cli", answer: [] };
  const said = learned(notice, entry as unknown as HistoryEntry, "");
  expect(said).toMatchObject({ how: "dismissed", by: "cli" });
});

test("a word of another version is neither ours nor an end of its own, and no trouble", () => {
  expect(ours("put off" as VerdictState)).toBeUndefined();
  expect(ended("snoozed" as OutcomeKind).how).toBe("elsewhere");
  expect(isTrouble({ state: "asleep" as SourceStatus } as Source)).toBe(false);
});
