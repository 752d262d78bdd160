// The entry point of the answer window's page.

import { mount } from "svelte";
import "../lib/base.css";
import { markdown } from "../lib/markdown.svelte";
import { holdThisPage } from "../lib/painted";
import { session } from "../lib/session.svelte";
import Answer from "./Answer.svelte";
import { guardUnpainted } from "./guard";
import { parts } from "./inbox/parts.svelte";
import { inbox } from "./inbox/state.svelte";
import { isPlan } from "./call";
import { answering } from "./state.svelte";

holdThisPage(guardUnpainted);
mount(Answer, { target: document.body });
const opened = session.start((view) => {
  answering.see(view);
  inbox.see(view);
  return needed();
});
void opened.then(() => session.bridge.onClosed(closed));
void opened.then(() => Promise.all([parts.load(), markdown.load()]));

/** Loads the parts that the first picture shows, so that nothing changes its looks afterwards. */
function needed(): Promise<unknown> {
  const list = inbox.shown && parts.load();
  const { ask } = answering;
  const isRead = ask?.session.last_words || isPlan(ask?.permission?.permission ?? "");
  const words = isRead && markdown.load();
  return Promise.all([list, words]);
}

/** Tidies up after the window was closed by its frame, which does not ask the page first. */
function closed(): void {
  inbox.closed();
  answering.gone();
}
