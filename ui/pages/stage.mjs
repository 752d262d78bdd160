// A stage for the pages: a small server with the real content policy, and a browser. Tests share
// both (`browser.mjs`); a script has its own.

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const DIST = new URL("../dist-fake/", import.meta.url);
const FONTS = fileURLToPath(new URL("fonts.conf", import.meta.url));
/** The content policy, as strict as that in `tauri.conf.json`. */
export const POLICY = [
  "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'",
  "connect-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-src 'none'",
].join("; ");
const TYPES = { html: "text/html", js: "text/javascript", css: "text/css", svg: "image/svg+xml" };

/** The sizes with which both windows open. */
export const SIZES = { answer: { width: 420, height: 560 }, settings: { width: 820, height: 600 } };

/** Starts the server, on a free port. */
export async function serve() {
  const server = createServer(async (request, response) => {
    // Browsers ask for an icon by themselves.
    if (request.url === "/favicon.ico") return response.writeHead(204).end();
    const path = new URL(request.url ?? "/", "http://localhost").pathname.slice(1);
    try {
      const body = await readFile(fileURLToPath(new URL(path, DIST)));
      const type = TYPES[path.split(".").at(-1) ?? ""] ?? "application/octet-stream";
      response.writeHead(200, { "content-type": type, "content-security-policy": POLICY });
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", () => done(undefined)));
  return server;
}

/** Returns the port on which a server listens. */
export function portOf(server) {
  const address = server.address();
  return typeof address === "object" && address ? address.port : 0;
}

/** The options with which the browser is started. */
export const BROWSER = {
  executablePath: process.env.BECKON_TEST_BROWSER ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--font-render-hinting=none"],
  env: { ...process.env, FONTCONFIG_FILE: FONTS },
};

/** Opens a stage; `close` it after use. `shared` names a server and a browser that run on: the
 * server's port and the browser's address. */
export async function stage(shared) {
  const server = shared ? undefined : await serve();
  const port = shared?.port ?? portOf(server);
  const browser = shared ? await chromium.connect(shared.browser) : await chromium.launch(BROWSER);
  return {
    /** Opens a page of a window in a scene. Its errors and warnings are gathered in
     * `complaints`. */
    async open(window, scene, { lang = "en", dark = false } = {}) {
      const context = await browser.newContext({
        viewport: SIZES[window],
        colorScheme: dark ? "dark" : "light",
        reducedMotion: "reduce",
        locale: lang,
        timezoneId: "Europe/Berlin",
      });
      const page = await context.newPage();
      const complaints = [];
      page.on("pageerror", (error) => complaints.push(String(error)));
      page.on("console", (line) => {
        if (["error", "warning"].includes(line.type())) complaints.push(line.text());
      });
      page.on("request", (request) => {
        if (!/^(http:\/\/127\.0\.0\.1|data:)/.test(request.url())) complaints.push(request.url());
      });
      await page.goto(`http://127.0.0.1:${port}/${window}.html?scene=${scene}&lang=${lang}`);
      await page.waitForSelector("main");
      // Until then the page may show something other than its first picture.
      await page.waitForFunction(() => window.fake.drawn !== undefined);
      return { page, complaints, close: () => context.close() };
    },
    /** Opens a page that is not one of the windows, as high as its content; `save` makes its
     * picture. */
    async picture(html, colorScheme) {
      const context = await browser.newContext({ colorScheme });
      const page = await context.newPage();
      await page.setContent(html);
      return {
        async save(path) {
          await page.locator("body").screenshot({ path });
          await context.close();
        },
      };
    },
    async close() {
      await browser.close();
      server?.close();
    },
  };
}

/** Waits until the page has followed a change of its window's size, with which some parts move. */
export function drawn(page) {
  return page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
}
