// Carrying out what a key means: moves the focus, chooses, presses the main button. What a key does
// to the list of the inbox is in `inbox/state.svelte.ts`.

import type { Ask } from "../lib/wire";
import { aside } from "./aside.svelte";
import { inbox } from "./inbox/state.svelte";
import { isGivenHere } from "./draft";
import { goTo } from "./going";
import { facts, intent, type Intent, type Letter, type Place } from "./keys";
import { keyPanel } from "./panel.svelte";
import { SETTLING_MS } from "./settling.svelte";
import { answering } from "./state.svelte";

/** The moment at which a key last pressed the main button. */
let forwarded = -Infinity;

/** The button that a letter gave the focus, until the focus is elsewhere. */
let lettered: HTMLElement | undefined;

/** The elements through which the arrows move, in the order of the page. */
const ROWS = "[data-row]";

export function act(event: KeyboardEvent): void {
  // The panel of keys has keys of its own.
  if (keyPanel.open) return keyPanel.press(event);
  const where = place(event.target);
  if (lettered !== document.activeElement) lettered = undefined;
  const given = isGivenHere(answering.ask, answering.draft);
  const meant = intent(facts(event, where, given, lettered !== undefined));
  if (!meant || (meant.do === "move" && rows().length === 0)) return;
  event.preventDefault();
  carry(meant, where);
}

/** Tells for which part of the window a key is meant. A list that is alone in the window has all
 * keys; beside the answer, only those pressed in it. */
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

/** Leaves what was opened last: menu, filter, countdown, panel, list, then the window. */
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
  // Moves within a pile that fills the window, since its rows are meant there.
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
  // An answer that is counting down is taken back by Esc, not by going to the inbox.
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

/** Returns the requests that "seen" and "snooze" apply to: in the list those that are selected,
 * else the current row; beside the list the request that is shown there. */
function targets(where: Place): readonly Ask[] {
  const inList = where === "list" && inbox.shown;
  // A pile offers nothing but its answer.
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

/** Presses the main button; without one and without a request, closes the empty window. A button
 * that allows several requests at once only gets the focus, so that it takes two keys. */
function main(): void {
  forwarded = performance.now();
  const several = document.querySelector<HTMLElement>("button[data-several]");
  if (several) return several.focus();
  const button = document.querySelector<HTMLButtonElement>("button[data-main]");
  if (button) button.click();
  else if (!answering.ask) answering.close();
}

/** Clicks the choice that has the focus. */
function take(): void {
  // The key was meant for the request, or for the question, before.
  if (answering.settling || performance.now() - forwarded < SETTLING_MS) return;
  (document.activeElement as HTMLElement | null)?.click();
}

function ofLetter(letter: Letter): string {
  return `[data-letter="${letter}"]`;
}

/** Uses the element that has the number or the letter. A choice is taken and a button that asks
 * further is pressed. A button that would answer at once only gets the focus, so that an answer
 * takes two keys. */
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
