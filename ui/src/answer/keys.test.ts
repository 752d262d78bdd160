import { expect, test } from "vitest";
import { intent, type Press } from "./keys";

const press = (key: string, parts: Partial<Press> = {}): Press => ({
  key,
  ctrl: false,
  alt: false,
  shift: false,
  repeat: false,
  composing: false,
  spot: "elsewhere",
  place: "answer",
  filled: false,
  chosen: true,
  lettered: false,
  ...parts,
});

test("digits choose, except where somebody writes", () => {
  expect(intent(press("2"))).toEqual({ do: "choose", index: 1 });
  expect(intent(press("9", { spot: "choice" }))).toEqual({ do: "choose", index: 8 });
  expect(intent(press("2", { spot: "text" }))).toBeUndefined();
  expect(intent(press("2", { spot: "line" }))).toBeUndefined();
  expect(intent(press("0"))).toBeUndefined();
});

test("Enter is the main button, a new line in a field, and its own button when one has the focus", () => {
  expect(intent(press("Enter", { spot: "choice" }))).toEqual({ do: "main" });
  expect(intent(press("Enter", { spot: "text" }))).toBeUndefined();
  expect(intent(press("Enter", { spot: "button" }))).toBeUndefined();
  expect(intent(press("Enter", { spot: "text", ctrl: true }))).toEqual({ do: "main" });
});

test("on a choice the first Enter takes it and the second one sends; Ctrl sends only what was given", () => {
  const free = { spot: "choice", chosen: false } as const;
  expect(intent(press("Enter", free))).toEqual({ do: "take" });
  expect(intent(press("Enter", { ...free, ctrl: true }))).toEqual({ do: "main" });
  expect(intent(press("Enter", { ...free, repeat: true }))).toEqual({ do: "nothing" });
  expect(intent(press("Enter", { ...free, place: "list" }))).toEqual({ do: "main" });
});

test("an Enter that is held down answers nothing further", () => {
  const held = { repeat: true };
  expect(intent(press("Enter", held))).toEqual({ do: "nothing" });
  expect(intent(press("Enter", { ...held, spot: "button" }))).toEqual({ do: "nothing" });
  expect(intent(press("Enter", { ...held, ctrl: true, spot: "text" }))).toEqual({ do: "nothing" });
  expect(intent(press("Enter", { ...held, spot: "text" }))).toBeUndefined();
});

test("while an input method is at work no key means anything", () => {
  for (const key of ["Enter", "1", "Escape", "ArrowDown"]) {
    expect(intent(press(key, { composing: true }))).toBeUndefined();
  }
});

test("Escape leaves from everywhere, also out of a field", () => {
  expect(intent(press("Escape", { spot: "text", filled: true }))).toEqual({ do: "leave" });
  expect(intent(press("Escape", { spot: "line" }))).toEqual({ do: "leave" });
});

test("Escape empties a search first", () => {
  expect(intent(press("Escape", { spot: "line", filled: true }))).toBeUndefined();
});

test("arrows move among the choices, with Alt among the asks", () => {
  expect(intent(press("ArrowDown"))).toEqual({ do: "move", step: 1 });
  expect(intent(press("ArrowUp", { spot: "text" }))).toBeUndefined();
  expect(intent(press("ArrowUp", { alt: true, spot: "text" }))).toEqual({ do: "ask", step: -1 });
});

test("letters mean something only while no field has the focus, and no other key is held", () => {
  const letters = { i: "inbox", x: "select", e: "seen", s: "snooze", z: "undo", "/": "filter" };
  for (const [key, meant] of Object.entries({ ...letters, "?": "keys" })) {
    expect(intent(press(key))).toEqual({ do: meant });
    expect(intent(press(key.toUpperCase(), { spot: "button" }))).toEqual({ do: meant });
    expect(intent(press(key, { spot: "text" }))).toBeUndefined();
    expect(intent(press(key, { spot: "line", place: "list" }))).toBeUndefined();
    expect(intent(press(key, { ctrl: true }))).toBeUndefined();
    expect(intent(press(key, { alt: true }))).toBeUndefined();
    expect(intent(press(key, { composing: true }))).toBeUndefined();
    expect(intent(press(key, { repeat: true }))).toEqual({ do: "nothing" });
  }
});

test("A allows once, with Shift always; a Caps Lock is no Shift", () => {
  expect(intent(press("a"))).toEqual({ do: "letter", letter: "a" });
  expect(intent(press("A"))).toEqual({ do: "letter", letter: "a" });
  expect(intent(press("A", { shift: true }))).toEqual({ do: "letter", letter: "always" });
  expect(intent(press("r"))).toEqual({ do: "letter", letter: "r" });
  expect(intent(press("T", { shift: true }))).toEqual({ do: "letter", letter: "t" });
});

test("J and K go through the list, also held down; arrows only where the list has the keys", () => {
  expect(intent(press("j", { repeat: true }))).toEqual({ do: "row", step: 1 });
  expect(intent(press("k"))).toEqual({ do: "row", step: -1 });
  expect(intent(press("ArrowUp", { place: "list" }))).toEqual({ do: "row", step: -1 });
  expect(intent(press("End", { place: "list" }))).toEqual({ do: "edge", end: 1 });
  expect(intent(press("End"))).toBeUndefined();
});

test("out of the filter the arrow and Enter lead to the rows, and Enter opens none", () => {
  const filter = { spot: "line", place: "list" } as const;
  expect(intent(press("Enter", filter))).toEqual({ do: "rows" });
  expect(intent(press("ArrowDown", filter))).toEqual({ do: "rows" });
  expect(intent(press("Enter", { ...filter, repeat: true }))).toEqual({ do: "nothing" });
});

test("a button that a letter gave the focus loses it to the next character of a word, a blank too", () => {
  const on = { spot: "button", lettered: true } as const;
  expect(intent(press("n", on))).toEqual({ do: "release" });
  expect(intent(press(" ", on))).toEqual({ do: "release" });
  expect(intent(press("é", on))).toEqual({ do: "release" });
  expect(intent(press("Enter", on)), "which presses it").toBeUndefined();
  expect(intent(press("Tab", on))).toBeUndefined();
  expect(intent(press(" ", { spot: "button" })), "one that Tab gave the focus").toBeUndefined();
  expect(intent(press("r", on))).toEqual({ do: "letter", letter: "r" });
});
