// Something that is under way: a button that waits, and what came of it.

import { session } from "./session.svelte";

/** What takes no longer than that needs no word about it. */
const SLOW_MS = 300;

export class Task<T> {
  busy = $state(false);
  /** It has been under way for a while. */
  slow = $state(false);
  done = $state.raw<T>();
  error = $state<string>();

  /** Runs it once at a time. */
  async run(work: () => Promise<T>): Promise<T | undefined> {
    if (this.busy) return undefined;
    this.busy = true;
    this.error = this.done = undefined;
    const timer = setTimeout(() => (this.slow = true), SLOW_MS);
    try {
      this.done = await work();
    } catch (error) {
      session.complain(error, (message) => (this.error = message));
    } finally {
      clearTimeout(timer);
      this.busy = this.slow = false;
    }
    return this.done;
  }
}
