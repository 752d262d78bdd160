// Which answers the current row offers in place: only where the row shows all that they mean.

import { isDeceptive } from "../../lib/hidden";
import type { Ask, Choice } from "../../lib/wire";
import { content, isPlain } from "./similar";
import { LINE } from "./words";

/** A row has room for so much. */
const CHOICES = 4;
const LABEL = 28;
const LABELS = 60;
/** What a choice means has to stand there whole. */
const ABOUT = 90;
const COMMAND = 240;

export type Quick =
  | { is: "choices"; choices: readonly Choice[] }
  /** `reject`: it takes no other request along, so it needs no second look. */
  | { is: "permission"; reject: boolean };

export function quick(ask: Ask): Quick | undefined {
  if (ask.held || ask.unknown !== undefined || ask.state !== "open" || ask.returned)
    return undefined;
  return ask.kind === "permission" ? permission(ask) : question(ask);
}

function permission(ask: Ask): Quick | undefined {
  // Only of a command the row has every word; of an address, say, it has the host.
  const wish = ask.permission;
  if (wish?.purpose?.verb !== "run" || !wish.command) return undefined;
  // Of what an agent says about its command nothing is run.
  const given = wish.arguments?.filter(({ name }) => name !== "description");
  const texts = content({ ...ask, permission: { ...wish, arguments: given } });
  const fits = texts.length === 1 && texts.every((text) => text.length <= COMMAND && isLine(text));
  return fits && isPlain(ask) ? { is: "permission", reject: !ask.also_rejects } : undefined;
}

function question({ kind, questions, risks }: Ask): Quick | undefined {
  const [only] = questions;
  if (kind !== "question" || !only || questions.length > 1 || only.multiple) return undefined;
  // What a choice lets run is dangerous.
  if ((risks ?? []).length > 0) return undefined;
  const labels = only.choices.map((choice) => choice.label);
  const few = labels.length > 0 && labels.length <= CHOICES && labels.join("").length <= LABELS;
  const about = only.choices.map((choice) => choice.description);
  const whole = only.question.length <= LINE && about.every((text) => text.length <= ABOUT);
  const honest = ![only.question, ...labels, ...about].some((text) => isDeceptive(text));
  const short = labels.every((label) => label.trim() !== "" && label.length <= LABEL);
  const fit = short && [...labels, ...about].every(isLine);
  return few && whole && honest && fit ? { is: "choices", choices: only.choices } : undefined;
}

function isLine(text: string): boolean {
  return !text.trim().includes("\n");
}
