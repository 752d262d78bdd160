// Hands drafts to Beckon soon after each change, so that a window that is killed loses nothing.

import type { WindowDraft } from "../lib/wire";

/** Long enough not to write at every key, short enough not to be missed. */
const PAUSE_MS = 150;

export class Keeper {
  readonly #waiting = new Map<string, WindowDraft>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly put: (id: string, draft: WindowDraft) => Promise<void>) {}

  keep(id: string, draft: WindowDraft): void {
    this.#waiting.set(id, draft);
    this.#timer ??= setTimeout(() => this.flush(), PAUSE_MS);
  }

  /** It is answered: nothing of it is kept any more. */
  forget(id: string): void {
    this.#waiting.delete(id);
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const [id, draft] of this.#waiting) {
      // An ask that has just been settled refuses its draft; the notice shows what was typed.
      this.put(id, draft).catch(() => {});
    }
    this.#waiting.clear();
  }
}
