// A call that is under way, for a button that waits, and what came of it.

import { session } from "./session.svelte";

/** How long a task may take before anything is said about it. */
const SLOW_MS = 300;

export class Task<T> {
  busy = $state(false);
  /** Whether it has been under way longer than `SLOW_MS`. */
  slow = $state(false);
  done = $state.raw<T>();
  error = $state<string>();

  /** Runs the work, unless it runs already. */
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
