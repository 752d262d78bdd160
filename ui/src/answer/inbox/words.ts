// The text of a row in the inbox: what is to be done, which kind of request it is, and what to
// beware of.

import { clip } from "../../lib/clip";
import { readDiff } from "../../lib/diff";
import type { Words } from "../../lib/texts";
import type { Ask } from "../../lib/wire";
import { leading } from "../leading";
import { objects, OBJECT, parted } from "../names";

/** Characters of a text that a row shows. The rest is one key away. */
export const LINE = 200;
/** Characters of a change that are counted. In a longer one the lines are not counted, since rows
 * must not hold up the list. */
const COUNTED = 40_000;

/** A text in three parts, whose object is set as `code`. */
export type Parts = [before: string, object: string, after: string];

/** Returns what is to be done, or asked: "Run ", "npm test", "". */
export function deed(t: Words, ask: Ask): Parts {
  if (ask.unknown !== undefined) return [t("ui-unknown"), "", ""];
  if (ask.kind === "permission") return task(t, ask, object(t, ask));
  if (ask.kind === "confirm")
    return [
      (leading(ask.info ?? "").find(Boolean) ?? t("ui-wants-confirm")).slice(0, LINE),
      "",
      "",
    ];
  const [first, ...rest] = ask.questions;
  const names = rest.length > 0 ? ask.questions.map((each) => each.header || each.question) : [];
  const text = names.length > 0 ? names.join(t("title-comma")) : first?.question || first?.header;
  return [(text || t("ui-no-text")).slice(0, LINE), "", ""];
}

function task(t: Words, ask: Ask, what: string): Parts {
  const verb = `ui-do-${ask.permission?.purpose?.verb ?? "other"}`;
  // The verb may be unknown, of a newer Beckon.
  const key = t(verb, { what }) === verb ? "ui-do-other" : verb;
  if (what) return parted(t(key, { what: OBJECT }), what);
  const unknown = `${key}-unknown`;
  return [t(t(unknown) === unknown ? key : unknown, { what }), "", ""];
}

/** Returns the exact object, longer than the title of a notification has room for. */
function object(t: Words, ask: Ask): string {
  const { command, patterns = [], purpose } = ask.permission ?? {};
  if (command) return command.trim().slice(0, 4 * LINE);
  const [pattern, ...rest] = patterns;
  switch (purpose?.verb) {
    case "edit":
    case "write":
    case "read":
    case "leave":
    case "find":
    case "grep":
    case "list":
      if (!pattern) return objects(t, ask);
      return rest.length > 0 ? t("title-more", { what: pattern, count: rest.length }) : pattern;
    default:
      return objects(t, ask);
  }
}

/** Returns the title of several similar permissions: "Run ", "npm test", ", 5 times". */
export function pile(t: Words, asks: readonly Ask[]): Parts {
  const [first] = asks;
  if (!first) return ["", "", ""];
  const what = common(asks.map((ask) => ask.permission?.command ?? "")) || objects(t, first);
  const [before, , after] = task(t, first, what);
  const deed = what ? `${before}${OBJECT}${after}` : before;
  return parted(t("ui-pile", { deed, count: asks.length }), what);
}

/** Returns the words with which all of these commands begin, without switches at their end. */
export function common(commands: readonly string[]): string {
  const [first = [], ...rest] = commands.map((command) => command.trim().split(/\s+/u));
  let count = 0;
  while (count < first.length && rest.every((words) => words[count] === first[count])) count += 1;
  while (count > 0 && first[count - 1]?.startsWith("-")) count -= 1;
  return first.slice(0, count).join(" ");
}

export interface Note {
  text: string;
  /** Whether it is something to beware of. */
  warns: boolean;
}

/** Returns the notes below a row's title: "Question · 2 choices", "Permission · deletes files". */
export function notes(t: Words, ask: Ask): Note[] {
  const plain = (text: string): Note => ({ text, warns: false });
  const warning = (text: string): Note => ({ text, warns: true });
  const found = kind(t, ask).map(plain);
  if (ask.returned) found.push(warning(t("ui-row-returned")));
  if (ask.state === "stale") found.push(warning(t("ui-row-stale")));
  const risks = new Set((ask.risks ?? []).map((mark) => mark.risk));
  for (const risk of risks) found.push(warning(t(`ui-risk-${risk}`)));
  return found;
}

function kind(t: Words, ask: Ask): string[] {
  if (ask.kind === "confirm") return [t("ui-row-confirm")];
  if (ask.permission?.purpose?.verb === "plan") return [t("ui-plan")];
  if (ask.kind === "permission") return [t("ui-row-permission"), change(t, ask)].filter(Boolean);
  const [first, ...rest] = ask.questions;
  if (rest.length > 0) return [t("ui-topic-set", { count: ask.questions.length })];
  const count = first?.choices.length ?? 0;
  return count > 0
    ? [t("ui-row-question"), t("ui-choices-found", { count })]
    : [t("ui-row-question")];
}

function change(t: Words, ask: Ask): string {
  const part = clip(ask.permission?.diff ?? "", COUNTED);
  if (!part.text || part.rest > 0) return "";
  const { added, removed } = readDiff(part.text);
  return t("ui-row-change", { added, removed });
}
