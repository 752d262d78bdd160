// The rule that nothing is answered by accident: an act counts only for what the human was looking
// at.
//
// After a change that they did not make, no key acts until they have paused or looked (moved the
// pointer, or pressed Tab), and a click that was on its way to what was there before does not
// count.
//
// After a change that followed from their own answer, no key answers until then. Any other key
// counts as a look, unless it comes so soon that it was meant for what was there before. Somebody
// who presses Enter twice has not read the second request.
//
// Pure: the moments are passed in.

/** A pause between keys that counts as a look, in milliseconds. Somebody who types on without
 * looking does not pause for so long: a key comes every 110 to 300 ms. */
export const PAUSE_MS = 1500;
/** How long after a change a click still counts as aimed before it, in milliseconds. */
export const AIMED_MS = 400;
/** The way that a pointer must move to count as a look, in pixels. A nudge moves it less. */
export const NUDGE_PX = 8;

/** The kinds of keys by what they may do: `tab` moves the focus and nothing else, `modifier` does
 * nothing by itself, `answer` may answer at once. */
export type KeyKind = "tab" | "modifier" | "answer" | "other";

/** The reason why what is shown has not been looked at yet: it came by itself, or it followed from
 * the human's own answer. Undefined if it has been looked at. */
type Unseen = "came" | "followed" | undefined;

export class Looking {
  #changedAt = -Infinity;
  #followedAt = -Infinity;
  #keyAt = -Infinity;
  #unseen: Unseen;
  #moved = 0;

  /** Notes that something else is shown now which the human did not ask for. */
  changed(now: number): void {
    this.#changedAt = now;
    this.#begin(now, "came");
  }

  /** Notes that something else is shown now because the human's own answer led to it. */
  followed(now: number): void {
    this.#followedAt = now;
    this.#begin(now, "followed");
  }

  #begin(now: number, unseen: Unseen): void {
    this.#keyAt = now;
    this.#moved = 0;
    this.#unseen = unseen;
  }

  /** Notes that the human called for what is shown. */
  called(): void {
    this.#unseen = undefined;
  }

  /** Whether keys are held back: what is shown came by itself and has not been looked at yet. */
  get isHeldBack(): boolean {
    return this.#unseen === "came";
  }

  /** Takes in a key press and tells whether it acts. */
  key(now: number, kind: KeyKind): boolean {
    if (!this.#unseen || kind === "modifier") return true;
    const paused = now - this.#keyAt >= PAUSE_MS;
    const aimed = now - this.#followedAt >= AIMED_MS;
    const acts = this.#unseen === "followed" && kind !== "answer";
    this.#keyAt = now;
    if (paused || kind === "tab" || (acts && aimed)) this.#unseen = undefined;
    return acts || !this.#unseen;
  }

  /** Takes in a move of the pointer by so many pixels. */
  moved(pixels: number): void {
    this.#moved += pixels;
    if (this.#moved >= NUDGE_PX) this.#unseen = undefined;
  }

  /** Takes in a click and tells whether it counts. */
  click(now: number): boolean {
    if (now - this.#changedAt < AIMED_MS) return false;
    this.#unseen = undefined;
    return true;
  }
}
