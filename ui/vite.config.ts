// Two pages, one per window. `--mode fake` builds the same pages on a pretend Beckon, for pictures
// and page checks; it goes to a folder of its own and is never shipped.

import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

export default defineConfig(({ mode }) => ({
  plugins: [svelte()],
  base: "./",
  build: {
    outDir: mode === "fake" ? "dist-fake" : "dist",
    emptyOutDir: true,
    target: "safari16",
    // The policy forbids inline scripts and data: scripts; everything is a file of its own.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: { input: ["answer.html", "settings.html"] },
  },
  test: {
    projects: [
      { extends: true, test: { name: "logic", include: ["src/**/*.test.ts"] } },
      {
        extends: true,
        test: {
          name: "pages",
          include: ["pages/**/*.test.mjs"],
          globalSetup: ["pages/browser.mjs"],
          testTimeout: 60_000,
          hookTimeout: 30_000,
        },
      },
    ],
  },
}));
