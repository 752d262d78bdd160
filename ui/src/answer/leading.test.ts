import { expect, test } from "vitest";
import { leading } from "./leading";

test("a confirm's title is what is about to be done, and nothing is left out or said twice", () => {
  const info =
    "I have 14 sources and 3,200 words. The next step searches the web again and costs about 0.40 $.";
  expect(leading(info)).toEqual([
    "The next step searches the web again and costs about 0.40 $.",
    "I have 14 sources and 3,200 words.",
  ]);
  expect(leading("Deploy now?")).toEqual(["Deploy now?", ""]);
  expect(leading("草稿写好了。下一步要联网搜索，大约 0.40 美元。")).toEqual([
    "下一步要联网搜索，大约 0.40 美元。",
    "草稿写好了。",
  ]);
});

test("what is too long for a title, or has lines of its own, stays a text", () => {
  expect(leading("")).toEqual(["", ""]);
  expect(leading("one\ntwo?")).toEqual(["", "one\ntwo?"]);
  const long = "x".repeat(200);
  expect(leading(long)).toEqual(["", long]);
});
