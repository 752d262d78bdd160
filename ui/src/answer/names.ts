// Short texts that say what an ask is about, for headings and the queue.

import { clip } from "../lib/clip";
import { pieces } from "../lib/hidden";
import type { Words } from "../lib/texts";
import type { Ask } from "../lib/wire";
import { machine, project as nameOf } from "./queue";

// Permission names with a text of their own. The same names are in
// `client/src/text/words/wanting.rs`, whose test reads this list.
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
/** The pattern of the names that Claude Code gives to tools of an MCP server. */
const OF_MCP = /^mcp__(.+?)__(.+)$/;

/** A placeholder for the object in a title until it is set apart. No text contains this
 * character. */
export const OBJECT = "\ufffc";
/** Number of objects that a title names. */
const MOST_OBJECTS = 3;
/** Characters of a project's name in a title. A long directory must not push the rest out. */
const PROJECT = 24;

/** Returns a title in three parts, so that its object can be set in another font: "shop-api wants
 * to run ", "npm", "". Without an object the last two are empty. */
export function title(t: Words, ask: Ask): [string, string, string] {
  const verb = `title-${ask.permission?.purpose?.verb ?? "other"}`;
  // The verb may be unknown, of a newer Beckon.
  const key = t(verb) === verb ? "title-other" : verb;
  const name = place(nameOf(ask.session)) || t("title-nobody");
  const on = machine(ask);
  const project = on ? t("place-on", { project: name, machine: place(on) }) : name;
  const what = objects(t, ask);
  if (!what) {
    const unknown = `${key}-unknown`;
    return [t(t(unknown) === unknown ? key : unknown, { project }), "", ""];
  }
  return parted(t(key, { project, what: OBJECT }), what);
}

/** Splits a text at the placeholder and puts the object between the parts. */
export function parted(text: string, object: string): [string, string, string] {
  const [before = "", after = ""] = text.split(OBJECT);
  return [before, object, after];
}

/** Characters of a project's name that are read. It is more than are shown, since blanks are merged
 * and each hidden character is written out. */
const LOOKED_AT = 400;

/** Returns a name as a title shows it: hidden characters written out, on one line, cut to
 * `PROJECT`. */
export function place(project: string): string {
  const named = pieces(clip(project, LOOKED_AT).text, true).map(({ text, code }) =>
    code ? `⟨${code}⟩` : text,
  );
  const line = [...named.join("").replaceAll(OBJECT, " ").trim().replace(/\s+/gu, " ")];
  return line.length > PROJECT ? `${line.slice(0, PROJECT).join("")}…` : line.join("");
}

/** Lists what a permission is for, as far as a title has room: "npm, rm and 2 more". */
export function objects(t: Words, ask: Ask): string {
  const { verb, objects } = ask.permission?.purpose ?? { verb: "other", objects: [] };
  const [server, tool] = objects;
  if (verb === "tool" && server && tool) return t("title-tool-of", { server, tool });
  const what = objects.slice(0, MOST_OBJECTS).join(t("title-comma"));
  const more = objects.length - MOST_OBJECTS;
  return more > 0 ? t("title-more", { what, count: more }) : what;
}

/** Returns the title of an ask as one text. */
export function heading(t: Words, ask: Ask): string {
  return title(t, ask).join("");
}

/** Returns the title for an agent's own name of a permission. */
export function wants(t: Words, name: string): string {
  if (KNOWN.includes(name)) return t(`ui-wants-${name}`);
  const cut = name.slice(0, 80);
  const [, server, tool] = OF_MCP.exec(cut) ?? [];
  return server && tool ? t("ui-wants-mcp", { server, tool }) : t("ui-wants", { name: cut });
}

/** Says in one line what an ask is about. */
export function topic(t: Words, ask: Ask): string {
  if (ask.unknown !== undefined) return t("ui-unknown");
  if (ask.kind === "permission") return heading(t, ask);
  if (ask.kind === "confirm") return t("ui-wants-confirm");
  if (ask.questions.length !== 1) return t("ui-topic-set", { count: ask.questions.length });
  const [question] = ask.questions;
  return (question?.header || question?.question || "").slice(0, 80);
}
