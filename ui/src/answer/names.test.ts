import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { command } from "../bridge/scenes";
import { words } from "../lib/texts";
import type { Ask, Purpose } from "../lib/wire";
import { heading, place, title } from "./names";

const ftl = (language: string) =>
  readFileSync(new URL(`../../../client/locales/${language}/ui.ftl`, import.meta.url), "utf8");
const spoken = (language: string) => words({ language, languages: [], ftl: ftl(language) });
const [english, chinese] = [spoken("en"), spoken("zh-CN")];

function about(purpose?: Purpose): Ask {
  const ask = command();
  const permission = ask.permission && { ...ask.permission, purpose: purpose ?? null };
  return { ...ask, permission };
}

// The same sentences are in `client/src/text/words/wanting.rs`.
test("a title says who wants what, and sets the object apart", () => {
  const npm = about({ verb: "run", objects: ["npm"] });
  expect(title(english, npm)).toEqual(["shop-api wants to run ", "npm", ""]);
  expect(title(chinese, npm)).toEqual(["shop-api 想运行 ", "npm", ""]);
  const many = about({ verb: "run", objects: ["a", "b", "c", "d", "e"] });
  expect(heading(english, many)).toBe("shop-api wants to run a, b, c and 2 more");
  const mcp = about({ verb: "tool", objects: ["GitHub", "create issue"] });
  expect(heading(english, mcp)).toBe("shop-api wants to use GitHub: create issue");
});

test("what cannot be named is said all the same", () => {
  expect(heading(english, about({ verb: "run", objects: [] }))).toBe(
    "shop-api wants to run a command",
  );
  expect(heading(english, about({ verb: "plan", objects: [] }))).toBe("Start with this plan?");
  expect(heading(english, about())).toBe("shop-api wants your permission");
});

test("a project's name hides nothing, stands on one line, and pushes nothing out", () => {
  expect(place("shop\u202eapi\nx")).toBe("shop⟨U+202E⟩api x");
  expect(place("x".repeat(90))).toBe(`${"x".repeat(24)}…`);
  expect(place("a\ufffcb")).toBe("a b");
});

test("a verb of a newer Beckon is said without it", () => {
  const newer = about({ verb: "teleport" as Purpose["verb"], objects: ["x"] });
  expect(heading(english, newer)).toBe("shop-api wants to use x");
});
