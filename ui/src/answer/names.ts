// What an ask is about in a few words, for headings and the queue.

import type { Words } from "../lib/texts";
import type { Ask } from "../lib/wire";

// The same names as in `client/src/text/words/wanting.rs`, whose test looks here.
const KNOWN = [
  "bash",
  "edit",
  "write",
  "read",
  "webfetch",
  "websearch",
  "external_directory",
  "plan",
  "doom_loop",
  "task",
  "skill",
  "glob",
  "grep",
  "list",
];
/** As Claude Code calls the tools of an MCP server. */
const OF_MCP = /^mcp__(.+?)__(.+)$/;

/** "Run a command?" */
export function heading(t: Words, ask: Ask): string {
  return wants(t, ask.permission?.permission ?? "");
}

/** The same for an agent's own name of a permission. */
export function wants(t: Words, name: string): string {
  if (KNOWN.includes(name)) return t(`ui-wants-${name}`);
  const cut = name.slice(0, 80);
  const [, server, tool] = OF_MCP.exec(cut) ?? [];
  return server && tool ? t("ui-wants-mcp", { server, tool }) : t("ui-wants", { name: cut });
}

/** What the ask is about, in a line. */
export function topic(t: Words, ask: Ask): string {
  if (ask.unknown !== undefined) return t("ui-unknown");
  if (ask.kind === "permission") return heading(t, ask);
  if (ask.kind === "confirm") return t("ui-wants-confirm");
  if (ask.questions.length !== 1) return t("ui-topic-set", { count: ask.questions.length });
  const [question] = ask.questions;
  return (question?.header || question?.question || "").slice(0, 80);
}
