// Whether the panel of all keys lies over the page, and how a key closes it.

class KeyPanel {
  open = $state(false);

  show(): void {
    this.open = true;
  }

  /** Tab and the arrows stay in it; the keys that open and close such things close it. */
  press(event: KeyboardEvent): void {
    if (event.key !== "Escape" && event.key !== "?") return;
    event.preventDefault();
    this.open = false;
  }
}

export const keyPanel = new KeyPanel();
