import { expect, test } from "vitest";
import { setting } from "../bridge/fake-servers";
import { besideEvents, blank, changeOf, goesElsewhere, source, turned } from "./origin";

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

test("only what was changed is sent, and spaces are no change", () => {
  const server = setting({ name: "box", url: "http://box:4096" });
  const typed = { name: " box ", url: "http://box:4097 ", resume: "" };
  expect(changeOf(server, typed)).toEqual({ url: "http://box:4097" });
  expect(changeOf(server, { ...typed, url: server.url })).toEqual({});
  expect(changeOf(server, { ...typed, url: `\u200B${server.url}\uFEFF\n` })).toEqual({});
});

test("a password stays behind at another scheme, host or port, and nowhere else", () => {
  const server = setting({ name: "box", url: "http://box:4096" });
  expect(goesElsewhere(server, { name: "other", url: "http://BOX:4096/below" })).toBe(false);
  for (const url of ["https://box:4096", "http://box:4097", "http://cox:4096", "box"]) {
    expect(goesElsewhere(server, { url })).toBe(true);
  }
  const resume = "http://b/resume";
  const service = setting({ kind: "interrupts", name: "a", url: "http://a/stream", resume });
  expect(goesElsewhere(service, { url: "http://b/stream" })).toBe(false);
  expect(goesElsewhere(service, { resume: "http://c/resume" })).toBe(true);
});
