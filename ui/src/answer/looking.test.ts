import { describe, expect, it } from "vitest";
import { AIMED_MS, Looking, PAUSE_MS } from "./looking";

/** Milliseconds between two keys, as a person types. */
const PACE = 110;

/** Lets the pointer go so many pixels to the right over the page, from where it is. */
function point(looking: Looking, pixels: number): void {
  looking.pointed(place(0));
  looking.pointed(place(pixels));
  looking.pointed(place(0));
}

const place = (x: number, window = 0) => ({ page: { x, y: 50 }, screen: { x: x + window, y: 50 } });

describe("looking", () => {
  it("lets keys act as long as nothing changes by itself", () => {
    const looking = new Looking();
    for (let at = 0; at < 1000; at += PACE) expect(looking.key(at, "other")).toBe(true);
  });

  it("lets no key act that is typed on over a change, however long the sentence", () => {
    const looking = new Looking();
    looking.changed(1000);
    for (let at = 1050; at < 60_000; at += PACE) expect(looking.key(at, "other")).toBe(false);
  });

  it("lets a key act after a pause without keys", () => {
    const looking = new Looking();
    looking.changed(0);
    expect(looking.key(100, "other")).toBe(false);
    expect(looking.key(100 + PAUSE_MS - 1, "other")).toBe(false);
    expect(looking.key(100 + 2 * PAUSE_MS, "other")).toBe(true);
    expect(looking.key(100 + 2 * PAUSE_MS + PACE, "other")).toBe(true);
  });

  it("takes Tab and a moved pointer for a look, and neither a modifier nor a nudge", () => {
    const looking = new Looking();
    looking.changed(0);
    expect(looking.key(10, "modifier")).toBe(true);
    point(looking, 2);
    expect(looking.key(20, "other")).toBe(false);
    point(looking, 300);
    expect(looking.key(30, "other")).toBe(true);
    looking.changed(1000);
    expect(looking.key(1010, "tab")).toBe(true);
    expect(looking.key(1020, "other")).toBe(true);
  });

  it("takes no page that grows over a resting pointer for a look, nor a window that moves", () => {
    for (const begins of ["changed", "followed", "returned"] as const) {
      const looking = new Looking();
      looking.key(0, "send", true);
      looking.pointed(place(25));
      looking[begins](10_000);
      looking.pointed(place(209));
      expect(looking.key(10_110, "answer"), begins).toBe(false);
      looking.pointed(place(309, -100));
      expect(looking.key(10_220, "answer"), begins).toBe(false);
      looking.pointedElsewhere();
      looking.pointed(place(20, -100));
      expect(looking.key(10_330, "answer"), begins).toBe(false);
      looking.pointed(place(40, -100));
      expect(looking.key(10_440, "answer"), "a hand moves it").toBe(true);
    }
  });

  it("does not count a click that was aimed before the change", () => {
    const looking = new Looking();
    looking.changed(0);
    expect(looking.click(AIMED_MS - 1)).toBe(false);
    expect(looking.key(AIMED_MS, "other")).toBe(false);
    expect(looking.click(AIMED_MS)).toBe(true);
    expect(looking.key(AIMED_MS + 1, "other")).toBe(true);
  });

  it("lets nothing answer what an answer has led on to, until there was a pause or a look", () => {
    const looking = new Looking();
    looking.followed(0);
    for (const at of [130, 660, 1200]) expect(looking.key(at, "answer")).toBe(false);
    expect(looking.key(1200 + PAUSE_MS, "answer")).toBe(true);
    looking.followed(10_000);
    point(looking, 100);
    expect(looking.click(10_040), "the buttons judge a click on them").toBe(true);
    expect(looking.key(10_050, "answer")).toBe(true);
  });

  it("takes a key that was aimed at what an answer has led on to for a look, and no earlier one", () => {
    const looking = new Looking();
    looking.followed(0);
    expect(looking.key(AIMED_MS - 1, "other")).toBe(true);
    expect(looking.key(AIMED_MS, "answer")).toBe(false);
    expect(looking.key(AIMED_MS + PACE, "other")).toBe(true);
    expect(looking.key(AIMED_MS + 2 * PACE, "answer")).toBe(true);
  });

  it("takes no character for a look after an answer that was sent out of a text", () => {
    const looking = new Looking();
    looking.key(0, "character", true);
    looking.key(PACE, "answer", true);
    looking.followed(PACE);
    for (let at = 2 * PACE; at < 20_000; at += PACE) {
      expect(looking.key(at, "character")).toBe(false);
    }
    expect(looking.key(20_000, "character", true), "into a draft").toBe(true);
    expect(looking.key(20_000, "answer", true)).toBe(false);
    expect(looking.isHeldBack).toBe(true);
    expect(looking.key(20_000 + PAUSE_MS, "character")).toBe(true);
  });

  it("knows a writer also by what is typed while the answer is being sent", () => {
    const looking = new Looking();
    looking.key(0, "send", true);
    for (let at = PACE; at < 1_000; at += PACE) looking.key(at, "character");
    looking.key(1_000, "other");
    looking.followed(1_000);
    for (let at = 1_000 + PACE; at < 5_000; at += PACE) {
      expect(looking.key(at, "character")).toBe(false);
    }
  });

  it("lets an arrow act after such an answer, and a character after a click or a choice", () => {
    const looking = new Looking();
    looking.key(0, "answer", true);
    looking.followed(0);
    expect(looking.key(AIMED_MS, "other")).toBe(true);
    expect(looking.key(AIMED_MS + PACE, "answer")).toBe(true);
    looking.followed(10_000);
    expect(looking.key(10_000 + AIMED_MS, "character")).toBe(true);
    looking.key(20_000, "character", true);
    looking.click(20_100);
    looking.followed(20_100);
    expect(looking.key(20_100 + AIMED_MS, "character")).toBe(true);
  });

  it("holds keys back that stray to a window that gets the keyboard by itself", () => {
    const looking = new Looking();
    looking.returned(10_000);
    for (let at = 10_050; at < 20_000; at += PACE) {
      expect(looking.key(at, "character")).toBe(false);
      expect(looking.key(at, "answer")).toBe(false);
    }
    expect(looking.key(20_000, "character", true), "into the draft").toBe(true);
    expect(looking.key(20_100, "send", true), "of a text").toBe(true);
    expect(looking.key(20_200, "answer")).toBe(false);
    expect(looking.click(20_300), "a click is a look").toBe(true);
    expect(looking.key(20_400, "answer")).toBe(true);
  });

  it("lets keys act in a window that was called for, unless some were lost on the way", () => {
    const looking = new Looking();
    looking.called(10_000);
    looking.returned(10_200);
    expect(looking.key(10_300, "character")).toBe(true);
    looking.missed(20_000);
    expect(looking.key(20_100, "answer")).toBe(false);
    looking.called(20_150);
    expect(looking.key(20_200, "answer")).toBe(false);
    expect(looking.key(20_200 + PAUSE_MS, "answer")).toBe(true);
  });

  it("lets no space between words press a button, also long after a look", () => {
    const looking = new Looking();
    expect(looking.key(1_000, "space")).toBe(true);
    looking.key(5_000, "character");
    expect(looking.key(5_000 + PACE, "space")).toBe(false);
    looking.key(5_000 + 2 * PACE, "character", true);
    expect(looking.key(5_000 + PAUSE_MS, "space"), "after a pause").toBe(true);
  });

  it("takes no stall of the page for a pause", () => {
    const looking = new Looking();
    looking.changed(5_000);
    for (let at = 4_000; at < 6_800; at += PACE) {
      expect(looking.key(at, "other"), "heard late, pressed then").toBe(false);
    }
  });

  it("never lets a random life act on what was not there for a pause or looked at", () => {
    let seed = 7;
    const dice = (most: number) => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return seed % most;
    };
    for (let life = 0; life < 300; life += 1) {
      const looking = new Looking();
      let [now, changed, key, looked, moved] = [0, -Infinity, -Infinity, true, 0];
      for (let step = 0; step < 80; step += 1) {
        now += dice(5) === 0 ? dice(4000) : dice(200);
        switch (dice(6)) {
          case 0:
            looking.changed(now);
            [changed, key, looked, moved] = [now, now, false, 0];
            break;
          case 1: {
            const by = dice(3);
            point(looking, by);
            moved += 2 * by;
            looked ||= moved >= 8;
            break;
          }
          case 2: {
            const counts = looking.click(now);
            expect(counts).toBe(now - changed >= AIMED_MS);
            looked ||= counts;
            break;
          }
          case 3:
            expect(looking.key(now, "tab")).toBe(true);
            [key, looked] = [looked ? key : now, true];
            break;
          default: {
            const may = looked || now - key >= PAUSE_MS;
            expect(looking.key(now, "other")).toBe(may);
            [key, looked] = [now, may];
          }
        }
      }
    }
  });
});
