// Which request the window was called for. Each call counts, also one for the request of the last call, and
// one that comes while an answer is on its way is kept until that is over. Pure.

import type { View } from "../lib/wire";
import { isMeant } from "./queue";

export class Calling {
  #number: number | undefined;
  #wish: string | undefined;

  /** Takes a view in; true if the window was called since the last one. */
  hear(view: View): boolean {
    if (view.call === this.#number) return false;
    this.#number = view.call;
    this.#wish = view.page.window === "answer" ? view.page.ask : undefined;
    return true;
  }

  /** The request that is to be shown now, once; null if none was called for that is there. */
  take({ asks }: Pick<View, "asks">): string | null {
    const wish = this.#wish;
    this.#wish = undefined;
    return wish !== undefined && asks.some((ask) => isMeant(ask, wish)) ? wish : null;
  }

  /** Its human has decided otherwise since. */
  forget(): void {
    this.#wish = undefined;
  }
}
