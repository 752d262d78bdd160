import { expect, test } from "vitest";
import type { AnsweredBy } from "./wire";
import { answeredBy, responding } from "./responding";

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

test("somebody at another machine is named in place of the place", () => {
  const there: AnsweredBy = { ...ada, vouched: "device", signed_by: "laptop" };
  expect(answeredBy(t, "api", there)).toBe("ui-by-person-device Ada|laptop");
  expect(answeredBy(t, null, { ...there, person: null })).toBe("ui-by-device laptop");
  expect(answeredBy(t, "window", ada)).toBe("ui-by-window");
  expect(answeredBy(t, null, null)).toBe("ui-by-elsewhere");
  expect(responding(t, there)).toBeUndefined();
});

test("another Beckon's word stands as that", () => {
  const told: AnsweredBy = { ...ada, vouched: "peer" };
  expect(responding(t, { ...told, peer: "hub" })).toBe("ui-responder-peer Ada · laptop|hub");
  expect(responding(t, told)).toBe("ui-responder-peer-unnamed Ada · laptop");
  expect(responding(t, { person: null, device: null, vouched: "peer" })).toBe(
    "ui-responder-peer-unnamed ui-responder-unknown",
  );
});
