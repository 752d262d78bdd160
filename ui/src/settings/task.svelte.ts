// Something that is under way: a button that waits, and what came of it.

import { reason } from "../lib/session.svelte";

export class Task<T> {
  busy = $state(false);
  done = $state.raw<T>();
  error = $state<string>();

  /** Runs it once at a time. */
  async run(work: () => Promise<T>): Promise<T | undefined> {
    if (this.busy) return undefined;
    this.busy = true;
    this.error = this.done = undefined;
    try {
      this.done = await work();
    } catch (error) {
      this.error = reason(error);
    } finally {
      this.busy = false;
    }
    return this.done;
  }
}
