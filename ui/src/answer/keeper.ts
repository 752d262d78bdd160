// Hands drafts to Beckon soon after each change, so that a window that is killed loses nothing. What could not
// be handed over, as Beckon was gone, is kept until its request is seen again.

import type { Ask, WindowDraft } from "../lib/wire";

/** Long enough not to write at every key, short enough not to be missed. */
const PAUSE_MS = 150;

export class Keeper {
  readonly #waiting = new Map<string, WindowDraft>();
  /** The last one of each request, handed over or not. */
  readonly #newest = new Map<string, WindowDraft>();
  /** What Beckon did not take, by request. */
  readonly #refused = new Map<string, WindowDraft>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly put: (id: string, draft: WindowDraft) => Promise<void>) {}

  keep(id: string, draft: WindowDraft): void {
    this.#refused.delete(id);
    this.#waiting.set(id, draft);
    this.#newest.set(id, draft);
    this.#timer ??= setTimeout(() => this.flush(), PAUSE_MS);
  }

  /** It is answered: nothing of it is kept any more. */
  forget(id: string): void {
    this.#waiting.delete(id);
    this.#newest.delete(id);
    this.#refused.delete(id);
  }

  /** Beckon shows these: it is there, and takes what it could not take before. One that has ended in the
   * meantime refuses its draft for good; the notice shows what was typed. */
  retry(asks: readonly Pick<Ask, "id">[]): void {
    for (const { id } of asks) {
      const draft = this.#refused.get(id);
      if (draft) this.keep(id, draft);
    }
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const now = [...this.#waiting];
    this.#waiting.clear();
    for (const [id, draft] of now) {
      this.put(id, draft).catch(() => this.#refuse(id, draft));
    }
  }

  /** Whatever was typed since takes its place, and of what was answered meanwhile nothing is kept. */
  #refuse(id: string, draft: WindowDraft): void {
    if (this.#newest.get(id) === draft) this.#refused.set(id, draft);
  }
}
