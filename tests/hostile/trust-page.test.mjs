// In a page: a grammar that never returns from its start function, or from parsing, hangs neither the page nor what answers in it.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { test } from "node:test";

import { LOOP, withBodies } from "../../pkg/test/broken-grammar.mjs";
import { BODY, grammarFile } from "./grammar-files.mjs";
import { ROOT } from "./sandbox.mjs";
import { watchedPage } from "./watch-programs.mjs";

const TYPES = { ".js": "text/javascript", ".wasm": "application/wasm", ".json": "application/json" };
const R = join(ROOT, "pkg/test/grammars/tree-sitter-r.wasm");

/** Serves the package as it is built; a bundler would put the one package that it needs in the place of its name. */
async function served(t) {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url, "http://localhost").pathname);
    if (path === "/") return response.setHeader("content-type", "text/html").end("<!doctype html><title>page</title>");
    const file = join(ROOT, path);
    if (!/^\/(pkg|node_modules)\//.test(path) || !existsSync(file)) return response.writeHead(404).end();
    response.setHeader("content-type", TYPES[extname(file)] ?? "application/octet-stream");
    const bytes = readFileSync(file);
    const isModule = extname(file) === ".js";
    response.end(isModule ? bytes.toString().replace('from "idb"', 'from "/node_modules/idb/build/index.js"') : bytes);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  return `http://127.0.0.1:${server.address().port}/`;
}

/** Indexes in the page with this grammar: how it ended, the longest that the page was held up, and whether it answers without. */
async function inPage(t, wasm, queries) {
  const url = await served(t);
  return watchedPage(t, async (page) => {
    await page.goto(url);
    return page.evaluate(whatHappens, { wasm: [...wasm], queries });
  });
}

/** In the page: indexes with the grammar, and then without it. */
async function whatHappens({ wasm, queries }) {
  const { Portolan } = await import("/pkg/dist/entry/browser.js");
  const bytes = (text) => new TextEncoder().encode(text);
  const files = [
    { path: "a.py", bytes: bytes("def add_tax():\n    pass\n") },
    { path: "b.x", bytes: bytes("hello <- 1\n") },
  ];
  let longest = 0;
  let last = performance.now();
  const pulse = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 50);
  const grammars = [{ name: "x", extensions: ["x"], wasm: Uint8Array.from(wasm), queries }];
  const made = async (options) => {
    const index = await Portolan.index({ files: structuredClone(files) }, { embeddings: false, ...options });
    const { symbols } = await index.find("add_tax");
    const { problems } = await index.status();
    index.close();
    return { found: symbols.length, problems: problems.map(({ path, code }) => `${path} ${code}`) };
  };
  const ended = await made({ grammars }).catch(({ code, message }) => ({ code, message }));
  const after = await made({});
  clearInterval(pulse);
  return { ended, longest, after };
}

test("a start function that never returns", async (t) => {
  const { ended, longest, after } = await inPage(t, grammarFile({ start: BODY.loop }), { symbols: "" });
  assert.equal(ended.code, "grammar.load", ended.message);
  assert.match(ended.message, /no answer for 10 s/);
  assert.ok(longest < 3000, `the page was held up for ${longest} ms`);
  assert.equal(after.found, 1, "the next question is answered");
});

test("names of prototypes", async (t) => {
  const { ended } = await inPage(t, grammarFile({ imports: [["__proto__", "polluted", "global"]] }), { symbols: "" });
  assert.equal(ended.code, "grammar.load", ended.message);
  assert.match(ended.message, /__proto__\.polluted/);
});

test("a grammar that never returns while it parses", {
  skip: !existsSync(R) && "there is no grammar of R here",
}, async (t) => {
  const symbols = readFileSync(join(ROOT, "pkg/test/queries/r/symbols.scm"), "utf8");
  const { ended, longest } = await inPage(t, withBodies(readFileSync(R), LOOP), { symbols });
  assert.deepEqual(ended, { found: 1, problems: ["b.x crash"] });
  assert.ok(longest < 3000, `the page was held up for ${longest} ms`);
});
