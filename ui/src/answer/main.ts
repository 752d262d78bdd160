// The answer window's page.

import { mount } from "svelte";
import "../lib/base.css";
import { session } from "../lib/session.svelte";
import Answer from "./Answer.svelte";
import { parts } from "./inbox/parts.svelte";
import { inbox } from "./inbox/state.svelte";
import { answering } from "./state.svelte";

mount(Answer, { target: document.body });
const opened = session.start((view) => {
  answering.see(view);
  inbox.see(view);
  // A window that opens as the list is drawn with it.
  return inbox.shown ? parts.load() : undefined;
});
void opened.then(() => parts.load());
