// The memory of this window while it lives: answers that were begun, and asks that were answered
// here.

import type { Ask } from "../lib/wire";
import { fresh, written, type Draft } from "./draft";

/** An answer that was begun: to questions, or the reason of a rejection. */
export interface Beginning {
  draft: Draft;
  reason: string;
}

export class Memory {
  /** Beginnings by fingerprint: what was begun for one wording of a request is for that wording
   * only. */
  readonly #begun = new Map<string, Beginning>();
  readonly #ours = new Set<string>();

  /** Returns what was begun here, else what Beckon has kept of an earlier window. */
  begun(ask: Ask): Beginning {
    const kept = ask.draft_of_window;
    const reason = (ask.permission && kept?.replies[0]?.text) ?? "";
    return this.#begun.get(ask.fingerprint) ?? { draft: fresh(ask, kept), reason };
  }

  begin(ask: Ask, beginning: Beginning): void {
    this.#begun.set(ask.fingerprint, beginning);
  }

  /** Returns all that was typed for an ask. */
  typed(ask: Ask): string {
    const begun = this.#begun.get(ask.fingerprint);
    const texts = begun ? [written(begun.draft), begun.reason.trim()] : [];
    return texts.filter((text) => text !== "").join("\n\n");
  }

  /** Notes that an ask is being answered here: its leaving is no news, and a view that is a moment
   * old must not bring it back. */
  claim(ask: Ask): void {
    this.#ours.add(ask.id);
  }

  release(ask: Ask): void {
    this.#ours.delete(ask.id);
  }

  isOurs(ask: Ask): boolean {
    return this.#ours.has(ask.id);
  }

  /** Returns the asks that are not being answered here. */
  open(asks: Ask[]): Ask[] {
    return asks.filter((ask) => !this.isOurs(ask));
  }
}
