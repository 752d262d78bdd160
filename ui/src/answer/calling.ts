// The request for which the window was called. Each call counts, also one for the same request as
// the last call. A call that comes while an answer is on its way is kept until that is over. Pure.

import type { View } from "../lib/wire";
import { isMeant } from "./queue";

export class Calling {
  #number: number | undefined;
  #wish: string | undefined;

  /** Takes in a view; returns true if the window was called since the last one. */
  hear(view: View): boolean {
    if (view.call === this.#number) return false;
    this.#number = view.call;
    this.#wish = view.page.window === "answer" ? view.page.ask : undefined;
    return true;
  }

  /** Returns the request that was called for, once; null if there was no call for a request in the
   * list. */
  take({ asks }: Pick<View, "asks">): string | null {
    const wish = this.#wish;
    this.#wish = undefined;
    return wish !== undefined && asks.some((ask) => isMeant(ask, wish)) ? wish : null;
  }

  /** Drops the call, since the human has decided otherwise in the meantime. */
  forget(): void {
    this.#wish = undefined;
  }
}
