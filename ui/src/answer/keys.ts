// What a key means in the answer window. Pure: an event's facts in, an intent out.

export type Intent =
  | { do: "choose"; index: number }
  | { do: "main" }
  | { do: "leave" }
  | { do: "move"; step: 1 | -1 }
  | { do: "ask"; step: 1 | -1 }
  | { do: "nothing" };

/** Where the key was pressed. */
export type Spot = "text" | "line" | "choice" | "button" | "elsewhere";

export interface Press {
  key: string;
  ctrl: boolean;
  alt: boolean;
  repeat: boolean;
  /** An input method is at work: every key is its. */
  composing: boolean;
  spot: Spot;
  /** Something stands in the field. */
  filled: boolean;
}

/** `undefined`: the key keeps its usual meaning. */
export function intent(press: Press): Intent | undefined {
  if (press.composing) return undefined;
  if (press.key === "Escape") return escape(press);
  if (press.alt) return between(press);
  if (press.key === "Enter") return enter(press);
  if (press.ctrl) return undefined;
  if (press.spot === "text" || press.spot === "line") return undefined;
  if (/^[1-9]$/.test(press.key)) return { do: "choose", index: Number(press.key) - 1 };
  if (press.key === "ArrowDown") return { do: "move", step: 1 };
  if (press.key === "ArrowUp") return { do: "move", step: -1 };
  return undefined;
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

/** In several lines of text Enter is a new line; a focused button is pressed by it. Held down it
 * must not answer the ask that comes next, nor the one after. */
function enter(press: Press): Intent | undefined {
  if (press.repeat) return press.spot === "text" && !press.ctrl ? undefined : { do: "nothing" };
  if (press.ctrl) return { do: "main" };
  return press.spot === "text" || press.spot === "button" ? undefined : { do: "main" };
}

/** The facts of a real event. */
export function facts(event: KeyboardEvent): Press {
  return {
    key: event.key,
    ctrl: event.ctrlKey || event.metaKey,
    alt: event.altKey,
    repeat: event.repeat,
    // 229 is what WebKit says of the Enter that ends a composition.
    composing: event.isComposing || event.keyCode === 229,
    spot: spot(event.target),
    filled: event.target instanceof HTMLInputElement && event.target.value !== "",
  };
}

function spot(target: EventTarget | null): Spot {
  if (target instanceof HTMLTextAreaElement) return "text";
  if (target instanceof HTMLInputElement) {
    return target.type === "radio" || target.type === "checkbox" ? "choice" : "line";
  }
  return target instanceof HTMLButtonElement ? "button" : "elsewhere";
}
