// The rule that nothing is answered by accident: an act counts only for what its human was looking at.
// After a change that they did not make, no key acts until they have paused or looked, and no click counts
// that was on its way to what stood there before. After a change that their own answer has led to, no key
// answers until then, and any other key that was not meant for what stood there before is a look: whoever
// presses Enter twice has not read the second request. Where the answer was sent out of a text, whoever
// writes may be writing on: no character is a look then, or acts but in a text. Pure: moments are given.

/** Who types on without a look does not pause for so long: a key comes every 110 to 300 ms. */
export const PAUSE_MS = 1500;
/** A click that comes sooner was aimed before the change. */
export const AIMED_MS = 400;
/** A pointer that is nudged moves less than this, in pixels. */
export const NUDGE_PX = 8;

/** What a key may do: `tab` moves the focus and nothing else, `modifier` does nothing by itself, `answer` may
 * answer at once, `character` would write where there is a text. */
export type KeyKind = "tab" | "modifier" | "answer" | "character" | "other";

/** Who has not looked yet at what stands there, if anybody. */
type Unseen = "came" | "followed" | undefined;

export class Looking {
  #changedAt = -Infinity;
  #followedAt = -Infinity;
  #keyAt = -Infinity;
  #unseen: Unseen;
  #moved = 0;
  /** Whether the last act was a key in a text. */
  #wrote = false;
  /** Whether that was so when the human's own answer led on. */
  #mayWriteOn = false;

  /** Something else stands there, and it was not its human who wanted that. */
  changed(now: number): void {
    this.#changedAt = now;
    this.#begin(now, "came");
  }

  /** Something else stands there, as its human's own answer has led on to it. */
  followed(now: number): void {
    this.#followedAt = now;
    this.#mayWriteOn = this.#wrote;
    this.#begin(now, "followed");
  }

  #begin(now: number, unseen: Unseen): void {
    this.#keyAt = now;
    this.#moved = 0;
    this.#unseen = unseen;
  }

  /** Its human has called for what is shown. */
  called(): void {
    this.#unseen = undefined;
  }

  /** Whether what is shown has not been looked at yet. */
  get isHeldBack(): boolean {
    return this.#unseen === "came" || (this.#unseen === "followed" && this.#mayWriteOn);
  }

  /** Whether a key that is pressed now, in a text or elsewhere, acts. */
  key(now: number, kind: KeyKind, inText = false): boolean {
    if (kind === "modifier") return true;
    const acts = !this.#unseen || this.#acts(now, kind, inText);
    if (acts) this.#wrote = inText;
    return acts;
  }

  #acts(now: number, kind: KeyKind, inText: boolean): boolean {
    const paused = now - this.#keyAt >= PAUSE_MS;
    const aimed = now - this.#followedAt >= AIMED_MS;
    const follows = this.#unseen === "followed" && kind !== "answer";
    const writesOn = kind === "character" && this.#mayWriteOn;
    this.#keyAt = now;
    if (paused || kind === "tab" || (follows && aimed && !writesOn)) this.#unseen = undefined;
    // What is written into a text decides nothing by itself.
    return !this.#unseen || (follows && (!writesOn || inText));
  }

  /** The pointer was moved by so many pixels. */
  moved(pixels: number): void {
    this.#moved += pixels;
    if (this.#moved >= NUDGE_PX) this.#unseen = undefined;
  }

  /** Whether a click that is made now counts. */
  click(now: number): boolean {
    if (now - this.#changedAt < AIMED_MS) return false;
    this.#unseen = undefined;
    this.#wrote = false;
    return true;
  }
}
