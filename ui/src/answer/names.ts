// What an ask is about in a few words, for headings and the queue.

import { clip } from "../lib/clip";
import { pieces } from "../lib/hidden";
import type { Words } from "../lib/texts";
import type { Ask } from "../lib/wire";
import { machine, project as nameOf } from "./queue";

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

/** What takes the object's place until it is set apart: no text has it. */
export const OBJECT = "\ufffc";
/** A title has room for so many objects. */
const MOST_OBJECTS = 3;
/** A long directory must not push the rest out of a title. */
const PROJECT = 24;

/** "shop-api wants to run ", "npm", "": a title, and the object in it if it names one. */
export function title(t: Words, ask: Ask): [string, string, string] {
  const verb = `title-${ask.permission?.purpose?.verb ?? "other"}`;
  // A verb of a newer Beckon.
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

/** Sets the object of a text apart. */
export function parted(text: string, object: string): [string, string, string] {
  const [before = "", after = ""] = text.split(OBJECT);
  return [before, object, after];
}

/** More of a name is not looked at: blanks become one, and what is hidden takes more room. */
const LOOKED_AT = 400;

/** A project's name as a title shows it: nothing hidden, on one line, not too long. */
export function place(project: string): string {
  const named = pieces(clip(project, LOOKED_AT).text, true).map(({ text, code }) =>
    code ? `⟨${code}⟩` : text,
  );
  const line = [...named.join("").replaceAll(OBJECT, " ").trim().replace(/\s+/gu, " ")];
  return line.length > PROJECT ? `${line.slice(0, PROJECT).join("")}…` : line.join("");
}

/** What a permission is for, as far as a title has room: "npm, rm and 2 more". */
export function objects(t: Words, ask: Ask): string {
  const { verb, objects } = ask.permission?.purpose ?? { verb: "other", objects: [] };
  const [server, tool] = objects;
  if (verb === "tool" && server && tool) return t("title-tool-of", { server, tool });
  const what = objects.slice(0, MOST_OBJECTS).join(t("title-comma"));
  const more = objects.length - MOST_OBJECTS;
  return more > 0 ? t("title-more", { what, count: more }) : what;
}

/** The same as one text. */
export function heading(t: Words, ask: Ask): string {
  return title(t, ask).join("");
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
