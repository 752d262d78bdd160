// What an ask is about in a few words, for headings and the queue.

import type { Words } from "../lib/texts";
import type { Ask } from "../lib/wire";

const KNOWN = ["bash", "edit", "write", "read", "webfetch", "external_directory"];

/** "Run a command?" */
export function heading(t: Words, ask: Ask): string {
  return wants(t, ask.permission?.permission ?? "");
}

/** The same for an agent's own name of a permission. */
export function wants(t: Words, name: string): string {
  return KNOWN.includes(name) ? t(`ui-wants-${name}`) : t("ui-wants", { name: name.slice(0, 80) });
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
