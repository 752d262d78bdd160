// Holding back keys and clicks that were meant for something else: applies the rule of `looking.ts`
// to the page's events before anything on the page gets them.

import type { KeyKind } from "./looking";
import { answering } from "./state.svelte";

const MODIFIERS = new Set(["Shift", "Control", "Alt", "Meta", "AltGraph", "CapsLock", "NumLock"]);

/** Tells whether an element takes in text. */
export function isInField(element: Element | null): element is HTMLInputElement {
  if (element instanceof HTMLTextAreaElement) return true;
  return (
    element instanceof HTMLInputElement && element.type !== "radio" && element.type !== "checkbox"
  );
}

/** The field that had the focus when a key last acted. What is typed into it goes through even
 * while keys are held back. */
let field: Element | null = null;

function kind(event: KeyboardEvent): KeyKind {
  if (event.key === "Tab") return "tab";
  if (MODIFIERS.has(event.key)) return "modifier";
  if (answers(event)) return "answer";
  return isCharacter(event) ? "character" : "other";
}

/** Tells whether a key would write a character. Keys whose names have several letters write none.
 * */
export function isCharacter({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return [...key].length === 1 && !ctrlKey && !metaKey && !altKey;
}

/** Tells whether a key may answer. Enter does wherever it is pressed, unless it is a new line in a
 * text; a space does on a button. */
function answers({ key, target, ctrlKey, metaKey }: KeyboardEvent): boolean {
  if (key === " ") return target instanceof HTMLButtonElement;
  const isNewLine = target instanceof HTMLTextAreaElement && !ctrlKey && !metaKey;
  return key === "Enter" && !isNewLine;
}

/** Tells whether a key only writes in the field in which the human was writing: it decides
 * nothing. */
function isOnlyWriting(event: KeyboardEvent): boolean {
  const target = event.target instanceof Element ? event.target : null;
  const writes = !["Enter", "Escape"].includes(event.key) && !event.ctrlKey && !event.metaKey;
  return writes && !event.altKey && target === field && isInField(target) && !target.readOnly;
}

function holdBack(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

export function guardKey(event: KeyboardEvent): void {
  const inText = event.target instanceof Element && isInField(event.target);
  const acts = answering.looking.key(performance.now(), kind(event), inText);
  if (acts) field = document.activeElement;
  else if (!isOnlyWriting(event)) holdBack(event);
}

/** Holds back the release of a key, since a space presses a button when it is let go. */
export function guardKeyUp(event: KeyboardEvent): void {
  if (answering.looking.isHeldBack && !isOnlyWriting(event)) holdBack(event);
}

export function guardClick(event: MouseEvent): void {
  // A click made by a key has a `detail` of 0. Its key was judged already.
  if (event.detail === 0) return;
  if (!answering.looking.click(performance.now())) holdBack(event);
}

/** The last position of the pointer. */
let pointer: { x: number; y: number } | undefined;

/** Counts the way of the pointer, since moving it means looking. The distance is computed here
 * because the engines give `movementX` in different units. */
export function guardPointer({ clientX: x, clientY: y }: PointerEvent): void {
  const from = pointer ?? { x, y };
  answering.looking.moved(Math.abs(x - from.x) + Math.abs(y - from.y));
  pointer = { x, y };
}
