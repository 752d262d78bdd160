// The code that only the list and the panel of keys need: a window that opens with one request is
// drawn without it. It is fetched in the first quiet moment, so that no key waits for it.

import type { Component } from "svelte";
import type { Pile } from "./pile.svelte";

interface Loaded {
  Inbox: Component<{ paused?: number }>;
  Pile: Component<{ pile: Pile }>;
  KeyPanel: Component;
}

class Parts {
  loaded = $state.raw<Loaded>();
  #loading: Promise<void> | undefined;

  load(): Promise<void> {
    return (this.#loading ??= import("./parts").then((parts) => {
      this.loaded = parts;
    }));
  }
}

export const parts = new Parts();
