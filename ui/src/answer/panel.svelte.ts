// The panel of all keys: whether it is open, and the keys that close it.

class KeyPanel {
  open = $state(false);

  show(): void {
    this.open = true;
  }

  /** Takes a key press while the panel is open. Esc and ? close it. All others, like Tab and the
   * arrows, are left to the dialog. */
  press(event: KeyboardEvent): void {
    if (event.key !== "Escape" && event.key !== "?") return;
    event.preventDefault();
    this.open = false;
  }
}

export const keyPanel = new KeyPanel();
