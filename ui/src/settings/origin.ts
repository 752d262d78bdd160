// The forms that add or change a server or service: what each kind needs, and what follows from
// what was typed.

import type { NewSource, ServerChange, ServerSetting, SourceKind } from "../lib/wire";

/** The surroundings of an address that was copied: blanks, and characters that nobody sees. Beckon
 * takes them off too; left on here, they would make the usual address look changed. */
const AROUND = /^[\s\p{C}\u2800]+|[\s\p{C}\u2800]+$/gu;

/** Returns an address without what surrounds it. */
export function pasted(address: string): string {
  return address.replace(AROUND, "");
}

/** The kinds in the order in which they are offered. */
export const KINDS: readonly SourceKind[] = ["opencode", "interrupts", "langgraph"];

export interface Form {
  kind: SourceKind;
  name: string;
  url: string;
  /** The address for answers; empty for the one beside the events. */
  resume: string;
  username: string;
  password: string;
}

const USUAL: Record<SourceKind, string> = {
  opencode: "http://127.0.0.1:4096",
  interrupts: "http://127.0.0.1:8000/api/stream",
  langgraph: "http://127.0.0.1:2024",
};

export function blank(kind: SourceKind = "opencode"): Form {
  return { kind, name: "", url: USUAL[kind], resume: "", username: "opencode", password: "" };
}

/** Changes the kind of a form. An address that nobody has touched becomes the usual one of that
 * kind. */
export function turned(form: Form, kind: SourceKind): Form {
  const untouched = pasted(form.url) === "" || form.url === USUAL[form.kind];
  return { ...form, kind, url: untouched ? USUAL[kind] : form.url };
}

/** Returns the usual address for answers, which is beside that of the events. */
export function besideEvents(stream: string): string {
  const address = pasted(stream).replace(/\/$/, "");
  return `${address.slice(0, address.lastIndexOf("/") + 1)}resume`;
}

/** Returns the server or service as Beckon is told of it. */
export function source(form: Form): NewSource {
  const { kind, username } = form;
  const [name, url] = [form.name.trim(), pasted(form.url)];
  if (kind === "interrupts") {
    return { kind, name, url, resume: pasted(form.resume) || besideEvents(url) };
  }
  return kind === "opencode" ? { kind, name, url, username } : { kind, name, url };
}

type Typed = Record<"name" | "url" | "resume", string>;

/** Returns the fields that were changed. Other blanks around them are no change. */
export function changeOf(server: ServerSetting, typed: Typed): ServerChange {
  const [name, url, resume] = [typed.name.trim(), pasted(typed.url), pasted(typed.resume)];
  return {
    ...(name !== server.name && { name }),
    ...(url !== server.url && { url }),
    ...(server.kind === "interrupts" && resume !== server.resume && { resume }),
  };
}

/** Tells whether the password or token would go to another scheme, host or port. It isn't sent
 * there then. */
export function goesElsewhere(server: ServerSetting, change: ServerChange): boolean {
  const known = [server.url, server.resume ?? server.url].map(originOf);
  const next = [change.url, change.resume].filter((address) => address !== undefined);
  return next.some((address) => !known.includes(originOf(address)));
}

function originOf(address: string): string {
  return URL.canParse(address) ? new URL(address).origin : address;
}
