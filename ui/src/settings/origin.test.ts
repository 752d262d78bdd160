import { expect, test } from "vitest";
import { besideEvents, blank, source, turned } from "./origin";

test("another kind brings its usual address, unless one was typed", () => {
  expect(turned(blank(), "langgraph").url).toBe("http://127.0.0.1:2024");
  const typed = { ...blank(), url: "http://10.0.0.7:1234" };
  expect(turned(typed, "interrupts")).toMatchObject({ kind: "interrupts", url: typed.url });
});

test("answers go beside the events until somebody says where", () => {
  expect(besideEvents("http://x:8000/api/stream")).toBe("http://x:8000/api/resume");
  expect(besideEvents("http://x:8000/api/stream/ ")).toBe("http://x:8000/api/resume");
  const form = { ...blank("interrupts"), name: "research" };
  expect(source(form).resume).toBe("http://127.0.0.1:8000/api/resume");
  expect(source({ ...form, resume: " http://y/answers " }).resume).toBe("http://y/answers");
});

test("Beckon is told what the kind needs and nothing else", () => {
  expect(source({ ...blank(), name: " laptop " })).toEqual({
    kind: "opencode",
    name: "laptop",
    url: "http://127.0.0.1:4096",
    username: "opencode",
  });
  expect(source({ ...blank("langgraph"), name: "graphs", password: "secret" })).toEqual({
    kind: "langgraph",
    name: "graphs",
    url: "http://127.0.0.1:2024",
  });
});
