// The height of the window, which fits what it shows: how high that is, and when to ask for another
// height. The program decides how high a window may be, and that a window that was dragged keeps
// its size.

/** Measures the height of the content by itself, however high the window is. */
export function contentHeight(frame: HTMLElement): number {
  const { height, minHeight } = frame.style;
  const top = frame.scrollTop;
  frame.style.height = "max-content";
  frame.style.minHeight = "0";
  const needed = frame.getBoundingClientRect().height;
  frame.style.height = height;
  frame.style.minHeight = minHeight;
  // Restores the scroll position, which was lost while the frame was as high as its content.
  frame.scrollTop = top;
  return Math.ceil(needed);
}

/** Reports the height of the content, now and whenever it changes. The returned function ends
 * that. */
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

/** The height that the window was given. Another request sets it anew. For the same request it only
 * grows, since nothing may move under a hand that is about to press. */
export class FittedHeight {
  #shown: string | undefined;
  #height = 0;

  /** Returns the height to take, if it differs from the present one. */
  next(shown: string, needed: number): number | undefined {
    const same = this.#shown === shown;
    if (same && needed <= this.#height) return undefined;
    this.#shown = shown;
    const changes = needed !== this.#height;
    this.#height = needed;
    return changes ? needed : undefined;
  }
}
