// What every component of a page needs: the bridge, the latest view, the words, the clock.

import english from "../../../src-tauri/locales/en/ui.ftl?raw";
import { connect, type Bridge } from "../bridge";
import { words, type Words } from "./texts";
import * as time from "./time";
import type { View } from "./wire";

/** Spoken only when Beckon has not handed over any texts yet. */
const WITHOUT = { language: "en", languages: ["en"], ftl: english };

class SessionState {
  view = $state.raw<View>();
  /** Beckon does not answer: what it said. */
  lost = $state<string>();
  now = $state(Date.now());
  bridge!: Bridge;
  readonly texts = $derived(this.view?.texts ?? WITHOUT);
  readonly words: Words = $derived(words(this.texts));

  /** Opens the view and follows it. */
  async start(heard: (view: View) => void = () => {}): Promise<void> {
    const take = (view: View) => {
      this.lost = undefined;
      this.now = Date.now();
      // Most views bring the same words; reading them again would redraw every text.
      const texts = this.view?.texts;
      const same = texts?.ftl === view.texts.ftl && texts.language === view.texts.language;
      this.view = same && texts ? { ...view, texts } : view;
      document.documentElement.lang = view.texts.language;
      heard(this.view);
    };
    this.bridge = await connect();
    this.bridge.onView(take);
    setInterval(() => (this.now = Date.now()), 1000);
    try {
      take(await this.bridge.openView());
    } catch (error) {
      this.lost = reason(error);
    }
  }
}

/** The page's one session. */
export const session = new SessionState();

/** A text. */
export const t: Words = (key, args) => session.words(key, args);

/** "2 min" */
export const age = (ms: number): string => time.age(session.words, ms);

/** "yesterday 14:02" */
export const at = (when: number): string =>
  time.at(session.words, session.texts.language, when, session.now);

/** What to tell a person about something that was thrown. */
export function reason(error: unknown): string {
  if (typeof error === "string") return error;
  const message = (error as { message?: unknown } | null)?.message;
  return typeof message === "string" ? message : String(error);
}
