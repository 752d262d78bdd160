// A random life of the answer window: views that come by themselves, keys at a person's pace,
// looks. The rule under test: no key ever answers a request that was not on screen, unchanged, for
// a pause or until its human looked. The test keeps an account of its own and does not ask the
// window what it knows of looking.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Bridge } from "../bridge";
import { ask, command, question, view as viewOf } from "../bridge/scenes";
import { session } from "../lib/session.svelte";
import type { Ask, Verdict, View } from "../lib/wire";
import { AIMED_MS, PAUSE_MS } from "./looking";
import { Answering } from "./state.svelte";

const LIVES = 400;
const STEPS = 60;
const TEXTS = { language: "en", languages: ["en"], ftl: "" };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Returns a source of random numbers that are the same each time. */
function dice(seed: number): (most: number) => number {
  let state = seed * 2654435761 + 1;
  return (most) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor(state / 65536) % most;
  };
}

class Life {
  readonly answering = new Answering();
  readonly sent: Ask[] = [];
  asks: Ask[] = [];
  /** The fingerprint of what is on screen; `seen` is whether the human has seen it there. */
  shown: string | undefined;
  seen = true;
  changedAt = -Infinity;
  keyAt = -Infinity;
  writes = false;
  #serial = 0;

  constructor(readonly roll: (most: number) => number) {
    const verdict = async (asked: Ask): Promise<Verdict> => {
      this.sent.push(asked);
      return { state: "taken", by: "window" };
    };
    session.bridge = {
      answer: verdict,
      grant: verdict,
      deny: verdict,
      dismiss: verdict,
      history: async () => ({ entries: [], more: false }),
      keepDraft: async () => {},
      closeWindow: async () => {},
    } as unknown as Bridge;
    this.answering.isWriting = () => this.writes;
    this.come();
    this.draw();
    // The first request was called for.
    [this.seen, this.changedAt] = [true, -Infinity];
  }

  come(): void {
    const n = (this.#serial += 1);
    const parts = { id: `que_${n}`, fingerprint: `f${n}` };
    const asked = question({ question: `Which ${n}?`, choices: [{ label: "A", description: "" }] });
    const wanted = this.roll(2) === 0;
    const one = wanted ? { ...command(), ...parts } : ask({ ...parts, questions: [asked] });
    this.asks = [...this.asks, one];
  }

  /** Lets a request go, or ask something else under its id. */
  change(): void {
    if (this.asks.length === 0) return;
    const at = this.roll(this.asks.length);
    const [one] = this.asks.slice(at, at + 1);
    if (!one) return;
    const other = { ...one, fingerprint: `${one.fingerprint}'` };
    this.asks = this.asks.toSpliced(at, 1, ...(this.roll(3) === 0 ? [other] : []));
  }

  /** Gives the window a view that nobody asked for. */
  draw(): void {
    const page: View["page"] = { window: "answer" };
    const view = viewOf({ asks: this.asks, page, undo_ms: 0 }, TEXTS);
    session.view = view;
    this.answering.see(view);
    this.#follow();
  }

  /** Notes in the test's account what the human has not seen: a request that has come up, or that
   * is over now. */
  #follow(): void {
    const { ask, over } = this.answering;
    const shown = `${ask?.fingerprint}${over ? " over" : ""}`;
    if (shown === this.shown) return;
    [this.shown, this.seen] = [shown, false];
    this.changedAt = this.keyAt = performance.now();
  }

  /** Notes that the human, who has answered, expects the next request. */
  #goOn(): void {
    this.shown = this.answering.ask?.fingerprint;
    this.seen = true;
  }

  /** Presses a key that would answer what is shown, if keys act. */
  async key(): Promise<void> {
    const now = performance.now();
    const may = this.seen || now - this.keyAt >= PAUSE_MS;
    const before = this.sent.length;
    const on = this.answering.ask;
    const acts = this.answering.looking.key(now, "other");
    // The focus may be on "Next request".
    if (acts && this.answering.over && this.roll(2) === 0) {
      expect(may, "a key went on from what nobody had seen to be over").toBe(true);
      this.moveOn();
    } else if (acts) await this.press();
    if (this.sent.length > before) {
      expect(may, "a key answered what nobody had looked at").toBe(true);
      expect(this.sent.at(-1)?.fingerprint).toBe(on?.fingerprint);
    }
    [this.keyAt, this.seen] = [now, may];
    if (this.sent.length > before) this.#goOn();
  }

  moveOn(): void {
    this.answering.moveOn();
    this.shown = this.answering.ask?.fingerprint;
  }

  async click(): Promise<void> {
    const now = performance.now();
    const may = now - this.changedAt >= AIMED_MS;
    const before = this.sent.length;
    if (this.answering.looking.click(now)) await this.press();
    if (this.sent.length > before)
      expect(may, "a click was aimed at what had been there").toBe(true);
    this.seen ||= may;
    if (this.sent.length > before) this.#goOn();
  }

  async press(): Promise<void> {
    const shown = this.answering.ask;
    const waits = this.asks.some((it) => it.fingerprint === shown?.fingerprint);
    const before = this.sent.length;
    if (shown?.kind === "permission") this.answering.act({ do: "grant", always: false });
    this.answering.choose(0);
    this.answering.forward();
    await vi.advanceTimersByTimeAsync(0);
    if (this.sent.length === before) return;
    expect(waits, "an answer went to what is over").toBe(true);
    this.asks = this.asks.filter((it) => it.fingerprint !== shown?.fingerprint);
    this.draw();
  }

  look(): void {
    const at = (x: number) => ({ page: { x, y: 0 }, screen: { x, y: 0 } });
    this.answering.looking.pointed(at(0));
    this.answering.looking.pointed(at(40));
    this.seen = true;
  }

  type(): void {
    if (this.answering.ask?.kind === "permission") this.answering.because("too early");
    else this.answering.write(`word ${this.roll(9)}`);
    this.writes = this.answering.ask !== undefined;
  }
}

test("no key and no click ever answers what was not looked at", async () => {
  let answers = 0;
  let kept = 0;
  for (let seed = 1; seed <= LIVES; seed += 1) {
    const roll = dice(seed);
    const life = new Life(roll);
    for (let step = 0; step < STEPS; step += 1) {
      await vi.advanceTimersByTimeAsync(roll(4) === 0 ? roll(4000) : roll(200));
      const before = life.answering.ask;
      const typed = before && life.answering.memory.typed(before);
      switch (roll(8)) {
        case 0:
          life.come();
          life.draw();
          break;
        case 1:
          life.change();
          life.draw();
          if (typed && life.answering.ask?.fingerprint !== before.fingerprint) {
            throw new Error("what somebody writes in was replaced by itself");
          }
          kept += Number(life.answering.over);
          break;
        case 2:
          life.look();
          break;
        case 3:
          await life.click();
          break;
        case 4:
          life.type();
          break;
        case 5:
          life.writes = false;
          if (life.answering.over && roll(2) === 0) {
            life.look();
            life.moveOn();
          }
          break;
        default:
          await life.key();
      }
    }
    answers += life.sent.length;
  }
  // Proof that the run was not empty.
  expect(answers).toBeGreaterThan(LIVES);
  expect(kept).toBeGreaterThan(LIVES / 10);
});
