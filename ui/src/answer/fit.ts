// The window hugs what it shows: how high that is, and when the window is to be made so. How high a
// window may be at all, and that one which was dragged keeps its size, is the program's.

/** As high as the content is by itself, however high the window is. */
export function contentHeight(frame: HTMLElement): number {
  const { height, minHeight } = frame.style;
  const top = frame.scrollTop;
  frame.style.height = "max-content";
  frame.style.minHeight = "0";
  const needed = frame.getBoundingClientRect().height;
  frame.style.height = height;
  frame.style.minHeight = minHeight;
  // Without a height of its own nothing of it was scrolled away.
  frame.scrollTop = top;
  return Math.ceil(needed);
}

/** Tells how high the content is, now and whenever it grows; the result ends it. */
export function followHeight(frame: HTMLElement, tell: (needed: number) => void): () => void {
  const fit = () => tell(contentHeight(frame));
  const grown = new ResizeObserver(fit);
  const watch = () => {
    grown.disconnect();
    for (const part of frame.children) grown.observe(part);
    fit();
  };
  watch();
  const changed = new MutationObserver(watch);
  changed.observe(frame, { childList: true });
  return () => {
    grown.disconnect();
    changed.disconnect();
  };
}

/** With each request the window takes its height; for the same one it only grows, since nothing may
 * move under the hand of who is about to press. */
export class FittedHeight {
  #shown: string | undefined;
  #height = 0;

  /** The height to take, if that is another one. */
  next(shown: string, needed: number): number | undefined {
    const same = this.#shown === shown;
    if (same && needed <= this.#height) return undefined;
    this.#shown = shown;
    const changes = needed !== this.#height;
    this.#height = needed;
    return changes ? needed : undefined;
  }
}
