import { expect, test } from "vitest";
import { combination, type Keys } from "./hotkey";

const keys = (code: string, parts: Partial<Keys> = {}): Keys => ({
  code,
  ctrlKey: false,
  altKey: false,
  shiftKey: false,
  metaKey: false,
  getModifierState: () => false,
  ...parts,
});

test("keys are spelled as the settings file spells them", () => {
  expect(combination(keys("KeyB", { ctrlKey: true, altKey: true }))).toBe("Ctrl+Alt+B");
  expect(combination(keys("Digit7", { metaKey: true, shiftKey: true }))).toBe("Shift+Super+7");
});

test("typing, copying and the third level of a keyboard stay what they are", () => {
  expect(combination(keys("KeyB"))).toBeUndefined();
  expect(combination(keys("KeyB", { shiftKey: true }))).toBeUndefined();
  expect(combination(keys("KeyV", { ctrlKey: true }))).toBeUndefined();
  expect(combination(keys("F5", { ctrlKey: true, altKey: true }))).toBeUndefined();
  const third = { ctrlKey: true, altKey: true, getModifierState: () => true };
  expect(combination(keys("KeyQ", third))).toBeUndefined();
});
