// What every component of a page needs: the bridge, the latest view, the words, the clock.

import { flushSync } from "svelte";
import { connect, type Bridge } from "../bridge";
import { words, type Words } from "./texts";
import * as time from "./time";
import type { Refusal, UiTexts, View } from "./wire";

/** Until Beckon has handed over its texts nothing is said. */
const NONE: UiTexts = { language: "en", languages: [], ftl: "" };

/** Spoken only when Beckon does not answer, in the language of the system; read only then. */
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
  /** Beckon does not answer: what it said. */
  lost = $state<string>();
  /** Beckon answered, and has died since. */
  gone = $state(false);
  now = $state(Date.now());
  bridge!: Bridge;
  #spare = $state.raw<UiTexts>();
  /** What is to be taken back once somebody answers again. */
  #untilBack: (() => void)[] = [];
  readonly texts = $derived(this.view?.texts ?? this.#spare ?? NONE);
  readonly words: Words = $derived(words(this.texts));

  /** Opens the view and follows it; the page is drawn when it has heard of it. */
  async start(heard: (view: View) => unknown = () => {}): Promise<void> {
    const take = (view: View) => heard(this.#take(view));
    this.bridge = await connect();
    const font = this.bridge.font();
    if (font) document.documentElement.style.setProperty("--desktop", JSON.stringify(font));
    this.bridge.onView(take);
    this.bridge.onGone(() => (this.gone = true));
    setInterval(() => {
      this.now = Date.now();
      // A failed press may have been the only sign of its end, and of its return there is none then.
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

  /** Once the page has taken it in there is something to be seen. */
  async #draw(taken?: unknown): Promise<void> {
    await taken;
    flushSync();
    this.bridge.drawn();
  }

  /** How it stands by now: what goes on all the time is not told of by itself. */
  async look(): Promise<void> {
    try {
      this.#take(await this.bridge.openView());
    } catch {
      // A Beckon that is gone is noticed by the program that follows it; the page stays.
    }
  }

  /** Says what was thrown. That nobody answers is taken back when somebody does. */
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
    // Most views bring the same words; reading them again would redraw every text.
    const texts = this.view?.texts;
    const same = texts?.ftl === view.texts.ftl && texts.language === view.texts.language;
    this.view = same && texts ? { ...view, texts } : view;
    document.documentElement.lang = view.texts.language;
    return this.view;
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
