// Handing drafts to Beckon soon after each change, so that a window that is killed loses nothing. A
// draft that Beckon could not take because it was gone is kept until its request is seen again.

import type { Ask, WindowDraft } from "../lib/wire";

/** The wait before a draft is handed over: long enough not to write at every key, short enough to
 * lose little. */
const PAUSE_MS = 150;

export class Keeper {
  readonly #waiting = new Map<string, WindowDraft>();
  /** The newest draft of each request, handed over or not. */
  readonly #newest = new Map<string, WindowDraft>();
  /** Drafts that Beckon did not take, by request. */
  readonly #refused = new Map<string, WindowDraft>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly put: (id: string, draft: WindowDraft) => Promise<void>) {}

  keep(id: string, draft: WindowDraft): void {
    this.#refused.delete(id);
    this.#waiting.set(id, draft);
    this.#newest.set(id, draft);
    this.#timer ??= setTimeout(() => this.flush(), PAUSE_MS);
  }

  /** Drops everything of a request that is answered. */
  forget(id: string): void {
    this.#waiting.delete(id);
    this.#newest.delete(id);
    this.#refused.delete(id);
  }

  /** Hands over again what Beckon could not take, now that it shows these requests. The draft of a
   * request that has ended since is refused for good; the notice shows what was typed. */
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

  /** Keeps a refused draft, unless a newer one was typed or the request was answered meanwhile. */
  #refuse(id: string, draft: WindowDraft): void {
    if (this.#newest.get(id) === draft) this.#refused.set(id, draft);
  }
}
