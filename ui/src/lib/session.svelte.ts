// The state that every component of a page needs: the bridge, the latest view, the words, the
// clock.

import { flushSync } from "svelte";
import { connect, type Bridge } from "../bridge";
import { words, type Words } from "./texts";
import * as time from "./time";
import type { Refusal, UiTexts, View } from "./wire";

/** The texts until Beckon has handed over its own: none. */
const NONE: UiTexts = { language: "en", languages: [], ftl: "" };

/** Returns the texts for when Beckon does not answer, in the language of the system. They are
 * loaded only then. */
async function spare(): Promise<UiTexts> {
  if (navigator.language.startsWith("zh")) {
    const { default: ftl } = await import("../../../client/locales/zh-CN/ui.ftl?raw");
    return { language: "zh-CN", languages: [], ftl };
  }
  const { default: ftl } = await import("../../../client/locales/en/ui.ftl?raw");
  return { language: "en", languages: [], ftl };
}

class SessionState {
  view = $state.raw<View>();
  /** The reason why Beckon does not answer, if it never has. */
  lost = $state<string>();
  /** Whether Beckon answered once and has died since. */
  gone = $state(false);
  now = $state(Date.now());
  bridge!: Bridge;
  #spare = $state.raw<UiTexts>();
  /** Calls that take messages back once Beckon answers again. */
  #untilBack: (() => void)[] = [];
  readonly texts = $derived(this.view?.texts ?? this.#spare ?? NONE);
  readonly words: Words = $derived(words(this.texts));

  /** Opens the view and follows it. The page counts as drawn when `heard` is done with the first
   * view. */
  async start(heard: (view: View) => unknown = () => {}): Promise<void> {
    const take = (view: View) => heard(this.#take(view));
    this.bridge = await connect();
    const font = this.bridge.font();
    if (font) document.documentElement.style.setProperty("--desktop", JSON.stringify(font));
    this.bridge.onView(take);
    this.bridge.onGone(() => (this.gone = true));
    setInterval(() => {
      this.now = Date.now();
      // A failed press may have been the only sign that Beckon died; then nothing tells of its
      // return.
      if (this.gone) void this.look();
    }, 1000);
    const asked = this.bridge.openView();
    const known = this.bridge.known();
    if (known) void this.#draw(take(known));
    try {
      await this.#draw(take(await asked));
    } catch (error) {
      this.#spare = await spare();
      document.documentElement.lang = this.texts.language;
      this.lost = reason(error);
      await this.#draw();
    }
  }

  /** Says that the page is drawn, once it has taken the view in. */
  async #draw(taken?: unknown): Promise<void> {
    await taken;
    flushSync();
    this.bridge.drawn();
  }

  /** Asks for the present view. Values that change all the time are not pushed. */
  async look(): Promise<void> {
    try {
      this.#take(await this.bridge.openView());
    } catch {
      // The program that follows Beckon notices that it is gone; the page stays.
    }
  }

  /** Says what was thrown. "Not running" is taken back when Beckon answers again. */
  complain(error: unknown, say: (message: string | undefined) => void): void {
    say(reason(error));
    if ((error as Partial<Refusal> | null)?.code !== "not running") return;
    this.gone = true;
    this.#untilBack.push(() => say(undefined));
  }

  #take(view: View): View {
    this.lost = undefined;
    this.gone = false;
    for (const back of this.#untilBack.splice(0)) back();
    this.now = Date.now();
    // Most views bring the same texts; reading them again would redraw every text.
    const texts = this.view?.texts;
    const same = texts?.ftl === view.texts.ftl && texts.language === view.texts.language;
    this.view = same && texts ? { ...view, texts } : view;
    document.documentElement.lang = view.texts.language;
    return this.view;
  }
}

/** The page's one session. */
export const session = new SessionState();

/** Returns the text of a key. */
export const t: Words = (key, args) => session.words(key, args);

/** Returns a length of time as text: "2 min". */
export const age = (ms: number): string => time.age(session.words, ms);

/** Returns a moment as text: "yesterday 14:02". */
export const at = (when: number): string =>
  time.at(session.words, session.texts.language, when, session.now);

/** Returns what to tell a person about something that was thrown. */
export function reason(error: unknown): string {
  if (typeof error === "string") return error;
  const message = (error as { message?: unknown } | null)?.message;
  return typeof message === "string" ? message : String(error);
}
