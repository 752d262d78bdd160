// The rule that no key and no press counts in a page that nobody can have seen: all are held back
// from when it comes into sight until it has been painted.
//
// WebKit calls animation frames only while it paints. A page counts as painted with the second
// frame in a row: that one was asked for when the first was about to be drawn.
//
// The document and the clock are passed in, so that a test has its own.

const HELD = ["keydown", "keyup", "click"];

export interface Sight {
  document: Pick<Document, "visibilityState" | "addEventListener">;
  frame: (then: () => void) => unknown;
  /** The target whose events are held back before anything else gets them. */
  events: Pick<Window, "addEventListener">;
  /** Hears of what is held back. */
  heldBack?: (event: Event) => void;
}

export function holdUntilPainted({ document, frame, events, heldBack }: Sight): void {
  let isPainted = false;
  let turn = 0;
  const look = () => {
    const mine = (turn += 1);
    isPainted = false;
    if (document.visibilityState !== "visible") return;
    const done = () => (isPainted = isPainted || mine === turn);
    frame(() => frame(done));
  };
  const holdBack = (event: Event) => {
    if (isPainted) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    heldBack?.(event);
  };
  look();
  document.addEventListener("visibilitychange", look);
  for (const name of HELD) events.addEventListener(name, holdBack, { capture: true });
}

/** Applies the rule to the page that this runs in. */
export function holdThisPage(heldBack?: (event: Event) => void): void {
  const frame = (then: () => void) => requestAnimationFrame(then);
  holdUntilPainted({ document, frame, events: window, ...(heldBack && { heldBack }) });
}
