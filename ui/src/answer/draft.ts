// What somebody has begun to answer, and the steps of a set. Nothing typed is ever thrown away: a
// choice outweighs the own text of a single-choice question, it does not delete it.

import type { Ask, Question, Reply, WindowDraft } from "../lib/wire";

export interface Begun {
  choices: number[];
  text: string;
}

export interface Draft {
  replies: Begun[];
  /** Which question is shown; their count means the review. */
  page: number;
}

/** Where an ask begins, or where it was left. */
export function fresh(ask: Ask, kept?: WindowDraft | null): Draft {
  const replies = ask.questions.map((question, i) => begun(question, kept?.replies[i]));
  return { replies, page: Math.min(Math.max(kept?.page ?? 0, 0), lastPage(ask)) };
}

function begun(question: Question, kept?: Reply): Begun {
  const choices = kept?.choices.filter((choice) => choice < question.choices.length) ?? [];
  return { choices, text: kept?.text ?? "" };
}

/** Chooses, or in a multiple choice takes the choice back. */
export function choose(question: Question, reply: Begun, choice: number): Begun {
  if (choice < 0 || choice >= question.choices.length) return reply;
  if (!question.multiple) return { ...reply, choices: [choice] };
  const choices = reply.choices.includes(choice)
    ? reply.choices.filter((other) => other !== choice)
    : [...reply.choices, choice].sort((a, b) => a - b);
  return { ...reply, choices };
}

/** Own text takes the place of a single choice as soon as there is any. */
export function write(question: Question, reply: Begun, text: string): Begun {
  const replaces = !question.multiple && text.trim() !== "";
  return { choices: replaces ? [] : reply.choices, text };
}

/** The own text that counts. */
export function ownText(question: Question, reply: Begun): string | undefined {
  const counts = question.custom && (question.multiple || reply.choices.length === 0);
  return counts && reply.text.trim() !== "" ? reply.text : undefined;
}

export function isGiven(question: Question, reply: Begun): boolean {
  return reply.choices.length > 0 || ownText(question, reply) !== undefined;
}

/** Has the question that is shown an answer? */
export function isGivenHere(ask: Ask | undefined, draft: Draft): boolean {
  const [question, reply] = [ask?.questions[draft.page], draft.replies[draft.page]];
  return question !== undefined && reply !== undefined && isGiven(question, reply);
}

/** How many answers a reply holds. */
export function count(question: Question, reply: Begun): number {
  return reply.choices.length + (ownText(question, reply) === undefined ? 0 : 1);
}

/** A question that takes neither a choice nor a text can only be dismissed. */
export function isAnswerable(ask: Ask): boolean {
  const takesOne = (question: Question) => question.custom || question.choices.length > 0;
  return ask.questions.length > 0 && ask.questions.every(takesOne);
}

/** A set ends with a review; a lone question does not need one. */
export function lastPage(ask: Ask): number {
  return ask.questions.length > 1 ? ask.questions.length : 0;
}

export function isReview(ask: Ask, draft: Draft): boolean {
  return ask.questions.length > 1 && draft.page === ask.questions.length;
}

/** The first question without an answer; none when the draft can be sent. */
export function firstMissing(ask: Ask, draft: Draft): number | undefined {
  const given = (question: Question, i: number) => {
    const reply = draft.replies[i];
    return reply !== undefined && isGiven(question, reply);
  };
  const missing = ask.questions.findIndex((question, i) => !given(question, i));
  return missing < 0 ? undefined : missing;
}

/** The answer as it is sent. */
export function toReplies(ask: Ask, draft: Draft): Reply[] {
  return ask.questions.map((question, i) => {
    const reply = draft.replies[i] ?? { choices: [], text: "" };
    const text = ownText(question, reply);
    return text === undefined ? { choices: reply.choices } : { choices: reply.choices, text };
  });
}

/** The draft as Beckon keeps it: everything, also what does not count at the moment. */
export function toKept(draft: Draft): WindowDraft {
  const replies = draft.replies.map(({ choices, text }) =>
    text ? { choices, text } : { choices },
  );
  return { replies, page: draft.page };
}

/** A reply as people read it back: the labels, then the own text. */
export function said(question: Question, reply: Begun): string[] {
  const labels = reply.choices.map((choice) => question.choices[choice]?.label ?? "");
  const text = ownText(question, reply);
  return text === undefined ? labels : [...labels, text];
}

/** Everything that was typed and would be missed. */
export function written(draft: Draft): string {
  const texts = draft.replies.map((reply) => reply.text.trim());
  return texts.filter((text) => text !== "").join("\n\n");
}
