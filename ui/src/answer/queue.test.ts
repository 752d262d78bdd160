import { expect, test } from "vitest";
import { ask } from "../bridge/scenes";
import { isMeant, neighbour, others, pick, project } from "./queue";

const first = ask({ id: "a" });
const second = ask({ id: "b" });
const onItsWay = ask({ id: "c", state: "answering" });
const stale = ask({ id: "d", state: "stale" });

test("the shown ask stays while it waits, the wished one comes first, else the oldest", () => {
  expect(pick([first, second])).toBe(first);
  expect(pick([first, second], "b")).toBe(second);
  expect(pick([first, second], "a", "b")).toBe(second);
  expect(pick([first, second], "gone", "gone")).toBe(first);
  expect(pick([])).toBeUndefined();
});

test("an answer on its way is not shown; what was left alone comes last", () => {
  expect(pick([onItsWay, stale, second])).toBe(second);
  expect(pick([onItsWay, stale])).toBe(stale);
  expect(others([first, onItsWay, second], "a")).toEqual([second]);
});

test("a wish may name the source", () => {
  expect(isMeant(ask({ id: "x", source: "local" }), "local/x")).toBe(true);
  expect(isMeant(ask({ id: "local/x", source: "local" }), "local/x")).toBe(true);
  expect(isMeant(first, "local/b")).toBe(false);
});

test("the neighbours go round", () => {
  const asks = [first, second, onItsWay];
  expect(neighbour(asks, "b", 1)).toBe(first);
  expect(neighbour(asks, "a", -1)).toBe(second);
});

test("a project is the last part of its directory, on every system", () => {
  const named = (directory: string) => project({ ...first.session, directory });
  expect(named("/home/you/shop-api/")).toBe("shop-api");
  expect(named("C:\\src\\shop-api")).toBe("shop-api");
  expect(named("/")).toBe("/");
});

test("what others decide is not counted, and shown only to whom asks for it", () => {
  const held = ask({ id: "h", held: { deciders: ["Ada"], said: "yes" } });
  expect(pick([held, second])).toBe(second);
  expect(pick([held], undefined, "h")).toBe(held);
  expect(others([held, first, second], "a")).toEqual([second]);
  expect(neighbour([first, held, second], "a", 1)).toBe(second);
});

test("what is snoozed is not counted, and shown only to whom asks for it", () => {
  const snoozed = ask({ id: "z", set_aside: { is: "snoozed" } });
  expect(pick([snoozed, second])).toBe(second);
  expect(pick([snoozed])).toBeUndefined();
  expect(pick([snoozed, second], "z")).toBe(snoozed);
  expect(pick([snoozed, second], "b", "z")).toBe(snoozed);
  expect(others([snoozed, first, second], "a")).toEqual([second]);
  expect(neighbour([first, snoozed, second], "a", 1)).toBe(second);
  expect(neighbour([first, snoozed, second], "z", 1)).toBe(second);
});
