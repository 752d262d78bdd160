// Answers that were begun and not sent yet, and the steps of a question set. Nothing that was typed
// is thrown away: in a single-choice question a choice outweighs the own text but does not delete
// it.

import type { Ask, Question, Reply, WindowDraft } from "../lib/wire";

export interface Begun {
  choices: number[];
  text: string;
}

export interface Draft {
  replies: Begun[];
  /** Index of the question that is shown. The number of questions means the review. */
  page: number;
}

/** Returns the draft with which an ask is opened: the kept one, or an empty one. */
export function fresh(ask: Ask, kept?: WindowDraft | null): Draft {
  const replies = ask.questions.map((question, i) => begun(question, kept?.replies[i]));
  return { replies, page: Math.min(Math.max(kept?.page ?? 0, 0), lastPage(ask)) };
}

function begun(question: Question, kept?: Reply): Begun {
  const choices = kept?.choices.filter((choice) => choice < question.choices.length) ?? [];
  return { choices, text: kept?.text ?? "" };
}

/** Chooses; in a multiple choice, a second time takes the choice back. */
export function choose(question: Question, reply: Begun, choice: number): Begun {
  if (choice < 0 || choice >= question.choices.length) return reply;
  if (!question.multiple) return { ...reply, choices: [choice] };
  const choices = reply.choices.includes(choice)
    ? reply.choices.filter((other) => other !== choice)
    : [...reply.choices, choice].sort((a, b) => a - b);
  return { ...reply, choices };
}

/** Sets the own text. In a single-choice question a text that is not blank replaces the choice. */
export function write(question: Question, reply: Begun, text: string): Begun {
  const replaces = !question.multiple && text.trim() !== "";
  return { choices: replaces ? [] : reply.choices, text };
}

/** Returns the own text if it is part of the answer: not blank, allowed, and not outweighed by a
 * choice. */
export function ownText(question: Question, reply: Begun): string | undefined {
  const counts = question.custom && (question.multiple || reply.choices.length === 0);
  return counts && reply.text.trim() !== "" ? reply.text : undefined;
}

export function isGiven(question: Question, reply: Begun): boolean {
  return reply.choices.length > 0 || ownText(question, reply) !== undefined;
}

/** Tells whether the question that is shown has an answer. */
export function isGivenHere(ask: Ask | undefined, draft: Draft): boolean {
  const [question, reply] = [ask?.questions[draft.page], draft.replies[draft.page]];
  return question !== undefined && reply !== undefined && isGiven(question, reply);
}

/** Counts the answers of a reply: its choices and the own text. */
export function count(question: Question, reply: Begun): number {
  return reply.choices.length + (ownText(question, reply) === undefined ? 0 : 1);
}

/** Tells whether an ask can be answered. A question that takes neither a choice nor a text can only
 * be dismissed. */
export function isAnswerable(ask: Ask): boolean {
  const takesOne = (question: Question) => question.custom || question.choices.length > 0;
  return ask.questions.length > 0 && ask.questions.every(takesOne);
}

/** Returns the index of the last page. A set ends with a review, which a lone question does not
 * need. */
export function lastPage(ask: Ask): number {
  return ask.questions.length > 1 ? ask.questions.length : 0;
}

export function isReview(ask: Ask, draft: Draft): boolean {
  return ask.questions.length > 1 && draft.page === ask.questions.length;
}

/** Returns the first question without an answer; undefined if the draft can be sent. */
export function firstMissing(ask: Ask, draft: Draft): number | undefined {
  const given = (question: Question, i: number) => {
    const reply = draft.replies[i];
    return reply !== undefined && isGiven(question, reply);
  };
  const missing = ask.questions.findIndex((question, i) => !given(question, i));
  return missing < 0 ? undefined : missing;
}

/** Returns the answer as it is sent. */
export function toReplies(ask: Ask, draft: Draft): Reply[] {
  return ask.questions.map((question, i) => {
    const reply = draft.replies[i] ?? { choices: [], text: "" };
    const text = ownText(question, reply);
    return text === undefined ? { choices: reply.choices } : { choices: reply.choices, text };
  });
}

/** Returns the draft as Beckon keeps it: everything, also text that does not count at the
 * moment. */
export function toKept(draft: Draft): WindowDraft {
  const replies = draft.replies.map(({ choices, text }) =>
    text ? { choices, text } : { choices },
  );
  return { replies, page: draft.page };
}

/** Returns a reply as people read it: the labels, then the own text. */
export function said(question: Question, reply: Begun): string[] {
  const labels = reply.choices.map((choice) => question.choices[choice]?.label ?? "");
  const text = ownText(question, reply);
  return text === undefined ? labels : [...labels, text];
}

/** Returns all text that was typed and would be missed. */
export function written(draft: Draft): string {
  const texts = draft.replies.map((reply) => reply.text.trim());
  return texts.filter((text) => text !== "").join("\n\n");
}
