// The acts by which a human answers an ask, and sending them.

import type { Bridge } from "../bridge";
import type { Ask, Reply, Verdict } from "../lib/wire";
import { wordKey } from "./deciding";

export type Act =
  | { do: "answer"; replies: Reply[] }
  | { do: "grant"; always: boolean }
  | { do: "deny"; reason: string }
  | { do: "dismiss" }
  | { do: "goOn"; yes: boolean };

export function send(bridge: Bridge, ask: Ask, act: Act): Promise<Verdict> {
  switch (act.do) {
    case "answer":
      return bridge.answer(ask, act.replies);
    case "grant":
      return bridge.grant(ask, act.always);
    case "deny":
      return bridge.deny(ask, act.reason.trim() || undefined);
    case "dismiss":
      return bridge.dismiss(ask);
    case "goOn":
      return bridge.goOn(ask, act.yes);
  }
}

/** Returns the key of the text that says what was done, and what is put into it. */
export function told(ask: Ask, act: Act): { key: string; what: string } {
  switch (act.do) {
    case "answer":
      return { key: "ui-act-answer", what: labels(ask, act.replies) };
    case "grant":
      return {
        key: act.always ? "ui-act-always" : wordKey(ask, "act-once", "ui-act-once"),
        what: "",
      };
    case "deny":
      return { key: wordKey(ask, "act-deny", "ui-act-deny"), what: "" };
    case "dismiss":
      return { key: "ui-act-dismiss", what: "" };
    case "goOn":
      return { key: act.yes ? "ui-act-go-on" : "ui-act-cancel", what: "" };
  }
}

function labels(ask: Ask, replies: Reply[]): string {
  const each = replies.map((reply, i) => {
    const names = reply.choices.map((choice) => ask.questions[i]?.choices[choice]?.label ?? "");
    return [...names, ...(reply.text ? [reply.text] : [])].join(", ");
  });
  return each.join(" · ");
}
