// The span in which an answer can still be taken back. What is sent after it is its caller's.

export class Countdown {
  /** Milliseconds since 1970; nothing while nothing is to be taken back. */
  until = $state<number>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  begin(ms: number, then: () => void): void {
    this.until = Date.now() + ms;
    this.#timer = setTimeout(() => {
      this.until = undefined;
      then();
    }, ms);
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.until = undefined;
  }
}
