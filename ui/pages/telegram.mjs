// A script that renders Beckon's messages on Telegram into docs/shots/windows. The words, buttons
// and colours are those that are sent (telegram.json, which a test of the program keeps true);
// around them is a plain chat. Run by `cargo xtask shots`. Not here: how Telegram itself looks,
// which differs from phone to phone.

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { chat } from "./chat.mjs";
import { stage } from "./stage.mjs";

const OUT = fileURLToPath(new URL("../../docs/shots/windows/", import.meta.url));
const MESSAGES = new URL("telegram.json", import.meta.url);

/** The messages of each picture, from top to bottom. */
const PICTURES = {
  question: ["question"],
  command: ["command"],
  dangerous: ["dangerous", "sure"],
  settled: ["settled"],
  list: ["list"],
};

const messages = JSON.parse(await readFile(MESSAGES, "utf8"));
const set = await stage();
for (const [lang, tag] of [
  ["en", "en"],
  ["zh-CN", "zh"],
]) {
  for (const [name, shown] of Object.entries(PICTURES)) {
    for (const scheme of ["light", "dark"]) {
      const html = chat(
        shown.map((message) => messages[lang][message]),
        lang,
      );
      const picture = await set.picture(html, scheme);
      await picture.save(`${OUT}telegram-${name}-${tag}-${scheme}.png`);
    }
  }
}
await set.close();
