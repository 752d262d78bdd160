// One browser and one server for all files of page tests: each file has contexts of its own in it.

import { chromium } from "playwright-core";
import { BROWSER, portOf, serve } from "./stage.mjs";

/** Starts both before the first file, and ends them after the last. */
export default async function setup(project) {
  const server = await serve();
  const browser = await chromium.launchServer(BROWSER);
  project.provide("stage", { port: portOf(server), browser: browser.wsEndpoint() });
  return async () => {
    await browser.close();
    server.close();
  };
}
