// Renders every window × state × light/dark × language into docs/shots. Run by `cargo xtask shots`.

import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { stage } from "./stage.mjs";
import { SCENES } from "./scenes.mjs";

const OUT = fileURLToPath(new URL("../../docs/shots/", import.meta.url));
const only = process.argv[2];

await mkdir(OUT, { recursive: true });
const set = await stage();
for (const [window, scenes] of Object.entries(SCENES)) {
  for (const scene of scenes) {
    if (only && !`${window}-${scene.name}`.includes(only)) continue;
    for (const lang of ["en", "zh-CN"]) {
      for (const dark of [false, true]) {
        const opened = await set.open(window, scene.scene ?? scene.name, { lang, dark });
        await scene.act?.(opened.page);
        await opened.page.waitForTimeout(50);
        const name = `${window}-${scene.name}-${lang === "en" ? "en" : "zh"}-${dark ? "dark" : "light"}`;
        await opened.page.screenshot({ path: `${OUT}${name}.png` });
        await opened.close();
      }
    }
  }
}
await set.close();
