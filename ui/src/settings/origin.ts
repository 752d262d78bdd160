// The form of a server or service that is to be added: what each kind needs, and what follows from
// what was typed.

import type { NewSource, SourceKind } from "../lib/wire";

/** In the order in which they are offered. */
export const KINDS: readonly SourceKind[] = ["opencode", "interrupts", "langgraph"];

export interface Form {
  kind: SourceKind;
  name: string;
  url: string;
  /** Where answers go; empty: beside the events. */
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

/** Of another kind: an address that nobody has touched becomes the usual one of that kind. */
export function turned(form: Form, kind: SourceKind): Form {
  const untouched = form.url.trim() === "" || form.url === USUAL[form.kind];
  return { ...form, kind, url: untouched ? USUAL[kind] : form.url };
}

/** The address for answers usually stands beside that of the events. */
export function besideEvents(stream: string): string {
  return stream.trim().replace(/[^/]*\/?$/, "resume");
}

/** What Beckon is told. */
export function source(form: Form): NewSource {
  const { kind, username } = form;
  const [name, url] = [form.name.trim(), form.url.trim()];
  if (kind === "interrupts") {
    return { kind, name, url, resume: form.resume.trim() || besideEvents(url) };
  }
  return kind === "opencode" ? { kind, name, url, username } : { kind, name, url };
}
