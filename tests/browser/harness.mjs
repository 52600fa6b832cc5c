// Shared by the journeys: real packages to index, a server for the built page, a browser with an empty profile, and helpers
// that find things the way a reader does.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { homedir, tmpdir } from "node:os";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const root = fileURLToPath(new URL("../..", import.meta.url));
const dist = process.env.PORTOLAN_PAGE ?? join(root, "www/dist");
const cache = join(process.env.PORTOLAN_CACHE ?? join(homedir(), ".cache/portolan"), "fixtures");
/** Loaded machines are slow; a journey that hangs still ends. PORTOLAN_PATIENCE in milliseconds, for those who look for a failure. */
export const patience = Number(process.env.PORTOLAN_PATIENCE ?? 60_000);

const packages = {
  fastify: { version: "5.6.1", sha256: "51d4b0dbe007229304d036d47c33603d26de58abbabc1ffde9b2f6b0c882d3a8" },
  express: { version: "5.1.0", sha256: "dd6bdb4d4e54d520c78443d5c35aa4ae552be1837e8650d2ec1641df99393e1b" },
};

/** Path of the tarball of a published package, fetched once and checked against its digest. */
export function tarball(name) {
  const { version, sha256 } = packages[name];
  const path = join(cache, `${name}-${version}.tgz`);
  if (!existsSync(path)) {
    const made = workshop();
    execFileSync("npm", ["pack", `${name}@${version}`, "--pack-destination", made, "--loglevel=error"], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    settle(join(made, `${name}-${version}.tgz`), path);
  }
  assert.equal(
    createHash("sha256").update(readFileSync(path)).digest("hex"),
    sha256,
    `${path} is not what was published; delete it to fetch it again`,
  );
  return path;
}

/** Path of the unpacked folder of a published package. */
export function folder(name) {
  const path = join(cache, `${name}-${packages[name].version}`, name);
  if (!existsSync(path)) {
    const made = join(workshop(), name);
    mkdirSync(made);
    execFileSync("tar", ["xzf", tarball(name), "-C", made, "--strip-components", "1"]);
    mkdirSync(dirname(path), { recursive: true });
    settle(made, path);
  }
  return path;
}

/** A tar archive of texts by path, as an input takes it. */
export function tarOf(name, files) {
  const blocks = Object.entries(files).flatMap(([path, text]) => {
    const bytes = Buffer.from(text);
    const header = Buffer.alloc(512);
    header.write(`${name}/${path}`, 0);
    header.write("0000644\0", 100);
    header.write(`${bytes.length.toString(8).padStart(11, "0")}\0`, 124);
    header.write("        0", 148);
    header.write("ustar\u000000", 257);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
  });
  return { name: `${name}.tar`, mimeType: "application/x-tar", buffer: Buffer.concat([...blocks, Buffer.alloc(1024)]) };
}

// Test files may run side by side and want the same package: each makes it in a place of its own, the first one in wins.
function workshop() {
  mkdirSync(cache, { recursive: true });
  return mkdtempSync(join(cache, "making-"));
}

function settle(made, path) {
  try {
    renameSync(made, path);
  } catch (error) {
    if (!existsSync(path)) throw error;
  }
  rmSync(dirname(made), { recursive: true, force: true });
}

export const types = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
  ".onnx": "application/octet-stream",
  ".index": "application/octet-stream",
};

/** Serves the built page below a path that is not the root, with the headers that the build asks hosts for. */
export async function serve() {
  assert.ok(existsSync(join(dist, "index.html")), "the page is not built: npm run build -w www");
  const policy = /Content-Security-Policy: (.*)/.exec(readFileSync(join(dist, "_headers"), "utf8"))[1];
  const asked = [];
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
    asked.push(path);
    const inner = path.replace(/^\/tools\/portolan\//, "") || "index.html";
    try {
      if (!path.startsWith("/tools/portolan/") || inner.includes("..")) throw new Error("outside");
      const body = await readFile(join(dist, inner));
      response.writeHead(200, {
        "content-type": types[extname(inner)] ?? "application/octet-stream",
        "content-security-policy": policy,
        "cache-control": "no-cache",
      });
      response.end(request.method === "HEAD" ? undefined : body);
    } catch {
      response.writeHead(404, { "content-type": "text/plain" }).end("not found");
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}/tools/portolan/`, asked, stop: () => closed(server) };
}

/** Ends a server with its connections. */
function closed(server) {
  return new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
}

const emptyPage = '<!doctype html><meta charset="utf-8"><title>package</title>';

/** Serves the package as it is built, to a page; a bundler would put `idb` in its place, here the server does. */
export async function servePackage(page = emptyPage) {
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
    if (path === "/") return response.writeHead(200, { "content-type": "text/html" }).end(page);
    try {
      if (path.includes("..") || !/^\/(pkg|node_modules\/idb)\//.test(path)) throw new Error("outside");
      let body = await readFile(join(root, path));
      if (path.endsWith("/indexed-db.js")) body = String(body).replace('"idb"', '"/node_modules/idb/build/index.js"');
      response.writeHead(200, { "content-type": types[extname(path)] ?? "application/octet-stream" }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    stop: () => closed(server),
  };
}

/** Arguments of a browser without a screen. */
const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-dev-shm-usage",
];

/** A browser with an empty profile, which `close` ends and removes. */
export async function openBrowser(options = {}) {
  const profile = mkdtempSync(join(tmpdir(), "portolan-browser-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.PORTOLAN_CHROMIUM ?? "/usr/bin/chromium",
    headless: true,
    args: flags,
    ...options,
  });
  const close = async () => {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  };
  return { context, page: context.pages()[0] ?? (await context.newPage()), close };
}

/** A browser that is closed when the test ends. `page.problems` collects what the console complains of. */
export async function browse(t, options = {}) {
  const look = { viewport: { width: 1360, height: 860 }, colorScheme: "light" };
  const { context, page, close } = await openBrowser({ ...look, ...options });
  t.after(close);
  context.setDefaultTimeout(patience);
  page.problems = [];
  page.on("pageerror", (error) => page.problems.push(String(error)));
  page.on("console", (message) => message.type() === "error" && page.problems.push(message.text()));
  return page;
}

/**
 * Makes the browser's folder picker give a folder of the origin's private file system, which has handles of the same kind: the picker is a
 * window of the browser that no test can click. `files` is its content when it is picked first.
 */
export async function pickable(page, name, files) {
  await page.addInitScript(
    ([name, files]) => {
      window.folderOfTest = async () =>
        (await navigator.storage.getDirectory()).getDirectoryHandle(name, { create: true });
      window.writeInFolder = async (path, text) => {
        let folder = await window.folderOfTest();
        const parts = path.split("/");
        for (const part of parts.slice(0, -1)) folder = await folder.getDirectoryHandle(part, { create: true });
        if (text === null) return folder.removeEntry(parts.at(-1));
        const stream = await (await folder.getFileHandle(parts.at(-1), { create: true })).createWritable();
        await stream.write(text);
        await stream.close();
      };
      window.showDirectoryPicker = async () => {
        const folder = await window.folderOfTest();
        const { value } = await folder.keys().next();
        if (value === undefined)
          for (const [path, text] of Object.entries(files)) await window.writeInFolder(path, text);
        return folder;
      };
    },
    [name, files],
  );
}

/** Writes a file of the folder that can be picked; null as its text removes it. */
export const writeFile = (page, path, text) =>
  page.evaluate(([path, text]) => window.writeInFolder(path, text), [path, text]);

/** Problems of a page, less the one request that may fail: the sample is not part of every build. */
export function problemsOf(page) {
  return page.problems.filter((problem) => !/status of 404/.test(problem));
}

/** Indexes a published package as a folder and waits until it can be asked. */
export async function indexFolder(page, name) {
  await page.locator("input[name=folder]").setInputFiles(folder(name));
  await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
}

/** Lets an index replace the saved one of the same name, where the page asks. */
export async function replaceSaved(page) {
  const ask = page.getByRole("button", { name: "Replace it" });
  await ask.or(page.locator(".progress-card, .progress-line, .overview")).first().waitFor();
  if (await ask.isVisible()) await ask.click();
}

/** Waits until nothing is being worked on any more: vectors are there and the index is saved. */
export async function allDone(page) {
  await page.locator(".footer progress").waitFor({ state: "detached" });
}

/** Opens the list of requests with the details of the index, and gives its dialog. */
export async function openShield(page) {
  await page.locator(".footer-privacy").click();
  const shield = page.getByRole("dialog", { name: "Privacy and index" });
  await shield.waitFor();
  return shield;
}

/** Searches and waits for the answer. */
export async function searchFor(page, query) {
  await page.keyboard.press("Escape");
  await page.getByRole("searchbox", { name: "Search the repository" }).fill(query);
  await answered(page, query);
}

/** Waits until the results are those of `query`, not of its first letters or of the query before. */
export async function answered(page, query) {
  await resultsOf(page, query).locator(".results-summary").waitFor();
}

/** The results of `query`, once they are there. */
export function resultsOf(page, query) {
  return page.locator(`.results[data-query=${JSON.stringify(query)}]:not([aria-busy=true])`);
}

/** Paths of the results from the top. */
export function resultPaths(page) {
  return page.locator(".result-path a").evaluateAll((links) => links.map((link) => link.title));
}

/** Clicks a word in the code, on the first line in sight that holds `line`. */
export async function clickCode(page, line, word, modifiers = []) {
  const { x, y } = await placeOf(page, line, word);
  for (const key of modifiers) await page.keyboard.down(key);
  await page.mouse.click(x, y);
  for (const key of modifiers) await page.keyboard.up(key);
}

/** Moves the pointer to a word in the code. */
export async function hoverCode(page, line, word) {
  const { x, y } = await placeOf(page, line, word);
  await page.mouse.move(x, y);
}

async function placeOf(page, line, word) {
  await page.locator(".cm-line", { hasText: line }).first().waitFor();
  const place = await page.evaluate(
    ([text, wanted]) => {
      const found = [...document.querySelectorAll(".cm-line")].find((element) => element.textContent.includes(text));
      const start = found.textContent.indexOf(wanted, found.textContent.indexOf(text));
      const walker = document.createTreeWalker(found, NodeFilter.SHOW_TEXT);
      const middle = start + Math.floor(wanted.length / 2);
      for (let node = walker.nextNode(), at = 0; node; at += node.length, node = walker.nextNode()) {
        if (middle >= at + node.length) continue;
        const range = document.createRange();
        range.setStart(node, middle - at);
        range.setEnd(node, middle - at + 1);
        const box = range.getBoundingClientRect();
        return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
      }
      return null;
    },
    [line, word],
  );
  assert.ok(place, `${word} is not in sight`);
  return place;
}

/** The atlas with other arguments. */
export async function askAtlas(page, args) {
  await page.evaluate((args) => {
    const [place, query = ""] = location.hash.split("?");
    const rest = query.split("&").filter((part) => !/^(a\.|v=)/.test(part));
    const own = Object.entries(args).map(([name, value]) => `a.${name}=${encodeURIComponent(value)}`);
    location.hash = `${place}?${[...rest, "v=atlas", ...own].join("&")}`;
  }, args);
}

/** Text of the lines marked as the link's. */
export function chosenLines(page) {
  return page.locator(".cm-chosen").allTextContents();
}
