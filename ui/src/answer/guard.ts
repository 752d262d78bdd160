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
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) return "send";
  if (event.key === " " && isPressedBySpace(event.target)) return "space";
  if (answers(event)) return "answer";
  return isCharacter(event) ? "character" : "other";
}

/** Tells whether a space presses an element: a button, or the mark of a choice. */
function isPressedBySpace(element: EventTarget | null): boolean {
  if (element instanceof HTMLButtonElement) return true;
  return element instanceof HTMLInputElement && !isInField(element);
}

/** Tells whether a key would write a character. Keys whose names have several letters write none.
 * */
export function isCharacter({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return [...key].length === 1 && !ctrlKey && !metaKey && !altKey;
}

/** Tells whether a key may answer. Enter does wherever it is pressed, unless it is a new line in a
 * text. */
function answers({ key, target }: KeyboardEvent): boolean {
  return key === "Enter" && !(target instanceof HTMLTextAreaElement);
}

/** Tells whether a key only writes in the field in which the human was writing: it decides
 * nothing. */
function isOnlyWriting(event: KeyboardEvent): boolean {
  const target = event.target instanceof Element ? event.target : null;
  const writes = !["Enter", "Escape"].includes(event.key) && !event.ctrlKey && !event.metaKey;
  return writes && !event.altKey && target === field && isInField(target) && !target.readOnly;
}

/** How much later than it happened an event may be heard, in milliseconds. A larger difference is
 * taken for another clock. */
const LATEST_MS = 10_000;

/** Returns the moment at which an event happened. A page that stood still hears of it later. */
export function moment(event: Event): number {
  const now = performance.now();
  const late = now - event.timeStamp;
  return late >= 0 && late < LATEST_MS ? event.timeStamp : now;
}

function holdBack(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

export function guardKey(event: KeyboardEvent): void {
  const inText = event.target instanceof Element && isInField(event.target);
  const acts = answering.looking.key(moment(event), kind(event), inText);
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
  if (!answering.looking.click(moment(event))) holdBack(event);
}

/** Counts the way of the pointer, since moving it means looking. The way is computed from places
 * because the engines give `movementX` in different units. */
export function guardPointer({ clientX, clientY, screenX, screenY }: PointerEvent): void {
  const page = { x: clientX, y: clientY };
  answering.looking.pointed({ page, screen: { x: screenX, y: screenY } });
}

/** Notes that the pointer leaves the page: then it goes to no other element. */
export function guardPointerOut({ relatedTarget }: PointerEvent): void {
  if (relatedTarget === null) answering.looking.pointedElsewhere();
}

/** Whether another window has had the keyboard. */
let hasLeft = false;

/** Notes that the window loses the keyboard. */
export function guardBlur(): void {
  hasLeft = true;
}

/** Notes that the window has the keyboard again, which it may get while somebody types elsewhere. */
export function guardFocus(event: FocusEvent): void {
  if (hasLeft) answering.looking.returned(moment(event));
  hasLeft = false;
}

/** Notes a key that was held back since the page was not painted. */
export function guardUnpainted(event: Event): void {
  if (event.type === "keydown") answering.looking.missed(moment(event));
}
