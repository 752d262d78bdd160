import { expect, test } from "vitest";
import type { Source } from "../lib/wire";
import { asker } from "./who";

const t = (key: string) => ({ "ui-kind-opencode": "OpenCode" })[key] ?? key;
const source = (name: string, kind: Source["kind"]): Source => ({
  name,
  kind,
  url: "",
  state: "live",
  version: null,
  error: null,
  experimental: false,
});
const sources = [source("local", "opencode"), source("thesis", "interrupts")];
const from = (name: string, agent: string | null) =>
  asker(t, { source: name, session: { agent } as never }, sources);

test("who asks is called by the product, and by its mode only where that says something", () => {
  expect(from("local", "build")).toEqual(["OpenCode"]);
  expect(from("local", "plan")).toEqual(["OpenCode", "plan"]);
  expect(from("local", null)).toEqual(["OpenCode"]);
  expect(from("thesis", null)).toEqual(["thesis"]);
  expect(from("asks", "Claude Code")).toEqual(["Claude Code"]);
  expect(from("hub:tower", "build")).toEqual([]);
  expect(from("asks", " ")).toEqual([]);
});
