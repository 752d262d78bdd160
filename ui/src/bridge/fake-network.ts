// The pretend network: what is at its ports, and what a test of an address finds.

import type { Bridge } from "../bridge";
import type { SourceKind, Tested } from "../lib/wire";

/** The servers at the ports of the pretend network. */
const PORTS: Record<string, SourceKind> = {
  4096: "opencode",
  8000: "interrupts",
  2024: "langgraph",
};
const ANSWERS: Record<SourceKind, string> = {
  opencode: "OpenCode 1.18.33 answers.",
  interrupts: "It sends events and takes answers.",
  langgraph: "LangGraph 0.16.7 answers.",
};

/** Tests an address. A server that wants a password takes any but `wrong`. */
export function tried({ kind, url, password }: Parameters<Bridge["testServer"]>[0]): Tested {
  const there = PORTS[new URL(url).port];
  const no = { ok: false, version: null, unauthorized: false };
  if (!there) {
    return { ...no, kind: null, message: "No response: connection refused" };
  }
  if (there !== kind) {
    const message = "That's a LangGraph server. Choose that type.";
    return { ...no, kind: there, message };
  }
  if (password === "wrong" || (url.includes("10.0.0.8") && !password)) {
    const message = "It's responding, but the token is wrong or missing.";
    return { ...no, kind: null, unauthorized: true, message };
  }
  const version = there === "opencode" ? "1.18.33" : null;
  return { ok: true, kind: there, version, unauthorized: false, message: ANSWERS[there] };
}
