// The browser and the server that all files of page tests share. Each file has browser contexts of
// its own.

import { chromium } from "playwright-core";
import { BROWSER, portOf, serve } from "./stage.mjs";

/** Starts both before the first file. The returned function ends them after the last. */
export default async function setup(project) {
  const server = await serve();
  const browser = await chromium.launchServer(BROWSER);
  project.provide("stage", { port: portOf(server), browser: browser.wsEndpoint() });
  return async () => {
    await browser.close();
    server.close();
  };
}
