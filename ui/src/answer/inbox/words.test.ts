import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { inbox, similar } from "../../bridge/inbox";
import { plan } from "../../bridge/permissions";
import { command, confirm, edit, multiple, set, single } from "../../bridge/scenes";
import { words } from "../../lib/texts";
import { matcher } from "./filter";
import { arrange, lines } from "./list";
import { quick } from "./quick";
import { between, offsets, top } from "./virtual";
import { common, deed, notes, pile } from "./words";

const speak = (language: string) =>
  words({
    language,
    languages: [],
    ftl: readFileSync(
      new URL(`../../../../client/locales/${language}/ui.ftl`, import.meta.url),
      "utf8",
    ),
  });
const [t, zh] = [speak("en"), speak("zh-CN")];
const below = (ask: Parameters<typeof notes>[1]) => notes(t, ask).map(({ text }) => text);

test("a row says what is to be done, and below which kind it is and what to beware of", () => {
  expect(deed(t, command()).join("")).toBe(
    "Run rm -rf build && npm run build -- --mode production",
  );
  expect(below(command())).toEqual(["Permission", "deletes files"]);
  expect(deed(zh, edit())).toEqual(["修改 ", "src/config.ts", ""]);
  expect(below(edit())).toEqual(["Permission", "+2 −1"]);
  expect(deed(t, set()).join("")).toBe("Database, Features, Deploy");
  expect(below(single())).toEqual(["Question", "2 choices"]);
  expect(deed(t, confirm()).join("")).toMatch(/^The next step searches the web again/u);
  expect(deed(t, { ...confirm(), info: " " }).join("")).toBe("Continue?");
  expect(below(confirm())).toEqual(["Confirmation"]);
  expect(below(plan())).toEqual(["Plan"]);
});

test("similar commands are called by the words with which all of them begin", () => {
  const asks = ["cart", "tax"].map((suite) => similar(`npm test -- ${suite}`, 1000));
  expect(pile(t, asks)).toEqual(["Run ", "npm test", ", 2 times"]);
  expect(pile(zh, asks).join("")).toBe("运行 npm test，共 2 次");
  expect(common(["npm test", "cargo test"])).toBe("");
});

test("a row offers answers only where it shows all that they mean", () => {
  expect(quick(single())).toMatchObject({ is: "choices" });
  expect(quick(similar("npm test", 1))).toEqual({ is: "permission", reject: true });
  const also = { count: 2, certain: true };
  expect(quick(similar("npm test", 1, { also_rejects: also }))).toMatchObject({ reject: false });
  const long = { ...single() };
  const [question] = long.questions;
  const wordy = question && { ...long, questions: [{ ...question, question: "why? ".repeat(90) }] };
  const npm = similar("npm test", 1);
  const purpose = { verb: "fetch" as const, objects: ["example.com"] };
  const address = npm.permission && { ...npm, permission: { ...npm.permission, purpose } };
  const plain = [
    wordy,
    address ?? undefined,
    command(),
    edit(),
    set(),
    multiple(),
    confirm(),
    similar("a\nb", 1),
  ];
  expect(plain.map((ask) => ask && quick(ask))).toEqual(plain.map(() => undefined));
});

test("of what a command is given a row may leave out its description, and nothing that only looks so", () => {
  const given = (name: string, value: string) => {
    const npm = similar("npm test", 1);
    const wish = npm.permission && { ...npm.permission, arguments: [{ name, value }] };
    return quick({ ...npm, permission: wish });
  };
  expect(given("description", "Runs the tests")).toMatchObject({ is: "permission" });
  expect(given("workdir", "/etc")).toBeUndefined();
  expect(given("description: x", "y")).toBeUndefined();
});

test("the filter finds any words in any order, also those that only the row says", () => {
  const found = (wanted: string) => inbox().filter(matcher(t, wanted)).length;
  expect(found("docs")).toBe(2);
  expect(found("CART npm")).toBe(5);
  expect(found("edit")).toBe(1);
  expect(found("  ")).toBe(11);
  expect(found("aardvark")).toBe(0);
});

test("only the lines in sight are drawn, also below a row that is higher than the others", () => {
  const items = lines(arrange(inbox()));
  const at = offsets(items, { heading: 30, row: 50 });
  const none = { index: -1, by: 0 };
  expect(between(at, none, 0, 130)).toEqual([0, 4]);
  expect(between(at, none, 30, 80)).toEqual([1, 2]);
  const grown = { index: 1, by: 100 };
  expect(between(at, grown, 0, 130)).toEqual([0, 2]);
  expect(top(at, 2, grown)).toBe(180);
  expect(between(at, none, 0, 100_000)).toEqual([0, items.length]);
});
