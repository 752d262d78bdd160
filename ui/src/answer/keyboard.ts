// Carries out what a key means: moves the focus, chooses, presses the main button.

import { facts, intent, type Intent } from "./keys";
import { answering } from "./state.svelte";

/** What the arrows go through, in the order of the page. */
const ROWS = "[data-row]";

export function act(event: KeyboardEvent): void {
  const meant = intent(facts(event));
  if (!meant || (meant.do === "move" && rows().length === 0)) return;
  event.preventDefault();
  carry(meant);
}

function carry(meant: Intent): void {
  switch (meant.do) {
    case "leave":
      return answering.leave();
    case "ask":
      return answering.step(meant.step);
    case "main":
      return main();
    case "choose":
      return press(meant.index);
    case "move":
      return move(meant.step);
    case "nothing":
      return;
  }
}

/** What is shown as the main thing is what Enter does; without one it closes the empty window. */
function main(): void {
  const button = document.querySelector<HTMLButtonElement>("button[data-main]");
  if (button) button.click();
  else if (!answering.ask) answering.close();
}

/** What has the number: a choice is taken, a button that asks further is pressed, and whatever would
 * answer at once only gets the focus, so that an answer takes two keys. */
function press(index: number): void {
  const row = document.querySelector<HTMLElement>(`[data-key="${index + 1}"]`);
  row?.focus();
  if (row instanceof HTMLInputElement || row?.dataset["asks"] !== undefined) row.click();
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
