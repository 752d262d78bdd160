import { expect, test } from "vitest";
import { portions, READABLE } from "./said";

test("a long plan is cut between paragraphs, and nothing of it is lost", () => {
  const plan = Array.from({ length: 400 }, (_, i) => `${i + 1}. Move the table number ${i}`);
  const text = plan.join("\n\n");
  const parts = portions(text);
  expect(parts.length).toBeGreaterThan(2);
  expect(parts.every((part) => part.length <= READABLE)).toBe(true);
  expect(parts.join("\n")).toBe(text);
});

test("a block of code is never cut", () => {
  const code = `\`\`\`sh\n${"make\n\n".repeat(1000)}\`\`\``;
  const parts = portions(`Before\n\n${code}\n\nAfter`);
  expect(parts.some((part) => part.includes(code))).toBe(true);
  expect(portions("")).toEqual([]);
});
