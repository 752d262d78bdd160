// A script that renders every window × state × light/dark × language into docs/shots. Run by `cargo
// xtask shots`.

import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { drawn, SIZES, stage } from "./stage.mjs";
import { SCENES } from "./scenes.mjs";

const OUT = fileURLToPath(new URL("../../docs/shots/windows/", import.meta.url));
const only = process.argv[2];

/** Makes the window as high as the program would (`gui/window/fitting.rs`). */
async function fit(page, window) {
  await drawn(page);
  const fitted = await page.evaluate(() => window.fake.fitted);
  if (fitted === undefined) return;
  await page.setViewportSize({ ...SIZES[window], height: Math.min(Math.max(fitted, 240), 640) });
  await drawn(page);
}

await mkdir(OUT, { recursive: true });
const set = await stage();
for (const [window, scenes] of Object.entries(SCENES)) {
  for (const scene of scenes) {
    if (only && !`${window}-${scene.name}`.includes(only)) continue;
    for (const [lang, tag] of [
      ["en", "en"],
      ["zh-CN", "zh"],
    ]) {
      const { page, close } = await set.open(window, scene.scene ?? scene.name, { lang });
      if (scene.size) {
        await page.setViewportSize(scene.size);
        await drawn(page);
      }
      // Fitted before the act as well: a page that has room already would not say that it grows.
      if (!scene.size) await fit(page, window);
      await scene.act?.(page);
      if (!scene.size) await fit(page, window);
      for (const colorScheme of ["light", "dark"]) {
        await page.emulateMedia({ colorScheme });
        // Waits for a new frame, since one that still shows the page before would be no picture of
        // this one.
        await page.evaluate(
          () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
        );
        await page.screenshot({ path: `${OUT}${window}-${scene.name}-${tag}-${colorScheme}.png` });
      }
      await close();
    }
  }
}
await set.close();
