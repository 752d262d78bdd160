// The inbox's state: the list, its current row, what is selected, whether it is in sight. The
// current row's request is the one shown; all that answers it is in `../state.svelte.ts`.

import { MediaQuery } from "svelte/reactivity";
import { session, t } from "../../lib/session.svelte";
import type { Ask, View } from "../../lib/wire";
import { isSnoozed, waits } from "../queue";
import { answering } from "../state.svelte";
import type { Outcome } from "./batch";
import { matcher } from "./filter";
import { arrange, EMPTY, extend, lines, type Row } from "./list";
import { Pile } from "./pile.svelte";
import { areAlike, NONE, shrink, toggle } from "./similar";
import { byId, NOBODY, stand } from "./standing";

/** The width from which on there is room for both the list and the answer. */
export const WIDE = "min-width: 760px";

export class Inbox {
  readonly #room = new MediaQuery(WIDE);
  /** Whether the list is shown in place of the answer in a narrow window. */
  opened = $state(false);
  sheet = $state.raw(EMPTY);
  standing = $state.raw(NOBODY);
  /** The key of the current row, to which key presses apply. */
  current = $state<string>();
  wanted = $state("");
  selected = $state.raw(NONE);
  /** Number of selected requests that have gone since, and of those that ask something else. */
  lost = $state.raw({ left: 0, changed: 0 });
  pile = $state.raw<Pile>();

  readonly lines = $derived(lines(this.sheet));
  readonly rows = $derived(this.lines.flatMap((line) => (line.is === "row" ? [line.row] : [])));
  readonly live = $derived(byId(answering.asks));
  readonly arrived = $derived(
    this.sheet.sections.find((section) => section.what === "new")?.rows.length ?? 0,
  );
  readonly selection = $derived([...this.selected.keys()].flatMap((id) => this.live.get(id) ?? []));
  /** Whether the selected requests may be allowed together, once they are shown whole. */
  readonly canAllow = $derived(areAlike(this.selection));

  /** Whether the window was opened for the list: Esc in the list then closes it. */
  #asInbox = false;
  #page = "";

  constructor() {
    answering.successor = (ask) => this.#after(ask);
  }

  get wide(): boolean {
    return this.#room.current;
  }

  get shown(): boolean {
    return this.opened || this.wide;
  }

  see(view: View): void {
    this.#follow(view);
    this.pile?.see(view);
    if (!this.shown) return;
    const fits = matcher(t, this.wanted);
    // An empty list has no order to keep.
    if (this.sheet.ids.size === 0) return this.arrange();
    this.sheet = extend(this.sheet, view.asks, fits);
    this.#refresh();
    this.#shrink();
    if (this.wide && !this.pile) this.#mark();
  }

  /** Follows the page that the window was asked for: the list, or one request of it. */
  #follow({ page }: View): void {
    if (page.window !== "answer") return;
    const meant = `${page.ask ?? ""}\n${page.inbox ?? false}`;
    if (meant === this.#page) return;
    this.#page = meant;
    this.#asInbox = page.inbox === true;
    if (this.#asInbox) this.open();
    // A pile that is counting down stays, since leaving would take it back.
    else if (this.pile?.undoUntil === undefined) this.leave();
  }

  /** Builds a new list of what waits now. */
  arrange(): void {
    this.sheet = arrange(answering.asks, matcher(t, this.wanted));
    this.standing = NOBODY;
    this.#refresh();
    this.#shrink();
    this.#mark();
  }

  #refresh(): void {
    const isOurs = (ask: Ask) => answering.memory.isOurs(ask);
    this.standing = stand(this.sheet.ids, this.live, this.standing, isOurs);
  }

  #shrink(): void {
    const { kept, left, changed } = shrink(this.selected, this.live, this.standing.known);
    if (kept.size === this.selected.size) return;
    this.selected = kept;
    const others = left.filter((ask) => this.standing.ended.get(ask.id) !== "answered").length;
    const { lost } = this;
    this.lost = { left: lost.left + others, changed: lost.changed + changed.length };
  }

  /** Makes the row of the shown request the current one; without one, the first row. */
  #mark(): void {
    const shown = answering.ask?.id;
    const row = this.rows.find(({ ids }) => shown !== undefined && ids.includes(shown));
    const still = this.rows.some(({ key }) => key === this.current);
    if (row) this.current = row.key;
    else if (!still) this.current = this.rows[0]?.key;
  }

  rowOf(key: string | undefined): Row | undefined {
    return this.rows.find((row) => row.key === key);
  }

  /** Returns the requests of a row that still wait. */
  waiting(row: Row | undefined): Ask[] {
    const asks = row?.ids.flatMap((id) => this.live.get(id) ?? []) ?? [];
    return asks.filter((ask) => waits(ask) && !this.standing.ended.has(ask.id));
  }

  /** Shows the list in place of the answer. */
  open(): void {
    this.opened = true;
    this.arrange();
  }

  /** Goes back to the answer and forgets the list. */
  leave(): void {
    this.opened = false;
    this.forget();
  }

  forget(): void {
    this.wanted = "";
    this.#deselect();
    this.closePile();
    if (this.shown && answering.asks.length > 0) this.arrange();
    else this.sheet = EMPTY;
  }

  #deselect(): void {
    this.selected = NONE;
    this.lost = { left: 0, changed: 0 };
  }

  /** Follows a change of the width: there may be room for the list now, or none. */
  resized(): void {
    if (!this.shown) this.sheet = EMPTY;
    else if (this.sheet.ids.size === 0) this.arrange();
  }

  /** Goes one step back, on Esc outside of a field. False: there is nothing to go back to. */
  back(): boolean {
    if (this.pile) {
      if (this.pile.undoUntil !== undefined) this.pile.takeBack();
      else this.closePile();
      if (this.wide && !this.pile) this.#mark();
      return true;
    }
    if (this.shown && (this.selected.size > 0 || this.wanted)) {
      this.#deselect();
      if (this.wanted) this.filter("");
      return true;
    }
    if (this.wide || (this.opened ? this.#asInbox || !answering.ask : !this.#asInbox)) return false;
    if (this.opened) this.leave();
    else this.open();
    return true;
  }

  /** Forgets everything when the window is closed. The next call says what it shows. */
  closed(): void {
    this.#page = "";
    this.#asInbox = false;
    this.leave();
  }

  filter(text: string): void {
    this.wanted = text;
    this.arrange();
    const row = this.rowOf(this.current);
    const shown = answering.ask?.id;
    // Keeps the shown request beside the list: searching is not choosing.
    if (row && !this.wide && !(shown && row.ids.includes(shown))) this.turnTo(row);
  }

  /** Makes a row the current one and shows its request. */
  turnTo(row: Row): void {
    if (answering.busy || this.pile?.busy) return;
    this.current = row.key;
    const [ask, ...more] = this.waiting(row);
    if (this.wide && more.length > 0) return this.openPile(row);
    this.closePile();
    if (ask) answering.show(ask);
  }

  /** Turns to a row by a mouse press. The answers come up under the pointer, and the second half of
   * a double press must not press one. */
  point(row: Row): void {
    this.turnTo(row);
    answering.settle();
  }

  /** Moves to the row below or above, among those that still wait. */
  step(step: 1 | -1): void {
    const next = this.#from(this.current, step);
    if (next) this.turnTo(next);
  }

  /** Moves to the first row, or to the last. */
  edge(end: 1 | -1): void {
    const rows = end > 0 ? this.rows.toReversed() : this.rows;
    const row = rows.find((row) => this.waiting(row).length > 0);
    if (row) this.turnTo(row);
  }

  #from(key: string | undefined, step: 1 | -1): Row | undefined {
    const here = this.rows.findIndex((row) => row.key === key);
    for (let i = here + step; i >= 0 && i < this.rows.length; i += step) {
      const row = this.rows[i];
      if (row && this.waiting(row).length > 0) return row;
    }
    return undefined;
  }

  /** Returns the request to show after an answer: in the row below, or after the last one above. */
  #after(ask: Ask): Ask | undefined {
    if (!this.shown || this.pile) return undefined;
    const here = this.rows.find(({ ids }) => ids.includes(ask.id));
    if (!here) return undefined;
    const next = this.#from(here.key, 1) ?? this.#from(here.key, -1);
    const waiting = this.waiting(next);
    if (next) this.current = next.key;
    if (next && this.wide && waiting.length > 1) this.openPile(next);
    return waiting.find((other) => !isSnoozed(other));
  }

  /** Opens a row in full: a request to answer, or a pile to allow. */
  enter(row: Row): void {
    const [ask, ...more] = this.waiting(row);
    if (!ask || answering.busy || answering.settling || this.pile?.busy) return;
    this.current = row.key;
    if (more.length > 0) return this.openPile(row);
    answering.show(ask);
    if (this.wide) return;
    // Otherwise the second half of a double press could answer what the first half has opened.
    answering.settle();
    this.leave();
  }

  openPile({ ids }: { ids: readonly string[] }): void {
    // A pile that is counting down stays open, so that it can be taken back.
    if (this.pile?.busy) return;
    const asks = ids.flatMap((id) => this.standing.known.get(id) ?? []);
    this.pile = new Pile(asks, (outcome, pile) => this.#sent(outcome, pile));
    const { view } = session;
    if (view) this.pile.see(view);
  }

  /** Opens all that is selected as a pile, to be read in full and allowed together. */
  openSelection(): void {
    if (this.pile?.busy) return;
    if (this.canAllow) this.openPile({ ids: [...this.selected.keys()] });
    this.#deselect();
  }

  closePile(): void {
    this.pile?.takeBack();
    this.pile = undefined;
  }

  /** Takes in what became of a pile. An open one shows what failed; else a notice does. */
  #sent({ does, done, elsewhere, failed }: Outcome, pile: Pile): void {
    const open = this.pile === pile;
    if (open && elsewhere.length + failed.length > 0) return;
    if (done[0]) answering.notice = { is: "batch", ask: done[0], count: done.length, does };
    if (failed[0]) answering.notice = { is: "failed", ...failed[0] };
    if (!open) return;
    this.pile = undefined;
    const next = this.#from(this.current, 1) ?? this.#from(this.current, -1);
    answering.leaveBehind(done);
    if (next) this.turnTo(next);
    else this.#mark();
    answering.followed();
  }

  toggle(row: Row): void {
    const asks = this.waiting(row);
    if (asks.length > 0) this.selected = toggle(this.selected, asks);
    if (this.selected.size === 0) this.#deselect();
  }
}

export const inbox = new Inbox();
