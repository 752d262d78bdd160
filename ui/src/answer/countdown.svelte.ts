// The time in which an answer can still be taken back. The caller decides what happens at its end.

export class Countdown {
  /** The end of the countdown in milliseconds since 1970; undefined while none runs. */
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
