// `portolan build` and `portolan serve` as processes: the built folder under a path of a plain host, in a real browser, strictly: nothing
// that is asked for may be missing, and nothing outside of the path is asked for.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { browse, patience, resultPaths, searchFor } from "../browser/harness.mjs";

const BIN = fileURLToPath(new URL("../../pkg/bin/portolan.js", import.meta.url));
const work = mkdtempSync(join(tmpdir(), "portolan-site-"));
after(() => rmSync(work, { recursive: true, force: true, maxRetries: 5 }));
const repo = join(work, "shop & sons");
const site = join(work, "site");
const SOURCES = {
  "src/tax.ts": "/** Adds value added tax. */\nexport function addTax(net: number) { return net * 1.19; }\n",
  "src/cart.ts": 'import { addTax } from "./tax";\nexport function total(net: number) { return addTax(net); }\n',
  "tools/report.py": "def report(total):\n    return f'{total:.2f}'\n",
};

const portolan = (...args) =>
  execFileSync(process.execPath, [BIN, ...args], { cwd: repo, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

before(() => {
  for (const [path, text] of Object.entries(SOURCES)) {
    mkdirSync(join(repo, path, ".."), { recursive: true });
    writeFileSync(join(repo, path), text);
  }
  mkdirSync(join(repo, ".git"));
  const { n_bytes, name } = JSON.parse(portolan("build", "-o", site, "--json"));
  assert.equal(name, "shop & sons");
  assert.ok(n_bytes > 1e6);
});

test("the folder holds the page, the index, and only the grammars that it needs", () => {
  const assets = readdirSync(join(site, "assets"));
  const grammars = assets.flatMap((file) => /^tree-sitter-([a-z]+)-/.exec(file)?.[1] ?? []);
  assert.deepEqual(grammars.sort(), ["python", "tsx", "typescript"]);
  assert.ok(existsSync(join(site, "sample/portolan.index")));
  assert.match(
    readFileSync(join(site, "index.html"), "utf8"),
    /<meta name="portolan-index" content="shop &amp; sons" \/>/,
  );
  const page = readFileSync(join(site, "index.html"), "utf8").replaceAll("&#39;", "'");
  assert.match(
    page,
    /<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self' 'wasm-/,
  );
  const worker = readFileSync(join(site, "service-worker.js"), "utf8");
  assert.match(worker, /frame-ancestors 'none'/);
  for (const [file] of worker.matchAll(/assets\/[\w.-]+/g)) assert.ok(existsSync(join(site, file)), file);
  const { shell, own, rest } = JSON.parse(/^self\.PORTOLAN_PARTS=(.*);$/m.exec(worker)[1]);
  assert.ok(shell.includes("index.html") && shell.every((file) => !file.endsWith(".wasm")), shell.join("\n"));
  assert.deepEqual(
    own.filter((file) => !/\.(js|css)$/.test(file)).map((file) => file.replace(/^assets\/|(-[\w-]{8})?\.\w+$/g, "")),
    ["engine_bg", "reader_bg", "tree-sitter-python", "tree-sitter-tsx", "tree-sitter-typescript", "sample/portolan"],
    "the site's own parts are its index and what reading it takes",
  );
  assert.ok(
    rest.some(([file]) => /onnx_bg/.test(file)),
    "what only indexing takes is kept when it is used",
  );
  assert.doesNotMatch(readFileSync(join(site, "index.html"), "utf8"), /(src|href)="\//, "every address is relative");
});

test("a folder that is something else is left alone; one that was built is replaced", () => {
  const other = join(work, "other");
  mkdirSync(other);
  writeFileSync(join(other, "precious.txt"), "x");
  assert.throws(() => portolan("build", "-o", other), /output\.unwritable/);
  assert.equal(readFileSync(join(other, "precious.txt"), "utf8"), "x");
  writeFileSync(join(site, "stale.txt"), "x");
  portolan("build", "-o", site);
  assert.equal(existsSync(join(site, "stale.txt")), false);
});

const TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".wasm": "application/wasm",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".webmanifest": "application/manifest+json",
};

/** As plain as a host can be: files under /a/b/, else 404. */
async function plainHost(folder = site) {
  const asked = [];
  const sent = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url.split(/[?#]/)[0]);
    const file = path.startsWith("/a/b/")
      ? join(folder, path.slice(5), path.endsWith("/") ? "index.html" : "")
      : undefined;
    const found = file !== undefined && existsSync(file);
    asked.push([path, found ? 200 : 404]);
    if (!found) return response.writeHead(404).end();
    const bytes = readFileSync(file);
    const type = { "content-type": TYPES[extname(file)] ?? "application/octet-stream" };
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
    const part = from === undefined ? undefined : bytes.subarray(Number(from), Number(to) + 1);
    sent.push([path, (part ?? bytes).length]);
    if (part) {
      const range = `bytes ${from}-${Number(from) + part.length - 1}/${bytes.length}`;
      return response.writeHead(206, { ...type, "content-range": range }).end(part);
    }
    response.writeHead(200, type).end(request.method === "HEAD" ? undefined : bytes);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    asked,
    sent,
    url: `http://127.0.0.1:${server.address().port}/a/b/`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The process of `portolan serve`. */
async function served() {
  const child = spawn(process.execPath, [BIN, "serve", site, "--port", "0", "--base-path", "/a/b/"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise((resolve) =>
    child.stdout.setEncoding("utf8").once("data", (text) => resolve(text.trim())),
  );
  return {
    url,
    stop: () =>
      new Promise((resolve) => {
        child.once("exit", (code) => resolve(code));
        child.kill("SIGTERM");
      }),
  };
}

async function walkThrough(page) {
  await page.getByRole("heading", { level: 1, name: "shop & sons", exact: true }).waitFor();
  await searchFor(page, "value added tax");
  assert.equal((await resultPaths(page))[0], "src/tax.ts");
  await page.goto(`${page.url().split("#")[0]}#/f/src/tax.ts?r=shop+%26+sons`);
  await page.locator(".cm-content .hl-keyword").first().waitFor();
}

/** In the page: what it takes to start without a network that is not there yet. */
async function missingOffline() {
  const registration = await navigator.serviceWorker.getRegistration();
  const names = await caches.keys();
  const kept = (
    await Promise.all(names.map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => url)))
  ).flat();
  return [
    registration?.active?.state === "activated" ? "" : `an active service worker (${registration?.active?.state})`,
    navigator.serviceWorker.controller === null ? "a service worker that answers this page" : "",
    kept.some((url) => /portolan\.index$/.test(url)) ? "" : "the index",
    kept.some((url) => /tree-sitter-python/.test(url)) ? "" : "the grammar of Python",
  ].filter(Boolean);
}

async function keptOffline(page) {
  const until = Date.now() + patience;
  let missing = await page.evaluate(missingOffline);
  while (missing.length > 0 && Date.now() < until) {
    await setTimeout(200);
    missing = await page.evaluate(missingOffline);
  }
  assert.deepEqual(missing, [], "kept for use without a network");
}

test("under /a/b/ of a plain host: opens with its index, nothing missing; then without a network", async (t) => {
  const host = await plainHost();
  t.after(host.stop);
  const page = await browse(t);
  await page.goto(host.url);
  await walkThrough(page);
  await keptOffline(page);
  assert.deepEqual(
    host.asked.filter(([path, status]) => status !== 200 || !path.startsWith("/a/b/")),
    [],
  );
  assert.deepEqual(page.problems, []);
  host.stop();
  await page.goto(host.url);
  await page.reload();
  await walkThrough(page);
});

test("an index in parts: only what questions read is fetched", async (t) => {
  const folder = join(work, "parts");
  const noise = Array.from({ length: 3000 }, (_, n) => `// ${createHash("sha256").update(`${n}`).digest("hex")}\n`);
  writeFileSync(join(repo, "src/noise.ts"), `${noise.join("")}export const noise = 1;\n`);
  t.after(() => rmSync(join(repo, "src/noise.ts")));
  portolan("build", "-o", folder, "--parts");
  const host = await plainHost(folder);
  t.after(host.stop);
  const page = await browse(t);
  await page.goto(host.url);
  await page.getByRole("heading", { level: 1, name: "shop & sons", exact: true }).waitFor();
  const ofIndex = () => host.sent.filter(([path]) => path.endsWith(".index")).reduce((sum, [, n]) => sum + n, 0);
  const whole = readFileSync(join(folder, "sample/portolan.index")).length;
  const atFirst = ofIndex();
  t.diagnostic(`${atFirst} of ${whole} bytes to open`);
  assert.ok(atFirst < whole / 2, `${atFirst} of ${whole} bytes`);
  await walkThrough(page);
  await page.goto(`${host.url}#/?r=shop+%26+sons`);
  await page.getByRole("button", { name: "Find entry points, areas and questions" }).click();
  await page
    .getByRole("link", { name: /addTax/ })
    .first()
    .waitFor();
  assert.deepEqual(page.problems, []);
});

/** Files with names of their own and texts that do not pack: an index of several megabytes. */
function largeSources() {
  const word = (text) => createHash("sha256").update(text).digest("hex");
  return Array.from({ length: 1_200 }, (_, file) => {
    const functions = Array.from({ length: 12 }, (_, n) => {
      const noise = Array.from({ length: 8 }, (_, line) => `  // ${word(`${file} ${n} ${line}`)}`).join("\n");
      return `export function step${file}_${n}(ship) {\n${noise}\n  return step${(file * 7 + 1) % 1200}_${n}(ship);\n}`;
    });
    return [`part${file % 40}/file${file}.js`, `${functions.join("\n")}\n`];
  });
}

test("a large index opens, and answers a name, with some hundred kilobytes", { timeout: 300_000 }, async (t) => {
  const large = join(work, "large");
  for (const [path, text] of largeSources()) {
    mkdirSync(join(large, path, ".."), { recursive: true });
    writeFileSync(join(large, path), text);
  }
  const folder = join(work, "large-site");
  portolan("build", large, "-o", folder, "--parts", "--no-embeddings");
  const whole = readFileSync(join(folder, "sample/portolan.index")).length;
  const host = await plainHost(folder);
  t.after(host.stop);
  const page = await browse(t);
  await page.goto(host.url);
  await page.getByRole("heading", { level: 1, name: "large", exact: true }).waitFor();
  const ofIndex = () => host.sent.filter(([path]) => path.endsWith(".index")).reduce((sum, [, n]) => sum + n, 0);
  const opened = ofIndex();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("step700_3");
  await page
    .getByRole("option", { name: /step700_3/ })
    .first()
    .waitFor();
  const found = ofIndex();
  await page.keyboard.press("Enter");
  await page.locator(".cm-line", { hasText: "step700_3" }).first().waitFor();
  const read = ofIndex();
  t.diagnostic(`of ${whole} bytes: ${opened} to open, ${found} to find a name, ${read} to read its file`);
  assert.ok(whole > 4_000_000, `${whole} bytes are no large index`);
  assert.ok(read < 800_000, `${read} of ${whole} bytes`);
  assert.deepEqual(page.problems, []);
});

test("without scripts there is the content, and a picture for links", async (t) => {
  const host = await plainHost();
  t.after(host.stop);
  const page = await browse(t, { javaScriptEnabled: false });
  await page.goto(host.url);
  await page.getByRole("heading", { level: 1, name: "shop & sons", exact: true }).waitFor();
  await page.getByText("3 files, 3 definitions").waitFor();
  await page.getByRole("link", { name: "src/tax.ts" }).waitFor();
  const meta = (name) => page.locator(`meta[property="${name}"]`).getAttribute("content");
  assert.equal(await meta("og:title"), "shop & sons: code explorer");
  assert.match(await meta("og:description"), /\(3 files\)$/);
  const answer = await page.goto(new URL(await meta("og:image"), host.url).href);
  assert.equal(answer.headers()["content-type"], "image/svg+xml");
  // A browser draws nothing of a picture that is not well-formed.
  const drawn = await browse(t);
  await drawn.goto(host.url);
  const size = await drawn.evaluate(async () => {
    const image = new Image();
    image.src = "card.svg";
    await image.decode();
    return [image.naturalWidth, image.naturalHeight];
  });
  assert.deepEqual(size, [1200, 630]);
  // A picture that sites show: any PNG does.
  const picture = join(work, "picture");
  writeFileSync(picture, await drawn.screenshot());
  const folder = join(work, "with-card");
  const index = join(site, "sample/portolan.index");
  portolan("build", "--index", index, "-o", folder, "--card", picture, "--site-url", "https://shop.example/code");
  const head = readFileSync(join(folder, "index.html"), "utf8");
  assert.match(head, /<meta property="og:image" content="https:\/\/shop\.example\/code\/card\.png" \/>/);
  assert.match(head, /<meta property="og:image:width" content="1360" \/>/);
  assert.deepEqual(readFileSync(join(folder, "card.png")), readFileSync(picture));
});

test("portolan serve: the same, and nothing outside of the folder", async (t) => {
  const host = await served();
  const page = await browse(t, { serviceWorkers: "block" });
  const failed = [];
  page.on("response", (response) => response.status() >= 400 && failed.push(response.url()));
  await page.goto(host.url);
  await walkThrough(page);
  assert.deepEqual(failed, []);
  assert.deepEqual(page.problems, [], "nothing violates the policy that the server sends");
  const status = async (path, headers = {}) => (await fetch(new URL(path, host.url), { headers })).status;
  assert.equal(await status("/"), 404);
  assert.equal(await status("gone.js"), 404);
  assert.equal(await status("..%2f..%2fshop%20&%20sons/src/tax.ts"), 404);
  assert.equal(await status("index.html", { range: "bytes=0-9" }), 206);
  assert.equal(await status("index.html", { range: "bytes=9999999-" }), 416);
  const wasm = readdirSync(join(site, "assets")).find((file) => /^engine_bg/.test(file));
  assert.equal((await fetch(new URL(`assets/${wasm}`, host.url))).headers.get("content-type"), "application/wasm");
  assert.equal(await host.stop(), 0);
});
