import { expect, test } from "vitest";
import { agreeing, holding } from "./holding";

const t = (key: string, args?: object) => (args ? `${key} ${Object.values(args).join("|")}` : key);

test("a hold names who can decide, and who has agreed", () => {
  expect(holding(t, { deciders: ["Ada"], said: "yes" })).toBe("hold Ada|");
  expect(holding(t, { deciders: ["Ada", "Ben", "Cleo"], said: "yes" })).toBe(
    "hold hold-or Adahold-commaBen|Cleo|",
  );
  expect(holding(t, { deciders: ["Ben"], agreed: ["Ada"], said: "yes" })).toBe(
    "hold-agreed Ben|Ada",
  );
  expect(holding(t, { deciders: [], said: "yes" })).toBe("hold-nobody ");
});

test("of people who disagree nobody says that they said yes", () => {
  const apart = { deciders: ["Ben"], agreed: ["Ada", "Cleo"], said: "apart" as const };
  expect(holding(t, apart)).toBe("hold-apart Ben|hold-and Ada|Cleo");
  expect(agreeing(t, { people: ["Ada"], said: "answer" })).toBe("agreed-answer Ada");
});
