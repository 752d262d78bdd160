// The lines of the menus: what can be done with a request without answering it.

import type { MenuLine } from "../lib/Menu.svelte";
import { age, at, reason, session, t } from "../lib/session.svelte";
import { spanMs } from "../lib/time";
import type { Ask } from "../lib/wire";
import { aside, SPANS, wakes } from "./aside.svelte";
import { goTo } from "./going";
import { content } from "./inbox/similar";
import { topic } from "./names";
import { keyPanel } from "./panel.svelte";
import { isSnoozed } from "./queue";
import { answering } from "./state.svelte";

/** Returns the lines for the request that is shown. */
export function requestLines(ask: Ask): MenuLine[] {
  return [
    ...asideLines([ask]),
    ...sessionLine(ask),
    ...alwaysLine(ask),
    { label: t("ui-copy-request"), begins: !ask.opens, run: () => copy(ask) },
    { label: t("ui-keys"), key: "?", run: () => keyPanel.show() },
  ];
}

/** Returns the line that leads to "always" for a request in which something is marked as dangerous.
 * Beside any other request that is a button. */
function alwaysLine(ask: Ask): MenuLine[] {
  if (ask.can_always.length === 0 || (ask.risks ?? []).length === 0 || ask.held) return [];
  return [{ label: t("ui-always-more"), begins: true, run: () => answering.unfold("always") }];
}

/** Returns the line that opens the session of a request, if there is a way to it. */
export function sessionLine(ask: Ask): MenuLine[] {
  if (!ask.opens) return [];
  return [{ label: t("ui-open-session"), key: "O", begins: true, run: () => goTo([ask]) }];
}

/** Returns the lines for "seen" and for snoozing. */
export function asideLines(asks: readonly Ask[]): MenuLine[] {
  const seen = asks.every((ask) => ask.set_aside?.is === "seen");
  const lines: MenuLine[] = [
    { label: t(seen ? "ui-unsee" : "ui-see"), key: "E", run: () => aside.toggleSeen(asks) },
  ];
  if (asks.some(isSnoozed)) lines.push({ label: t("ui-wake"), run: () => aside.wake(asks) });
  return [...lines, ...snoozeLines(asks)];
}

function snoozeLines(asks: readonly Ask[]): MenuLine[] {
  return SPANS.map((span, i) => {
    const [until, ms] = [wakes(span), span && spanMs(span)];
    return {
      label: ms ? t("ui-snooze-for", { span: age(ms) }) : t("ui-snooze-back"),
      note: until === undefined ? undefined : at(until),
      key: i === 0 ? "S" : undefined,
      begins: i === 0,
      snoozes: i === 0,
      run: () => aside.snooze(asks, span),
    };
  });
}

/** Copies what is asked, word by word. Returns what to say about that. */
async function copy(ask: Ask): Promise<string> {
  const questions = ask.questions.map(({ question, header }) => question || header);
  const wish = ask.permission ? [...content(ask), ask.permission.diff ?? ""] : [];
  const texts = [...questions, ...wish, ask.info ?? ""].filter(Boolean);
  try {
    await navigator.clipboard.writeText((texts.length > 0 ? texts : [topic(t, ask)]).join("\n"));
    return t("ui-copied");
  } catch (error) {
    answering.problem = reason(error);
    return "";
  }
}

/** Says how long a request is snoozed: "until 15:02", "until you're back". */
export function until({ set_aside }: Pick<Ask, "set_aside">): string {
  const when = set_aside?.is === "snoozed" ? set_aside.until : undefined;
  if (set_aside?.is !== "snoozed") return "";
  return when === undefined ? t("ui-until-back") : t("ui-until", { time: at(when) });
}

/** Returns the label of a ⋯ button, which names its request. */
export function moreOf(ask: Ask | undefined): string {
  return t("ui-more-of", { what: ask && session.view ? topic(t, ask).slice(0, 60) : "" });
}
