// Loading the reader of Markdown, which is a third of the answer window's script. Only an agent's
// own words need it: a window without them is drawn first, and fetches it in the first quiet
// moment.

import type { read } from "./markdown";

class MarkdownReader {
  read = $state.raw<typeof read>();
  #loading: Promise<void> | undefined;

  load(): Promise<void> {
    return (this.#loading ??= import("./markdown").then((reader) => {
      this.read = reader.read;
    }));
  }
}

export const markdown = new MarkdownReader();
