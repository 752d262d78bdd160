// The meaning of each key in the answer window. Pure: the facts of an event in, an intent out.

export type Intent =
  | { do: "choose"; index: number }
  | { do: "main" }
  /** Takes the choice that has the focus. */
  | { do: "take" }
  | { do: "leave" }
  | { do: "move"; step: 1 | -1 }
  | { do: "ask"; step: 1 | -1 }
  /** Intents of the inbox: move to another row, go to the first or last row, leave the filter for
   * the rows. */
  | { do: "row"; step: 1 | -1 }
  | { do: "edge"; end: 1 | -1 }
  | { do: "rows" }
  | { do: "inbox" | "filter" | "select" | "seen" | "snooze" | "session" | "undo" | "keys" }
  /** Uses the button or field that bears the letter. */
  | { do: "letter"; letter: Letter }
  /** Takes the focus away from the button that has it by its letter. */
  | { do: "release" }
  | { do: "nothing" };

/** Letters of buttons and fields: allow once, always allow, reject, own text. */
export type Letter = "a" | "always" | "r" | "t";

/** The part of the window in which a key is pressed. In the list the arrows have a meaning of their
 * own. */
export type Place = "answer" | "list";

/** The kind of element on which a key was pressed. */
export type Spot = "text" | "line" | "choice" | "button" | "elsewhere";

export interface Press {
  key: string;
  ctrl: boolean;
  alt: boolean;
  shift: boolean;
  repeat: boolean;
  /** Whether an input method is composing: every key is its then. */
  composing: boolean;
  spot: Spot;
  place: Place;
  /** Whether the field has text in it. */
  filled: boolean;
  /** Whether Enter need not take the focused choice first: there is an answer already, or the focus
   * is not on a choice. */
  chosen: boolean;
  /** Whether the focus is on a button that has it by its letter. */
  lettered: boolean;
}

/** Returns what a key means. `undefined` leaves the key its usual meaning. */
export function intent(press: Press): Intent | undefined {
  if (press.composing) return undefined;
  if (press.key === "Escape") return escape(press);
  if (press.alt) return between(press);
  if (press.key === "Enter") return enter(press);
  if (press.ctrl) return undefined;
  if (press.spot === "line" && press.place === "list") return outOfFilter(press);
  if (press.spot === "text" || press.spot === "line") return undefined;
  if (/^[1-9]$/.test(press.key)) return { do: "choose", index: Number(press.key) - 1 };
  return arrow(press) ?? letter(press) ?? writing(press);
}

/** Returns what a character without a meaning does right after a letter gave a button the focus: it
 * takes the focus away. That letter was part of a word, and the blank after the word must not press
 * the button. Enter presses it. */
function writing({ key, lettered }: Press): Intent | undefined {
  if (!lettered || [...key].length !== 1) return undefined;
  return { do: "release" };
}

function outOfFilter(press: Press): Intent | undefined {
  return press.key === "ArrowDown" ? { do: "rows" } : undefined;
}

function arrow({ key, place }: Press): Intent | undefined {
  const how = place === "list" ? "row" : "move";
  if (key === "ArrowDown") return { do: how, step: 1 };
  if (key === "ArrowUp") return { do: how, step: -1 };
  if (key === "Home" && place === "list") return { do: "edge", end: -1 };
  if (key === "End" && place === "list") return { do: "edge", end: 1 };
  return undefined;
}

/** The intent of each letter. When a key is held down, only the moves through the list repeat. */
const LETTERS: Record<string, Intent> = {
  j: { do: "row", step: 1 },
  k: { do: "row", step: -1 },
  i: { do: "inbox" },
  "/": { do: "filter" },
  "?": { do: "keys" },
  x: { do: "select" },
  e: { do: "seen" },
  s: { do: "snooze" },
  o: { do: "session" },
  z: { do: "undo" },
  a: { do: "letter", letter: "a" },
  r: { do: "letter", letter: "r" },
  t: { do: "letter", letter: "t" },
};

function letter(press: Press): Intent | undefined {
  const meant = LETTERS[press.key.toLowerCase()];
  if (!meant) return undefined;
  if (press.repeat && meant.do !== "row") return { do: "nothing" };
  const always = meant.do === "letter" && meant.letter === "a" && press.shift;
  return always ? { do: "letter", letter: "always" } : meant;
}

function between(press: Press): Intent | undefined {
  if (press.key === "ArrowDown") return { do: "ask", step: 1 };
  if (press.key === "ArrowUp") return { do: "ask", step: -1 };
  return undefined;
}

/** Leaves, except in a search with text: there Esc first empties it, as everywhere. */
function escape(press: Press): Intent | undefined {
  return press.spot === "line" && press.filled ? undefined : { do: "leave" };
}

/** Returns what Enter means. In a text of several lines it is a new line, and it presses a focused
 * button. On a choice the first Enter takes it and the second one sends; with Ctrl only what was
 * given is sent. An Enter that is held down does nothing, since it must not answer the asks that
 * come next. */
function enter(press: Press): Intent | undefined {
  if (press.repeat) return press.spot === "text" && !press.ctrl ? undefined : { do: "nothing" };
  if (press.spot === "line" && press.place === "list") return { do: "rows" };
  if (press.ctrl) return { do: "main" };
  if (press.spot === "choice" && press.place === "answer" && !press.chosen) return { do: "take" };
  return press.spot === "text" || press.spot === "button" ? undefined : { do: "main" };
}

/** Returns the facts of a real event. `given`: whether the question that is shown has an answer.
 * `lettered`: whether the focus is where a letter has put it. */
export function facts(
  event: KeyboardEvent,
  place: Place,
  given: boolean,
  lettered: boolean,
): Press {
  return {
    key: event.key,
    ctrl: event.ctrlKey || event.metaKey,
    alt: event.altKey,
    shift: event.shiftKey,
    repeat: event.repeat,
    // WebKit reports 229 for the Enter that ends a composition.
    composing: event.isComposing || event.keyCode === 229,
    spot: spot(event.target),
    place,
    filled: event.target instanceof HTMLInputElement && event.target.value !== "",
    chosen: isChosen(event.target, given),
    lettered,
  };
}

/** Tells whether Enter has no choice to take: an answer that was given, a choice or own text, is
 * never replaced by Enter, and boxes other than choices are none. */
function isChosen(target: EventTarget | null, given: boolean): boolean {
  return given || !(target instanceof HTMLInputElement && target.name === "choice");
}

function spot(target: EventTarget | null): Spot {
  if (target instanceof HTMLTextAreaElement) return "text";
  if (target instanceof HTMLInputElement) {
    return target.type === "radio" || target.type === "checkbox" ? "choice" : "line";
  }
  return target instanceof HTMLButtonElement ? "button" : "elsewhere";
}
