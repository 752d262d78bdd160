// A script that makes the README's moving picture: one question's way through the answer window, as
// an APNG (https://www.w3.org/TR/png-3/#apng-frame-based-animation). Run by `cargo xtask shots`.

import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { crc32 } from "node:zlib";
import { stage } from "./stage.mjs";

const OUT = fileURLToPath(new URL("../../docs/shots/", import.meta.url));
const SIZE = { width: 420, height: 460 };
/** The steps of the picture: what happens, and for how long it is shown, in milliseconds. */
const STEPS = [
  [async () => {}, 2200],
  [(page) => page.keyboard.press("2"), 1400],
  [(page) => page.keyboard.press("Enter"), 2600],
];
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Returns the chunks of a PNG: name and data. */
function chunks(png) {
  const found = [];
  for (let at = SIGNATURE.length; at < png.length;) {
    const long = png.readUInt32BE(at);
    const name = png.toString("latin1", at + 4, at + 8);
    found.push({ name, data: png.subarray(at + 8, at + 8 + long) });
    at += long + 12;
  }
  return found;
}

function chunk(name, data) {
  const named = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const [long, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  long.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([long, named, sum]);
}

function numbered(number, data) {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(number);
  return Buffer.concat([head, data]);
}

/** Returns a frame's control chunk: its number, size, place and time, and that it replaces the
 * frame before. */
function control(number, delay) {
  const data = Buffer.alloc(26);
  data.writeUInt32BE(number, 0);
  data.writeUInt32BE(SIZE.width, 4);
  data.writeUInt32BE(SIZE.height, 8);
  data.writeUInt16BE(delay, 20);
  data.writeUInt16BE(1000, 22);
  return chunk("fcTL", data);
}

/** Returns one animated picture of several frames, which runs forever. */
function animated(frames) {
  const first = chunks(frames[0].png);
  const count = Buffer.alloc(8);
  count.writeUInt32BE(frames.length);
  const parts = [SIGNATURE, chunk("IHDR", first[0].data), chunk("acTL", count)];
  let number = 0;
  frames.forEach(({ png, delay }, at) => {
    parts.push(control(number++, delay));
    for (const { data } of chunks(png).filter(({ name }) => name === "IDAT")) {
      parts.push(at === 0 ? chunk("IDAT", data) : chunk("fdAT", numbered(number++, data)));
    }
  });
  return Buffer.concat([...parts, chunk("IEND", Buffer.alloc(0))]);
}

const set = await stage();
for (const [lang, name] of [
  ["en", "one-question.png"],
  ["zh-CN", "one-question.zh-CN.png"],
]) {
  const { page, close } = await set.open("answer", "single", { lang });
  await page.setViewportSize(SIZE);
  const frames = [];
  for (const [act, delay] of STEPS) {
    // A press that comes at once would be held back as one that was meant for something else.
    await page.waitForTimeout(500);
    await act(page);
    await page.waitForTimeout(300);
    frames.push({ png: await page.screenshot(), delay });
  }
  await writeFile(`${OUT}${name}`, animated(frames));
  await close();
}
await set.close();
