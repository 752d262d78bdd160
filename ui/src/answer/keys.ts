// What a key means in the answer window. Pure: an event's facts in, an intent out.

export type Intent =
  | { do: "choose"; index: number }
  | { do: "main" }
  /** Of the choice that has the focus: it is taken. */
  | { do: "take" }
  | { do: "leave" }
  | { do: "move"; step: 1 | -1 }
  | { do: "ask"; step: 1 | -1 }
  /** Of the inbox: another row, its first or last one, the way out of the filter. */
  | { do: "row"; step: 1 | -1 }
  | { do: "edge"; end: 1 | -1 }
  | { do: "rows" }
  | { do: "inbox" | "filter" | "select" | "seen" | "snooze" | "session" | "undo" | "keys" }
  /** Of a button or field that bears it. */
  | { do: "letter"; letter: Letter }
  /** The button that has the focus by its letter loses it again. */
  | { do: "release" }
  | { do: "nothing" };

/** Allow once, always, reject, own words. */
export type Letter = "a" | "always" | "r" | "t";

/** In which part of the window: the list has arrows of its own. */
export type Place = "answer" | "list";

/** Where the key was pressed. */
export type Spot = "text" | "line" | "choice" | "button" | "elsewhere";

export interface Press {
  key: string;
  ctrl: boolean;
  alt: boolean;
  shift: boolean;
  repeat: boolean;
  /** An input method is at work: every key is its. */
  composing: boolean;
  spot: Spot;
  place: Place;
  /** Something stands in the field. */
  filled: boolean;
  /** There is an answer already, or it is no choice of a question: nothing is to be taken first. */
  chosen: boolean;
  /** The button has the focus by its letter. */
  lettered: boolean;
}

/** `undefined`: the key keeps its usual meaning. */
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

/** A character that means nothing here, right after a letter that gave a button the focus: that letter was
 * one of a word, and the button is not pressed by the blank after it. Enter presses it. */
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

/** What a letter does. Held down only the way through the list goes on. */
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

/** A search is emptied first, as everywhere. */
function escape(press: Press): Intent | undefined {
  return press.spot === "line" && press.filled ? undefined : { do: "leave" };
}

/** In several lines of text Enter is a new line; a focused button is pressed by it. On a choice the
 * first one takes it and the second one sends; Ctrl sends only what was given. Held down it must not answer the ask that comes next,
 * nor the one after. */
function enter(press: Press): Intent | undefined {
  if (press.repeat) return press.spot === "text" && !press.ctrl ? undefined : { do: "nothing" };
  if (press.spot === "line" && press.place === "list") return { do: "rows" };
  if (press.ctrl) return { do: "main" };
  if (press.spot === "choice" && press.place === "answer" && !press.chosen) return { do: "take" };
  return press.spot === "text" || press.spot === "button" ? undefined : { do: "main" };
}

/** The facts of a real event. `given`: the question that is shown has an answer. `lettered`: the focus is
 * where a letter has put it. */
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
    // 229 is what WebKit says of the Enter that ends a composition.
    composing: event.isComposing || event.keyCode === 229,
    spot: spot(event.target),
    place,
    filled: event.target instanceof HTMLInputElement && event.target.value !== "",
    chosen: isChosen(event.target, given),
    lettered,
  };
}

/** What was given, a choice or own words, is never replaced by Enter; and other boxes than choices are
 * none. */
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
