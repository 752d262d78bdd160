// The moment after another ask, or another button, has replaced the one before: a second click or
// key press was meant for that one and must not count.

export const SETTLING_MS = 400;

export class Settling {
  now = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;

  begin(): void {
    this.now = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (this.now = false), SETTLING_MS);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.now = false;
  }
}
