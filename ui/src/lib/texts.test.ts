import { readFileSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { words } from "./texts";

const SRC = new URL("../", import.meta.url);
const LOCALES = new URL("../../../client/locales/", import.meta.url);

const ftl = (language: string) => readFileSync(new URL(`${language}/ui.ftl`, LOCALES), "utf8");

/** Returns the keys of a language, with the variables that their texts use. */
function keys(language: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, key, text] of ftl(language).matchAll(/^(ui-[\w-]+) =((?:.*\n?)(?:[ }].*\n?)*)/gm)) {
    const variables = [...(text ?? "").matchAll(/\$(\w+)/g)].map((match) => match[1]);
    found.set(key ?? "", [...new Set(variables)].sort().join(" "));
  }
  return found;
}

function sources(): string {
  const files = readdirSync(SRC, { recursive: true, encoding: "utf8" });
  const code = files.filter(
    (name) => /\.(ts|svelte)$/.test(name) && !/test\.ts$|^bindings/.test(name),
  );
  return code.map((name) => readFileSync(new URL(name, SRC), "utf8")).join("\n");
}

test("every language says the same things with the same arguments", () => {
  expect(Object.fromEntries(keys("zh-CN"))).toEqual(Object.fromEntries(keys("en")));
});

test("every text that a page asks for is there, and no other", () => {
  const code = sources();
  const asked = [...code.matchAll(/["'](ui-[\w-]+)["']/g)].map((match) => match[1] ?? "");
  const begun = [...code.matchAll(/`(ui-[\w-]*)\$\{/g)].map((match) => match[1] ?? "");
  const there = [...keys("en").keys()];
  expect(asked.filter((key) => !there.includes(key))).toEqual([]);
  expect(begun.filter((begin) => !there.some((key) => key.startsWith(begin)))).toEqual([]);
  const used = (key: string) => asked.includes(key) || begun.some((begin) => key.startsWith(begin));
  expect(there.filter((key) => !used(key))).toEqual([]);
});

test("the chosen language speaks first, English for what it lacks, the key for what nobody has", () => {
  const t = words({ language: "zh-CN", languages: [], ftl: "a = 甲\n\na = A\nb = B { $x }\n" });
  expect([t("a"), t("b", { x: "<b>" }), t("c")]).toEqual(["甲", "B <b>", "c"]);
});

test("a number is written as its language writes it, and chooses the right form", () => {
  const ftl = "n = { $n }\nm = { $n ->\n    [one] one\n   *[other] { $n } of them\n }\n";
  const t = words({ language: "en", languages: [], ftl });
  expect([0, 7, 999, 1000, 1234567, 0.5, -3].map((n) => t("n", { n }))).toEqual([
    "0",
    "7",
    "999",
    "1,000",
    "1,234,567",
    "0.5",
    "-3",
  ]);
  expect([1, 2].map((n) => t("m", { n }))).toEqual(["one", "2 of them"]);
});
