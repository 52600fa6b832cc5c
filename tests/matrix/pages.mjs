// Pages in headless Chromium: one browser for all of them, a server for each folder.
import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";

import { chromium } from "playwright-core";

const TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".wasm": "application/wasm",
  ".json": "application/json",
};

let browser;

export async function closeBrowser() {
  await browser?.close();
}

/** Serves a folder, and gives its address to `use`. */
export async function served(folder, use) {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://page").pathname);
    const file = join(folder, path.endsWith("/") ? `${path}index.html` : path);
    if (!existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end();
    const type = TYPES[extname(file)] ?? "application/octet-stream";
    response.writeHead(200, { "content-type": type }).end(readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    return await use(`http://127.0.0.1:${server.address().port}/`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Opens a page and gives the answer of its `window.run`; fails with what the page reported where it has none. */
export async function answerOf(address, sources, run = "run") {
  browser ??= await chromium.launch({
    executablePath: process.env.PORTOLAN_CHROMIUM,
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
  });
  const page = await browser.newPage();
  const problems = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("response", (response) => {
    // A browser asks for an icon by itself.
    if (response.status() >= 400 && !response.url().endsWith("/favicon.ico"))
      problems.push(`${response.status()} ${response.url()}`);
  });
  try {
    await page.goto(address);
    await page.waitForFunction((run) => run in window, run);
    const answer = await page.evaluate(([run, sources]) => window[run](sources), [run, sources]);
    return { ...answer, problems };
  } catch (error) {
    throw new Error(`${error.message}\n${problems.join("\n")}`, { cause: error });
  } finally {
    await page.close();
  }
}
