import { expect, test } from "vitest";
import { holdUntilPainted } from "./painted";

/** A page that is hidden at first, with frames that come when the test lets them. */
function page() {
  const frames: (() => void)[] = [];
  const document = Object.assign(new EventTarget(), {
    visibilityState: "hidden" as DocumentVisibilityState,
  });
  const events = new EventTarget();
  holdUntilPainted({
    document: document as unknown as Document,
    frame: (then) => frames.push(then),
    events: events as unknown as Window,
  });
  return {
    turn(to: DocumentVisibilityState) {
      document.visibilityState = to;
      document.dispatchEvent(new Event("visibilitychange"));
    },
    paint: () => frames.splice(0).forEach((then) => then()),
    /** Tells whether a listener on the page gets an event. */
    hears(name: string): boolean {
      let heard = false;
      const listener = () => (heard = true);
      events.addEventListener(name, listener);
      events.dispatchEvent(new Event(name, { cancelable: true }));
      events.removeEventListener(name, listener);
      return heard;
    },
  };
}

test("a page that was never painted hears no key and no press", () => {
  const { hears, turn, paint } = page();
  paint();
  for (const name of ["keydown", "keyup", "click"]) expect(hears(name)).toBe(false);
  turn("visible");
  expect(hears("keydown")).toBe(false);
  paint();
  expect(hears("keydown"), "one frame is only about to be drawn").toBe(false);
  paint();
  for (const name of ["keydown", "keyup", "click"]) expect(hears(name)).toBe(true);
});

test("one that was hidden is painted anew before it hears any", () => {
  const { hears, turn, paint } = page();
  turn("visible");
  paint();
  turn("hidden");
  paint();
  expect(hears("keydown")).toBe(false);
  turn("visible");
  expect(hears("keydown")).toBe(false);
  paint();
  paint();
  expect(hears("keydown")).toBe(true);
});
