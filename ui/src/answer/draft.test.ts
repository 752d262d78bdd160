import { expect, test } from "vitest";
import { ask, question } from "../bridge/scenes";
import * as draft from "./draft";

const one = question({ choices: [label("PostgreSQL"), label("SQLite")] });
const many = question({
  multiple: true,
  choices: [label("Auth"), label("Search"), label("Export")],
});
const set = ask({ questions: [one, many] });

function label(label: string) {
  return { label, description: "" };
}

const nothing: draft.Begun = { choices: [], text: "" };

test("a single choice replaces the one before, a multiple choice gathers and gives back in order", () => {
  const single = draft.choose(one, draft.choose(one, nothing, 0), 1);
  expect(single.choices).toEqual([1]);
  const gathered = [2, 0, 1, 2].reduce(
    (reply, choice) => draft.choose(many, reply, choice),
    nothing,
  );
  expect(gathered).toEqual({ choices: [0, 1], text: "" });
});

test("a choice that does not exist changes nothing", () => {
  expect(draft.choose(one, nothing, 2)).toBe(nothing);
  expect(draft.choose(one, nothing, -1)).toBe(nothing);
});

test("what was typed stays when a choice takes its place, and counts again when the choice goes", () => {
  const typed = draft.write(one, { choices: [0], text: "" }, "MariaDB");
  expect(typed.choices).toEqual([]);
  const chosen = draft.choose(one, typed, 1);
  expect(chosen).toEqual({ choices: [1], text: "MariaDB" });
  expect(draft.ownText(one, chosen)).toBeUndefined();
  expect(draft.ownText(one, draft.write(one, chosen, chosen.text))).toBe("MariaDB");
});

test("own text joins the choices of a multiple choice", () => {
  const reply = draft.write(many, { choices: [0, 2], text: "" }, "An audit log");
  expect(draft.said(many, reply)).toEqual(["Auth", "Export", "An audit log"]);
  expect(draft.count(many, reply)).toBe(3);
});

test("blanks are no answer, and own text counts only where it is allowed", () => {
  expect(draft.isGiven(one, { choices: [], text: " \n" })).toBe(false);
  const closed = question({ custom: false, choices: [label("Yes")] });
  expect(draft.isGiven(closed, { choices: [], text: "no" })).toBe(false);
});

test("a set ends with a review, a lone question does not", () => {
  expect(draft.lastPage(set)).toBe(2);
  expect(draft.lastPage(ask({ questions: [one] }))).toBe(0);
  expect(draft.isReview(set, { replies: [], page: 2 })).toBe(true);
});

test("the first question without an answer is named, from the first", () => {
  const begun = { replies: [{ choices: [1], text: "" }, nothing], page: 1 };
  expect(draft.firstMissing(set, begun)).toBe(1);
  const whole = {
    replies: [
      { choices: [1], text: "" },
      { choices: [0], text: "" },
    ],
    page: 2,
  };
  expect(draft.firstMissing(set, whole)).toBeUndefined();
});

test("what is sent holds the indices and only the text that counts", () => {
  const replies = [
    { choices: [1], text: "left over" },
    { choices: [], text: " two\nlines " },
  ];
  expect(draft.toReplies(set, { replies, page: 2 })).toEqual([
    { choices: [1] },
    { choices: [], text: " two\nlines " },
  ]);
});

test("a kept draft comes back whole, and one that no longer fits does no harm", () => {
  const begun = {
    replies: [
      { choices: [1], text: "left over" },
      { choices: [2], text: "" },
    ],
    page: 1,
  };
  expect(draft.fresh(set, draft.toKept(begun))).toEqual(begun);
  const strange = draft.fresh(set, { page: 9, replies: [{ choices: [0, 7] }] });
  expect(strange).toEqual({ page: 2, replies: [{ choices: [0], text: "" }, nothing] });
});

test("a question without choices that takes no text can only be dismissed", () => {
  expect(draft.isAnswerable(ask({ questions: [question({ custom: false })] }))).toBe(false);
  expect(draft.isAnswerable(ask({ questions: [] }))).toBe(false);
  expect(draft.isAnswerable(set)).toBe(true);
});
