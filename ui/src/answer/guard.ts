// Holds keys and clicks back that were meant for something else: the rule of `looking.ts` over the page's
// events, before anything on the page hears of them.

import type { KeyKind } from "./looking";
import { answering } from "./state.svelte";

const MODIFIERS = new Set(["Shift", "Control", "Alt", "Meta", "AltGraph", "CapsLock", "NumLock"]);

/** Whether an element takes in text. */
export function isInField(element: Element | null): element is HTMLInputElement {
  if (element instanceof HTMLTextAreaElement) return true;
  return (
    element instanceof HTMLInputElement && element.type !== "radio" && element.type !== "checkbox"
  );
}

/** The field that had the focus when the page was last not held back: what is typed goes on there. */
let field: Element | null = null;

function kind(event: KeyboardEvent): KeyKind {
  if (event.key === "Tab") return "tab";
  if (MODIFIERS.has(event.key)) return "modifier";
  if (answers(event)) return "answer";
  return isCharacter(event) ? "character" : "other";
}

/** Whether a key would write a character. Those with names of several letters write none. */
export function isCharacter({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return [...key].length === 1 && !ctrlKey && !metaKey && !altKey;
}

/** Enter may answer wherever it is pressed, but for a new line in a text; a blank presses a button. */
function answers({ key, target, ctrlKey, metaKey }: KeyboardEvent): boolean {
  if (key === " ") return target instanceof HTMLButtonElement;
  const isNewLine = target instanceof HTMLTextAreaElement && !ctrlKey && !metaKey;
  return key === "Enter" && !isNewLine;
}

/** A key that only writes, in the field in which its human was writing, decides nothing. */
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

/** A button is pressed when a blank is let go. */
export function guardKeyUp(event: KeyboardEvent): void {
  if (answering.looking.isHeldBack && !isOnlyWriting(event)) holdBack(event);
}

export function guardClick(event: MouseEvent): void {
  // A key's click has no place, and was judged by its key.
  if (event.detail === 0) return;
  if (!answering.looking.click(performance.now())) holdBack(event);
}

/** Where the pointer was seen last. */
let pointer: { x: number; y: number } | undefined;

/** A pointer that is moved is a look. Engines count the way of an event in different units, so it is
 * reckoned here. */
export function guardPointer({ clientX: x, clientY: y }: PointerEvent): void {
  const from = pointer ?? { x, y };
  answering.looking.moved(Math.abs(x - from.x) + Math.abs(y - from.y));
  pointer = { x, y };
}
