// The example page of crates/browser, in Chromium: pick an archive and a folder, index in a worker, search, come back.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, extname, join } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";

const root = process.env.PORTOLAN_ROOT ?? join(import.meta.dirname, "../..");
const site = process.env.PORTOLAN_RUST_PAGE ?? join(root, "target/rust-page");
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };
const FILES = {
  "shop/tax.py": 'def add_tax(net):\n    """Adds value added tax."""\n    return net * 1.2\n',
  "shop/cart.py": "from shop.tax import add_tax\n\ndef checkout(net):\n    return add_tax(net)\n",
  "gen/out.py": "def generated_tax():\n    pass\n",
  ".gitignore": "gen/\n",
};

let server;
let browser;
let address;
const requests = [];

before(async () => {
  server = createServer((request, response) => {
    const path = new URL(request.url, "http://page").pathname;
    requests.push(path);
    const file = path.startsWith("/grammars/")
      ? join(root, "pkg", path)
      : join(site, path === "/" ? "index.html" : path);
    try {
      const bytes = readFileSync(file);
      response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "text/plain" }).end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${server.address().port}/`;
  browser = await chromium.launch({
    executablePath: process.env.PORTOLAN_CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"],
  });
});

after(async () => {
  await browser?.close();
  server?.close();
});

test("an archive is indexed in a worker, searched, and there again after a reload", async () => {
  const { context, page, errors } = await open();
  const status = page.locator("#status");
  await page.setInputFiles("#archive", { name: "shop.tar.gz", mimeType: "application/gzip", buffer: archive() });
  await says(status, /^3 files$/);
  await page.fill("#query", "where is value added tax");
  assert.match(await page.locator("#hits li").first().textContent(), /^shop\/tax\.py:1 add_tax$/);
  assert.deepEqual(
    requests.filter((path) => path.startsWith("/grammars/")),
    ["/grammars/tree-sitter-python.wasm"],
  );

  await page.reload();
  await says(status, /^3 files, kept$/);
  await page.fill("#query", "checkout");
  assert.match(await page.locator("#hits li").first().textContent(), /^shop\/cart\.py/);
  assert.deepEqual(errors, []);
  await context.close();
});

test("a folder that is picked is read by its ignore rules", async () => {
  const folder = mkdtempSync(join(tmpdir(), "portolan-rust-page-"));
  try {
    for (const [path, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const { context, page, errors } = await open();
    await page.setInputFiles("#folder", folder);
    await says(page.locator("#status"), /^3 files$/);
    await page.fill("#query", "generated_tax");
    const hits = await page.locator("#hits li").allInnerTexts();
    assert.ok(!hits.some((hit) => hit.includes("gen/")), hits.join(", "));
    assert.deepEqual(errors, []);
    await context.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("what is dropped is read, and indexing in the worker stops on demand", async () => {
  const { context, page, errors } = await open();
  const many = Array.from({ length: 4000 }, (_, n) => [`m${n}.py`, `def name_${n}(a):\n    return name_${n + 1}(a)\n`]);
  const drop = (files) =>
    page.evaluate((files) => {
      const dataTransfer = new DataTransfer();
      for (const [name, text] of files) dataTransfer.items.add(new File([text], name));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    }, files);
  await drop(many);
  await says(page.locator("#status"), /^Parsing: [1-9]\d* of 4000$/);
  await page.click("#stop");
  await says(page.locator("#status"), /^indexing was cancelled \(cancelled\)/);
  await drop(many.slice(0, 2));
  await says(page.locator("#status"), /^2 files$/);
  assert.deepEqual(errors, []);
  await context.close();
});

test("what is no archive is refused with its code and advice", async () => {
  const { context, page, errors } = await open();
  await page.setInputFiles("#archive", {
    name: "shop.zip",
    mimeType: "application/zip",
    buffer: Buffer.from("no zip"),
  });
  await says(page.locator("#status"), /archive\.unknown/);
  assert.deepEqual(errors, []);
  await context.close();
});

/** A page of its own, with what it complains about. */
async function open() {
  const context = await browser.newContext();
  const page = await context.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(address);
  await says(page.locator("#status"), /pick a folder or an archive/);
  return { context, page, errors };
}

/** Waits for the expected status; a debug build is slow. */
async function says(status, expected) {
  const end = Date.now() + 60_000;
  let text = "";
  while (Date.now() < end) {
    text = await status.textContent();
    if (expected.test(text)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail(`the page says: ${text}`);
}

/** A tar.gz of the files below one folder. */
function archive() {
  const blocks = Object.entries(FILES).flatMap(([path, text]) => {
    const header = Buffer.alloc(512);
    const put = (at, value) => header.write(value, at, "latin1");
    put(0, `shop-1.0/${path}`);
    put(100, "0000644\0");
    put(108, "0000000\0");
    put(116, "0000000\0");
    put(124, `${Buffer.byteLength(text).toString(8).padStart(11, "0")}\0`);
    put(136, "00000000000\0");
    put(148, "        ");
    put(156, "0");
    put(257, "ustar\0");
    put(263, "00");
    const sum = header.reduce((a, b) => a + b, 0);
    put(148, `${sum.toString(8).padStart(6, "0")}\0 `);
    const body = Buffer.alloc(Math.ceil(Buffer.byteLength(text) / 512) * 512);
    body.write(text);
    return [header, body];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}
