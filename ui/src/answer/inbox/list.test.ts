import { expect, test } from "vitest";
import { similar } from "../../bridge/inbox";
import { ask, command, single } from "../../bridge/scenes";
import type { Ask } from "../../lib/wire";
import { arrange, extend, lines, MOST_IN_PILE, projectOf, type Sheet } from "./list";
import { byId, NOBODY, stand } from "./standing";

const of = (id: string, project: string, waited: number, parts: Partial<Ask> = {}) =>
  ask({ id, project, waited, ...parts });

/** Writes a list as text, "shop: a b+c", with the members of a pile joined by a plus. */
const told = (sheet: Sheet) =>
  sheet.sections.map((section) => {
    const rows = section.rows.map((row) => row.ids.join("+")).join(" ");
    return `${projectOf(section) || section.what}: ${rows}`;
  });

test("the project with the longest wait comes first, and the longest wait first in each", () => {
  const asks = [of("a", "docs", 5), of("b", "shop", 9), of("c", "docs", 7), of("d", "shop", 1)];
  expect(told(arrange(asks))).toEqual(["shop: b d", "docs: c a"]);
});

test("two directories of one name are two projects, and so are two machines", () => {
  const one = of("a", "shop", 3);
  const directory = "/srv/shop";
  const other = { ...of("b", "shop", 2), session: { ...one.session, directory } };
  expect(told(arrange([one, other, of("c", "shop", 1, { source: "build-box" })]))).toEqual([
    "shop: a",
    "shop: b",
    "shop: c",
  ]);
});

test("what is snoozed comes last, the next to wake first; what is on its way is not there", () => {
  const asks = [
    of("a", "shop", 9, { set_aside: { is: "snoozed" } }),
    of("b", "shop", 8, { set_aside: { is: "snoozed", until: 20 } }),
    of("c", "shop", 7, { set_aside: { is: "snoozed", until: 10 } }),
    of("d", "shop", 6, { set_aside: { is: "seen" } }),
    of("e", "shop", 5, { state: "answering" }),
  ];
  expect(told(arrange(asks))).toEqual(["shop: d", "snoozed: c b a"]);
});

test("similar permissions are one row at the place of the first, up to a number one can read", () => {
  const piled = (id: string, waited: number) => similar(`npm test -- ${id}`, waited, { id });
  const question = single();
  const asks = [question, piled("a", 9), piled("b", 3)];
  const risky = { ...command(), id: "rm", asked_at: question.asked_at + 1 };
  expect(told(arrange([...asks, risky]))).toEqual([`shop-api: ${question.id} rm a+b`]);
  const many = Array.from({ length: MOST_IN_PILE + 3 }, (_, i) => piled(`p${i}`, 100 - i));
  const [section] = arrange(many).sections;
  expect(section?.rows.map((row) => row.ids.length)).toEqual([MOST_IN_PILE, 3]);
});

test("what arrives is added below all others, and nothing else moves", () => {
  const asks = [of("a", "shop", 5), of("b", "docs", 3, { set_aside: { is: "snoozed" } })];
  const sheet = arrange(asks);
  expect(extend(sheet, asks)).toBe(sheet);
  const older = of("c", "shop", 9);
  const once = extend(sheet, [older, ...asks]);
  const twice = extend(once, [older, of("d", "blog", 20), ...asks]);
  expect(told(once)).toEqual(["shop: a", "snoozed: b", "new: c"]);
  expect(told(twice)).toEqual(["shop: a", "snoozed: b", "new: c d"]);
  expect(lines(twice).filter((line) => line.is === "row" && line.foreign)).toHaveLength(3);
});

test("what has left keeps its row and says how it ended; one that comes back waits again", () => {
  const [a, b, c] = [of("a", "shop", 5), of("b", "shop", 4), of("c", "shop", 3)];
  const ids = ["a", "b", "c"];
  const ours = (ask: Ask) => ask.id === "b";
  const before = stand(ids, byId([a, b, c]), NOBODY, ours);
  const onItsWay = { ...c, state: "answering" as const };
  const after = stand(ids, byId([onItsWay]), before, ours);
  expect([...after.ended]).toEqual([
    ["a", "left"],
    ["b", "answered"],
    ["c", "answered"],
  ]);
  expect(after.known.get("a")).toBe(a);
  expect([...stand(ids, byId([c]), after, ours).ended.keys()]).toEqual(["a", "b"]);
});
