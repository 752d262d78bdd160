// What this window remembers of asks while it lives: what was begun, and what was answered here.

import type { Ask } from "../lib/wire";
import { fresh, written, type Draft } from "./draft";

/** An answer that somebody has begun: to questions, or the reason of a rejection. */
export interface Beginning {
  draft: Draft;
  reason: string;
}

export class Memory {
  /** By what is asked: what was begun for other words of the same request is for those. */
  readonly #begun = new Map<string, Beginning>();
  readonly #ours = new Set<string>();

  /** What was begun here, else what Beckon has kept of an earlier window. */
  begun(ask: Ask): Beginning {
    const kept = ask.draft_of_window;
    const reason = (ask.permission && kept?.replies[0]?.text) ?? "";
    return this.#begun.get(ask.fingerprint) ?? { draft: fresh(ask, kept), reason };
  }

  begin(ask: Ask, beginning: Beginning): void {
    this.#begun.set(ask.fingerprint, beginning);
  }

  /** All that was typed for an ask. */
  typed(ask: Ask): string {
    const begun = this.#begun.get(ask.fingerprint);
    const texts = begun ? [written(begun.draft), begun.reason.trim()] : [];
    return texts.filter((text) => text !== "").join("\n\n");
  }

  /** It is being answered here: its leaving is no news, and a view that is a moment old must not
   * bring it back. */
  claim(ask: Ask): void {
    this.#ours.add(ask.id);
  }

  release(ask: Ask): void {
    this.#ours.delete(ask.id);
  }

  isOurs(ask: Ask): boolean {
    return this.#ours.has(ask.id);
  }

  /** Those that are not ours. */
  open(asks: Ask[]): Ask[] {
    return asks.filter((ask) => !this.isOurs(ask));
  }
}
