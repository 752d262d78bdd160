import { expect, test } from "vitest";
import { holding } from "./holding";

const t = (key: string, args?: object) => (args ? `${key} ${Object.values(args).join("|")}` : key);

test("a hold names who can decide, and who has agreed", () => {
  expect(holding(t, { deciders: ["Ada"] })).toBe("hold Ada|");
  expect(holding(t, { deciders: ["Ada", "Ben", "Cleo"] })).toBe(
    "hold hold-or Adahold-commaBen|Cleo|",
  );
  expect(holding(t, { deciders: ["Ben"], agreed: ["Ada"] })).toBe("hold-agreed Ben|Ada");
  expect(holding(t, { deciders: [] })).toBe("hold-nobody ");
});
