// The rule that nothing is answered by accident: an act counts only for what the human was looking
// at.
//
// After a change that they did not make, no key acts until they have paused or looked (moved the
// pointer over the page, or pressed Tab), and a click that was on its way to what was there before does not
// count.
//
// After a change that followed from their own answer, no key answers until then. Any other key
// counts as a look, unless it comes so soon that it was meant for what was there before. Somebody
// who presses Enter twice has not read the second request. If the answer was sent out of a text,
// its writer may be writing on: no character counts as a look then, and characters act only in a
// text.
//
// After the window got the keyboard back without being called for, or keys were lost because the
// page was not painted, keys may still come that were meant for something else: no character acts
// or counts as a look but in a text, and no key answers until then, except Ctrl+Enter in a text.
//
// Pure: the moments are passed in. Those of keys are when they were pressed: a page that stood still
// hears all keys at once, and nobody has paused.

/** A pause between keys that counts as a look, in milliseconds. Somebody who types on without
 * looking does not pause for so long: a key comes every 110 to 300 ms. */
export const PAUSE_MS = 1500;
/** How long after a change a click still counts as aimed before it, in milliseconds. */
export const AIMED_MS = 400;
/** The way that a pointer must move to count as a look, in pixels. A nudge moves it less. */
export const NUDGE_PX = 8;

/** How long after a call for the window the keyboard comes with it, in milliseconds. */
const CALLED_MS = 1000;

/** The kinds of keys by what they may do: `tab` moves the focus and nothing else, `modifier` does
 * nothing by itself, `answer` may answer at once, `space` too, as it presses a button, `send` is
 * Ctrl+Enter, `character` would write where there is a text. */
export type KeyKind = "tab" | "modifier" | "answer" | "space" | "send" | "character" | "other";

const ANSWERS: ReadonlySet<KeyKind> = new Set(["answer", "space", "send"]);

/** The reason why what is shown has not been looked at yet: it came by itself, it followed from the
 * human's own answer, or keys may have strayed to it. Undefined if it has been looked at. */
type Unseen = "came" | "followed" | "strayed" | undefined;

/** A place of the pointer, in pixels. */
interface Point {
  x: number;
  y: number;
}

/** A place of the pointer, on the page and on the screen. */
export interface PointerPlace {
  page: Point;
  screen: Point;
}

/** Returns the way between two places. A window that moves or grows under a pointer at rest moves
 * it on the page alone. */
function way(from: PointerPlace, to: PointerPlace): number {
  const between = (a: Point, b: Point) => Math.abs(a.x - b.x) + Math.abs(a.y - b.y);
  return Math.min(between(from.page, to.page), between(from.screen, to.screen));
}

export class Looking {
  #changedAt = -Infinity;
  #followedAt = -Infinity;
  #calledAt = -Infinity;
  #missedAt = -Infinity;
  #keyAt = -Infinity;
  /** The moment of the last character that was typed where there is no text. */
  #characterAt = -Infinity;
  #unseen: Unseen;
  /** The last place of the pointer that the page was told of since what is shown came. */
  #pointer: PointerPlace | undefined;
  #moved = 0;
  /** Whether the last act was a key in a text, or keys that followed one without a pause. */
  #wrote = false;
  /** The moment of the last key that acted. */
  #actedAt = -Infinity;
  /** Whether the last act was a key in a text when the human's own answer led on. */
  #mayWriteOn = false;

  /** Notes that something else is shown now which the human did not ask for. */
  changed(now: number): void {
    this.#changedAt = now;
    this.#begin(now, "came");
  }

  /** Notes that something else is shown now because the human's own answer led to it. */
  followed(now: number): void {
    this.#followedAt = now;
    this.#mayWriteOn = this.#wrote;
    this.#begin(now, "followed");
  }

  /** Notes that the window got the keyboard back, perhaps while somebody types elsewhere. */
  returned(now: number): void {
    if (now - this.#calledAt >= CALLED_MS) this.#strayed(now);
  }

  /** Notes that a key was lost, since nobody can have seen the page yet. */
  missed(now: number): void {
    this.#missedAt = now;
    this.#strayed(now);
  }

  #strayed(now: number): void {
    if (this.#unseen === "came") return;
    this.#followedAt = now;
    this.#mayWriteOn = true;
    this.#begin(now, this.#unseen ?? "strayed");
  }

  #begin(now: number, unseen: Unseen): void {
    this.#keyAt = now;
    this.#pointer = undefined;
    this.#moved = 0;
    this.#unseen = unseen;
  }

  /** Notes that the human called for what is shown. */
  called(now: number): void {
    this.#calledAt = now;
    this.#unseen = undefined;
    if (now - this.#missedAt < PAUSE_MS) this.#strayed(now);
  }

  /** Whether keys are held back: what is shown has not been looked at yet, and came by itself,
   * after an answer out of a text, or where keys may have strayed to it. */
  get isHeldBack(): boolean {
    return this.#unseen === "came" || (this.#unseen !== undefined && this.#mayWriteOn);
  }

  /** Takes in a key press, in a text or elsewhere, and tells whether it acts. */
  key(now: number, kind: KeyKind, inText = false): boolean {
    if (kind === "modifier") return true;
    // A space after a character is one between words, whatever button has the focus.
    const isInWords = kind === "space" && now - this.#characterAt < PAUSE_MS;
    const acts = !isInWords && (!this.#unseen || this.#acts(now, kind, inText));
    if (kind === "character" && !inText) this.#characterAt = now;
    if (acts) this.#note(now, kind, inText);
    return acts;
  }

  /** Notes a key that acts. While an answer is sent its text has lost the focus, and what follows soon
   * is still the writer's: characters, and keys such as Backspace. */
  #note(now: number, kind: KeyKind, inText: boolean): void {
    const writes = kind === "character" || kind === "other";
    const goesOn = writes && now - this.#actedAt < PAUSE_MS;
    this.#wrote = inText || (this.#wrote && goesOn);
    this.#actedAt = now;
  }

  #acts(now: number, kind: KeyKind, inText: boolean): boolean {
    const paused = now - this.#keyAt >= PAUSE_MS;
    const aimed = now - this.#followedAt >= AIMED_MS;
    const sends = kind === "send" && inText && this.#unseen === "strayed";
    const follows = this.#unseen !== "came" && !ANSWERS.has(kind);
    const writesOn = kind === "character" && this.#mayWriteOn;
    // A key that was pressed before the change is heard after it.
    this.#keyAt = Math.max(this.#keyAt, now);
    if (paused || kind === "tab" || (follows && aimed && !writesOn)) this.#unseen = undefined;
    // Text that is written decides nothing by itself.
    return !this.#unseen || sends || (follows && (!writesOn || inText));
  }

  /** Takes in a place of the pointer. The first one after a change says only where it is: the page may
   * have grown over a pointer at rest, and is told of it as of a move. */
  pointed(to: PointerPlace): void {
    this.#moved += way(this.#pointer ?? to, to);
    this.#pointer = to;
    if (this.#moved >= NUDGE_PX) this.#unseen = undefined;
  }

  /** Notes that the pointer has left the page. What it does elsewhere is no look at it. */
  pointedElsewhere(): void {
    this.#pointer = undefined;
  }

  /** Takes in a click and tells whether it counts. */
  click(now: number): boolean {
    if (now - this.#changedAt < AIMED_MS) return false;
    this.#unseen = undefined;
    this.#wrote = false;
    return true;
  }
}
