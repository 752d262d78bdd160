import { expect, test } from "vitest";
import type { AnsweredBy } from "../lib/wire";
import { responding } from "./responding";

const t = (key: string, args?: object) => (args ? `${key} ${Object.values(args).join("|")}` : key);
const ada: AnsweredBy = { person: "Ada", device: "laptop", vouched: "machine" };

test("of this machine's own user, and of nobody, nothing is said beside the place", () => {
  expect(responding(t, ada)).toBeUndefined();
  expect(responding(t, null)).toBeUndefined();
});

test("who tapped on Telegram is named, and not the device again", () => {
  const tapped: AnsweredBy = { person: "Bob", device: "Telegram", vouched: "telegram" };
  expect(responding(t, tapped)).toBe("Bob");
  expect(responding(t, { ...tapped, person: null })).toBeUndefined();
});

test("another Beckon's word stands as that", () => {
  const told: AnsweredBy = { ...ada, vouched: "peer" };
  expect(responding(t, { ...told, peer: "hub" })).toBe("ui-responder-peer Ada · laptop|hub");
  expect(responding(t, told)).toBe("ui-responder-peer-unnamed Ada · laptop");
  expect(responding(t, { person: null, device: null, vouched: "peer" })).toBe(
    "ui-responder-peer-unnamed ui-responder-unknown",
  );
});
