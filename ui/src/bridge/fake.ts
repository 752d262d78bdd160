// A pretend Beckon: scenes to look at, and enough behaviour to press every button. Driven by the
// address (`?scene=single&lang=zh-CN`) and, in page checks, by `window.fake`.

import en from "../../../client/locales/en/ui.ftl?raw";
import zh from "../../../client/locales/zh-CN/ui.ftl?raw";
import type { Bridge, Shown } from "../bridge";
import type {
  AnswerPlace,
  Ask,
  Attend,
  Ending,
  HistoryEntry,
  HubView,
  OutcomeKind,
  Plain,
  Refusal,
  Verdict,
  View,
  WindowDraft,
} from "../lib/wire";
import { answerScenes } from "./answers";
import { GRAPHS, noted } from "./inbox";
import { NOW, view as viewOf } from "./scenes";
import { settingsBridge } from "./fake-settings";
import { statusOf, tabOf } from "./fake-status";

declare global {
  interface Window {
    fake: Fake;
  }
}

const NOT_RUNNING: Refusal = { code: "not running", message: "Beckon isn't running" };
const CHANGED: Refusal = { code: "changed", message: "This request has changed since you saw it." };

/** The handle with which page checks drive and inspect the pretend Beckon. */
export class Fake {
  /** Every call of the bridge, with its arguments. */
  readonly calls: [string, ...unknown[]][] = [];
  readonly history: HistoryEntry[] = [];
  /** The refusal that the next answer is given. */
  refuse: Refusal | undefined;
  /** The refusals that the next answers to these asks are given, by id. */
  readonly refuses = new Map<string, Refusal>();
  /** What somebody writes into the settings file by hand, by key. */
  byHand: Record<string, Plain> = {};
  /** The view of the hub; undefined until it is first asked for. */
  hub: HubView | undefined;
  /** The page's text when it first said that it is drawn. */
  drawn: string | undefined;
  /** The height that the answer page asked for last. */
  fitted: number | undefined;
  /** Whether Beckon is gone: every answer is then refused. */
  isGone = false;
  /** Closes the window by its frame. */
  closed: () => void = () => {};
  #listener: (view: View) => void = () => {};
  #goneListener: () => void = () => {};

  constructor(public view: View) {}

  listen(listener: (view: View) => void): void {
    this.#listener = listener;
  }

  listenGone(listener: () => void): void {
    this.#goneListener = listener;
  }

  /** Hands over what was written by hand, as the window reads it. */
  takeByHand(): [string, Plain][] {
    const values = Object.entries(this.byHand);
    this.byHand = {};
    return values;
  }

  /** Lets Beckon die; `change` brings it back. */
  die(): void {
    this.isGone = true;
    this.#goneListener();
  }

  change(parts: Partial<View>): void {
    this.isGone = false;
    // A change of the page means that somebody calls the window for it.
    const call = this.view.call + (parts.page ? 1 : 0);
    this.view = { ...this.view, call, ...parts };
    this.#listener(this.view);
  }

  /** Ends an ask and adds how to the history. */
  end(id: string, outcome: OutcomeKind, by: AnswerPlace | null, answer: string[][] = []): void {
    const ask = this.view.asks.find((ask) => ask.id === id);
    if (!ask) return;
    this.history.unshift(entry(ask, outcome, by, answer));
    this.change({ asks: this.view.asks.filter((other) => other.id !== id) });
  }

  /** Marks an ask as seen, snoozed, or neither. */
  attend(id: string, to: Attend): void {
    const set_aside = noted(to);
    const asks = this.view.asks.map((ask) => (ask.id === id ? { ...ask, set_aside } : ask));
    this.change({ asks });
  }

  /** Connects a source that was given its password. */
  letIn(name: string): void {
    const { status } = this.view;
    const live = { state: "live", error: null } as const;
    const sources = status.sources.map((source) =>
      source.name === name && source.state === "unauthorized" ? { ...source, ...live } : source,
    );
    this.change({ status: { ...status, sources } });
  }

  /** Sets the proxy through which Telegram is reached; an empty address means none. */
  goThrough(address: string): void {
    const { status } = this.view;
    const proxy = address ? ({ address, state: "works" } as const) : null;
    const telegram = { ...status.channels.telegram, proxy };
    this.change({ status: { ...status, channels: { ...status.channels, telegram } } });
  }

  note(...call: [string, ...unknown[]]): void {
    this.calls.push(call);
  }
}

/** The endings by a permission's answer, or by the outcome. */
const ENDINGS: Record<string, Ending> = {
  once: "once",
  always: "always",
  reject: "rejected",
  "dismissed elsewhere": "dismissed",
  expired: "expired",
  gone: "gone",
};

function entry(
  ask: Ask,
  outcome: OutcomeKind,
  by: AnswerPlace | null,
  answer: string[][],
): HistoryEntry {
  const { id, asked_at, session, kind } = ask;
  const settled_at = NOW;
  return {
    id,
    source: ask.source,
    kind,
    title: ask.questions[0]?.question ?? "",
    asked: ask.questions.map((question) => question.question),
    project: session.directory.split("/").at(-1) ?? "",
    session: session.title,
    directory: session.directory,
    agent: null,
    asked_at,
    settled_at,
    outcome,
    by,
    responder: null,
    answer,
    ending: ENDINGS[answer[0]?.[0] ?? outcome] ?? ENDINGS[outcome] ?? "answered",
    replies: kind === "question" ? answer.map((choices) => ({ choices, text: null })) : [],
    reason: null,
    waited_ms: settled_at - asked_at,
  };
}

export function fake(): Bridge {
  const wish = new URLSearchParams(location.search);
  const language = wish.get("lang") ?? "en";
  const ftl = language === "en" ? en : `${zh}\n${en}`;
  const scene = wish.get("scene") ?? "single";
  const view = viewOf(
    {
      asks: answerScenes[scene]?.() ?? [],
      page: location.pathname.includes("settings")
        ? { window: "settings", tab: tabOf(scene) }
        : { window: "answer", ...(isInbox(scene) ? { inbox: true } : {}) },
      undo_ms: scene === "undo" ? 3000 : 0,
    },
    { language, languages: ["en", "zh-CN"], ftl },
  );
  if (!wish.has("live")) stopTheClock();
  const state = new Fake({ ...view, status: statusOf(scene, view.status, language) });
  if (isInbox(scene)) state.view.status.sources.push(GRAPHS);
  if (scene === "empty-new") state.view.today = { answered: 0, waited_median_ms: 0 };
  window.fake = state;
  const bridge: Bridge = { ...answers(state), ...settingsBridge(state, scene), ...window_(state) };
  if (scene === "lost") {
    bridge.openView = () =>
      Promise.reject({ message: "Failed to reach Beckon: connection refused" });
  }
  if (wish.has("known")) bridge.known = () => state.view;
  return slowly(bridge, Number(wish.get("slow")));
}

function isInbox(scene: string): boolean {
  return scene.startsWith("inbox") || scene === "keys";
}

/** Members that ask nothing of Beckon and so are never slowed down. */
const AT_ONCE: (keyof Bridge)[] = ["known", "font", "onView", "onGone", "onClosed", "drawn", "fit"];

/** Slows every call down by so many milliseconds (`?slow=200`), as on a busy machine. */
function slowly(bridge: Bridge, ms: number): Bridge {
  if (!ms) return bridge;
  const wait = () => new Promise((done) => setTimeout(done, ms));
  return new Proxy(bridge, {
    get(all, verb: keyof Bridge) {
      const call = all[verb] as ((...given: unknown[]) => unknown) | undefined;
      if (!call || AT_ONCE.includes(verb)) return call;
      return async (...given: unknown[]) => (await wait(), call(...given));
    },
  });
}

function stopTheClock(): void {
  Date.now = () => NOW;
}

function answers(state: Fake) {
  const answered = async (
    verb: string,
    { id, fingerprint }: Shown,
    ...rest: unknown[]
  ): Promise<Verdict> => {
    state.note(verb, id, ...rest);
    const asked = state.view.asks.find((ask) => ask.id === id);
    if (asked && asked.fingerprint !== fingerprint) throw CHANGED;
    const refused = state.isGone ? NOT_RUNNING : (state.refuse ?? state.refuses.get(id));
    state.refuse = undefined;
    state.refuses.delete(id);
    if (refused) throw refused;
    state.end(id, "answered", "window");
    return { state: "taken", by: "window" };
  };
  return {
    known: () => undefined,
    font: () => undefined,
    openView: async () => {
      if (state.isGone) throw NOT_RUNNING;
      return state.view;
    },
    drawn: () => (state.drawn ??= document.body.innerText),
    fit: (height: number) => (state.fitted = height),
    onView: (listener: (view: View) => void) => state.listen(listener),
    onGone: (listener: () => void) => state.listenGone(listener),
    answer: (ask: Shown, replies: unknown) => answered("answer", ask, replies),
    grant: (ask: Shown, always: boolean) => answered("grant", ask, always),
    deny: (ask: Shown, reason?: string) => answered("deny", ask, reason),
    dismiss: (ask: Shown) => answered("dismiss", ask),
    goOn: (ask: Shown, yes: boolean) => answered("go_on", ask, yes),
    attend: async (ask: Shown, to: Attend) => {
      state.note("attend", ask.id, to);
      state.attend(ask.id, to);
    },
    openSession: async (ask: Shown) => {
      state.note("open_session", ask.id);
      const why = state.refuses.get(ask.id);
      if (why) throw why;
    },
    keepDraft: async (id: string, { replies, page }: WindowDraft) =>
      state.note("keep_draft", id, { replies, page }),
  };
}

function window_(state: Fake) {
  return {
    openLink: async (url: string) => state.note("open_link", url),
    openLogs: async () => state.note("open_logs"),
    openConfig: async () => state.note("open_config"),
    openAgents: async () => state.note("open_agents"),
    resume: async () => {
      state.note("resume");
      state.change({ status: { ...state.view.status, paused_until: null } });
    },
    closeWindow: async () => state.note("close_window"),
    onClosed: (listener: () => void) => (state.closed = listener),
  };
}
