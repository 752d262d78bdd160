// The answers that the current row offers in place: only where the row shows all that they mean.

import { isDeceptive } from "../../lib/hidden";
import type { Ask, Choice } from "../../lib/wire";
import { content, isPlain } from "./similar";
import { LINE } from "./words";

/** Limits of what a row has room for: the number of choices, the characters of one label and of all
 * labels. */
const CHOICES = 4;
const LABEL = 28;
const LABELS = 60;
/** Characters of a choice's description and of a command. Both have to be in the row whole. */
const ABOUT = 90;
const COMMAND = 240;

export type Quick =
  | { is: "choices"; choices: readonly Choice[] }
  /** `reject`: rejecting is offered too, as it rejects no other request and so needs no second
   * look. */
  | { is: "permission"; reject: boolean };

export function quick(ask: Ask): Quick | undefined {
  if (ask.held || ask.unknown !== undefined || ask.state !== "open" || ask.returned)
    return undefined;
  return ask.kind === "permission" ? permission(ask) : question(ask);
}

function permission(ask: Ask): Quick | undefined {
  // Only commands: a row has every word of a command, but of an address, say, only the host.
  const wish = ask.permission;
  if (wish?.purpose?.verb !== "run" || !wish.command) return undefined;
  // The description is left out of what is checked: nothing of it is run.
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
