import { expect, test } from "vitest";
import { similar } from "../../bridge/inbox";
import { command, confirm, edit, outside, single } from "../../bridge/scenes";
import type { Ask } from "../../lib/wire";
import { answerEach } from "./batch";
import { areAlike, isPlain, likeness, select, shrink, toggle } from "./similar";
import { byId } from "./standing";

const permission = (command: string, parts: Partial<Ask> = {}) => similar(command, 1000, parts);

test("permissions of one kind and purpose in one session are alike", () => {
  const [cart, tax] = [permission("npm test -- cart"), permission("npm test -- tax")];
  expect(areAlike([cart, tax])).toBe(true);
  expect(areAlike([cart])).toBe(false);
  const elsewhere = { ...tax, session: { ...tax.session, id: "another" } };
  expect(areAlike([cart, elsewhere])).toBe(false);
  expect(areAlike([cart, { ...tax, source: "build-box" }])).toBe(false);
  const purpose = { verb: "run" as const, objects: ["cargo"] };
  const other = tax.permission && { ...tax, permission: { ...tax.permission, purpose } };
  expect(other && areAlike([cart, other])).toBe(false);
});

test("of a tool or a change a pattern does not tell all, so each is looked at by itself", () => {
  for (const verb of ["tool", "edit", "write", "plan", "delegate", "other"] as const) {
    const asked = permission("npm test");
    const wish = asked.permission;
    if (wish) wish.purpose = { verb, objects: ["npm"] };
    expect(likeness(asked)).toBeUndefined();
  }
});

test("what is risky, deceptive, cut or not a plain permission is never in a batch", () => {
  const risks = command().risks;
  const odd = [
    permission("npm test", { risks }),
    permission("npm test \u202etxt.exe"),
    permission(`npm test ${" ".repeat(40)}; rm x`),
    permission(`npm test ${"a".repeat(700)}`),
    permission("npm test\n".repeat(20)),
    permission("npm test", { state: "stale" }),
    permission("npm test", { state: "answering" }),
    permission("npm test", { times: 3 }),
    permission("npm test", { changed: true }),
    permission("npm test", { returned: { reason: "refused", detail: "no" } }),
    permission("npm test", { unknown: "{}" }),
    edit(),
    outside(),
    single(),
    confirm(),
  ];
  expect(odd.map(likeness)).toEqual(odd.map(() => undefined));
  expect(odd.some(isPlain)).toBe(false);
  expect(isPlain(permission("npm test"))).toBe(true);
});

test("a selection loses who was answered elsewhere, and whoever asks something else by now", () => {
  const [a, b, c, d] = ["a", "b", "c", "d"].map((id) => permission(`npm test -- ${id}`, { id }));
  if (!a || !b || !c || !d) throw new Error("there are four");
  const asks = [a, b, c, d];
  const now = byId([a, { ...b, fingerprint: "another" }, { ...c, state: "answering" }]);
  const { kept, left, changed } = shrink(select(asks), now, byId(asks));
  expect([...kept.keys()]).toEqual(["a"]);
  expect(left.map((ask) => ask.id)).toEqual(["c", "d"]);
  expect(changed.map((ask) => ask.id)).toEqual(["b"]);
});

test("one that has become risky is taken out, though it is the same request", () => {
  const a = permission("npm test", { id: "a" });
  const risky = byId([{ ...a, risks: command().risks }]);
  const { kept, changed } = shrink(select([a]), risky, risky, (ask) => isPlain(ask));
  expect([kept.size, changed.length]).toEqual([0, 1]);
});

test("selecting what has changed selects it as it is seen now", () => {
  const a = permission("npm test", { id: "a" });
  const changed = { ...a, fingerprint: "another" };
  const again = toggle(select([a]), [changed]);
  expect(again.get("a")).toBe("another");
  expect(toggle(again, [changed]).size).toBe(0);
});

test("each is one answer of its own: one that fails or comes too late stops no other", async () => {
  const asks = ["a", "b", "c"].map((id) => permission("npm test", { id }));
  const grant = async ({ id }: { id: string }) => {
    if (id === "a") throw new Error("The server does not answer.");
    return { state: id === "b" ? "already answered" : "taken", by: null } as const;
  };
  const outcome = await answerEach({ grant, deny: grant }, "allow", asks, String);
  expect(outcome.done.map((ask) => ask.id)).toEqual(["c"]);
  expect(outcome.elsewhere.map((ask) => ask.id)).toEqual(["b"]);
  expect(outcome.failed.map(({ ask, message }) => [ask.id, message])).toEqual([
    ["a", "Error: The server does not answer."],
  ]);
});
