// Carries out what a key means: moves the focus, chooses, presses the main button. What a key of the
// inbox does to its list stands in `inbox/state.svelte.ts`.

import type { Ask } from "../lib/wire";
import { aside } from "./aside.svelte";
import { inbox } from "./inbox/state.svelte";
import { isGivenHere } from "./draft";
import { goTo } from "./going";
import { facts, intent, type Intent, type Letter, type Place } from "./keys";
import { keyPanel } from "./panel.svelte";
import { SETTLING_MS } from "./settling.svelte";
import { answering } from "./state.svelte";

/** When a key pressed the main button last. */
let forwarded = -Infinity;

/** The button that a letter gave the focus, until the focus is elsewhere. */
let lettered: HTMLElement | undefined;

/** What the arrows go through, in the order of the page. */
const ROWS = "[data-row]";

export function act(event: KeyboardEvent): void {
  // What lies over the page has keys of its own.
  if (keyPanel.open) return keyPanel.press(event);
  const where = place(event.target);
  if (lettered !== document.activeElement) lettered = undefined;
  const given = isGivenHere(answering.ask, answering.draft);
  const meant = intent(facts(event, where, given, lettered !== undefined));
  if (!meant || (meant.do === "move" && rows().length === 0)) return;
  event.preventDefault();
  carry(meant, where);
}

/** Alone in the window the list has all keys; beside the answer those that are pressed in it. */
function place(target: EventTarget | null): Place {
  if (inbox.pile && !inbox.wide) return "answer";
  const within = target instanceof Element && target.closest("[data-list]") !== null;
  return within || (inbox.opened && !inbox.wide) ? "list" : "answer";
}

function carry(meant: Intent, where: Place): void {
  switch (meant.do) {
    case "leave":
      return leave();
    case "ask":
      return inbox.shown ? inbox.step(meant.step) : answering.step(meant.step);
    case "main":
      return where === "list" ? enter() : main();
    case "take":
      return take();
    case "choose":
      return press(`[data-key="${meant.index + 1}"]`);
    case "letter":
      return press(ofLetter(meant.letter));
    case "move":
      return move(meant.step);
    case "release":
      return lettered?.blur();
    case "nothing":
      return;
    default:
      return inList(meant, where);
  }
}

type InListIntent = Exclude<
  Intent,
  { do: "leave" | "ask" | "main" | "take" | "choose" | "letter" | "move" | "release" | "nothing" }
>;

function inList(meant: InListIntent, where: Place): void {
  switch (meant.do) {
    case "row":
      return row(meant.step);
    case "edge":
      return inbox.edge(meant.end);
    case "rows":
      return focusRow();
    case "inbox":
      return toInbox();
    case "filter":
      return document.querySelector<HTMLElement>("[data-filter]")?.focus();
    case "select":
      return select();
    case "seen":
      return void aside.toggleSeen(targets(where));
    case "snooze":
      return snooze(where);
    case "session":
      return void goTo(targets(where));
    case "undo":
      return undo();
    case "keys":
      return keyPanel.show();
  }
}

/** Out of what was opened last. */
function leave(): void {
  if (aside.menu) aside.menu = undefined;
  else if (document.activeElement?.matches("[data-filter]")) focusRow();
  else if (answering.undoUntil !== undefined) answering.takeBack();
  else if (answering.panel && !(inbox.opened && !inbox.wide)) answering.leave();
  else if (!inbox.back()) {
    inbox.closed();
    answering.close();
  }
}

function row(step: 1 | -1): void {
  // In a pile that fills the window its own rows are meant.
  if (inbox.pile && !inbox.wide) return move(step);
  if (inbox.shown) inbox.step(step);
  else answering.step(step);
}

function enter(): void {
  const current = inbox.rowOf(inbox.current);
  if (current) inbox.enter(current);
}

function focusRow(): void {
  document.querySelector<HTMLElement>("[data-current]")?.focus();
}

function toInbox(): void {
  if (inbox.wide) return focusRow();
  // What is being sent is taken back by Esc, not by the way.
  if (inbox.pile?.undoUntil !== undefined) return;
  if (!inbox.opened) inbox.open();
  else if (answering.ask) inbox.leave();
}

function select(): void {
  const here = document.activeElement;
  if (here instanceof HTMLInputElement && here.dataset["pick"] !== undefined) return here.click();
  const current = inbox.shown && !inbox.pile && inbox.rowOf(inbox.current);
  if (current) inbox.toggle(current);
}

/** Whom "seen" and "snooze" mean where a key was pressed: in the list what is selected or the row,
 * beside it the request that is to be read there. */
function targets(where: Place): readonly Ask[] {
  const inList = where === "list" && inbox.shown;
  // In a pile there is one thing to do.
  if (inbox.pile && !(inList && inbox.wide)) return [];
  if (!inList) return answering.ask ? [answering.ask] : [];
  return inbox.selected.size > 0 ? inbox.selection : inbox.waiting(inbox.rowOf(inbox.current));
}

function snooze(where: Place): void {
  if (targets(where).length === 0) return;
  const list = where === "list" && inbox.shown;
  const at = list ? (inbox.selected.size > 0 ? "selection" : "row") : "answer";
  aside.menu = { at, snooze: true };
}

function undo(): void {
  if (answering.undoUntil !== undefined) answering.takeBack();
  else if (inbox.pile?.undoUntil !== undefined) inbox.pile.takeBack();
  else void aside.undo();
}

/** What is shown as the main thing is what Enter does; without one it closes the empty window. What
 * allows several at once only gets the focus, so that it takes two keys. */
function main(): void {
  forwarded = performance.now();
  const several = document.querySelector<HTMLElement>("button[data-several]");
  if (several) return several.focus();
  const button = document.querySelector<HTMLButtonElement>("button[data-main]");
  if (button) button.click();
  else if (!answering.ask) answering.close();
}

/** The choice that has the focus, as a press on it would. */
function take(): void {
  // It was meant for the request, or for the question, before.
  if (answering.settling || performance.now() - forwarded < SETTLING_MS) return;
  (document.activeElement as HTMLElement | null)?.click();
}

function ofLetter(letter: Letter): string {
  return `[data-letter="${letter}"]`;
}

/** What has the number or the letter: a choice is taken, a button that asks further is pressed, and
 * whatever would answer at once only gets the focus, so that an answer takes two keys. */
function press(selector: string): void {
  const row = document.querySelector<HTMLElement>(selector);
  row?.focus();
  if (row instanceof HTMLInputElement || row?.dataset["asks"] !== undefined) row.click();
  else lettered = row ?? undefined;
}

function rows(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(ROWS)];
}

function move(step: 1 | -1): void {
  const all = rows();
  const here = all.indexOf(document.activeElement as HTMLElement);
  const next = all[here < 0 ? (step > 0 ? 0 : all.length - 1) : here + step];
  next?.focus();
  if (next instanceof HTMLInputElement && next.type === "radio") next.click();
}
