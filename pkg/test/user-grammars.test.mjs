// A language that is not ours: R, with the grammar file of its npm package and a few queries.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { HIGHLIGHT_CLASSES, Portolan } from "portolan";

import { folderWith } from "./fixture.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const BIN = join(dirname(here), "bin/portolan.js");
const WASM = join(here, "grammars/tree-sitter-r.wasm");
const QUERIES = join(here, "queries/r");
const query = (name) => readFileSync(join(QUERIES, `${name}.scm`), "utf8");

const FILES = {
  "R/tax.R": "# Adds value added tax.\nadd_tax <- function(net, rate = 0.19) {\n  round(net * (1 + rate), 2)\n}\n",
  "R/cart.R": "total <- function(cart) {\n  add_tax(sum(cart$price))\n}\n",
  "main.py": "def main():\n    pass\n",
};
const R = {
  name: "r",
  extensions: [".r"],
  wasm: readFileSync(WASM),
  queries: { symbols: query("symbols"), references: query("references"), highlights: query("highlights") },
};

let index;
before(async () => {
  index = await Portolan.index(folderWith(FILES), { grammars: [R] });
  await index.complete;
});

async function check(index) {
  assert.deepEqual(
    (await index.status()).languages.map(({ name }) => name),
    ["r", "python"],
  );
  const { symbols } = await index.find("add_tax");
  assert.deepEqual(
    symbols.map(({ path, line, kind, language, doc }) => [path, line, kind, language, doc]),
    [["R/tax.R", 2, "function", "r", "Adds value added tax."]],
  );
  const { calls } = await index.callers("add_tax");
  assert.deepEqual(
    calls.map(({ path, symbol }) => [path, symbol.name]),
    [["R/cart.R", "total"]],
  );
  const { hits } = await index.search({ query: "value added tax", languages: ["r"] });
  assert.equal(hits[0].path, "R/tax.R");
}

async function checkParsed(index) {
  const { matches, languages } = await index.structural({ pattern: "add_tax($X)", languages: ["r"] });
  assert.deepEqual(
    [languages, matches.map(({ path, text, language }) => [path, text, language])],
    [["r"], [["R/cart.R", "add_tax(sum(cart$price))", "r"]]],
  );
  const triples = await index.highlights("R/tax.R");
  assert.equal(HIGHLIGHT_CLASSES[triples[2]], "comment");
}

test("definitions, calls, search, colours and forms", async () => {
  await check(index);
  await checkParsed(index);
});

test("a snapshot keeps the language; with its grammar it is parsed again", async () => {
  const bytes = await index.save();
  const plain = await Portolan.open(bytes);
  await check(plain);
  await assert.rejects(plain.structural({ pattern: "add_tax($X)", languages: ["r"] }), {
    code: "grammar.missing",
    message: /no grammar for r/,
  });
  plain.close();
  const again = await Portolan.open(bytes, { grammars: [R] });
  await check(again);
  await checkParsed(again);
  again.close();
});

test("a grammar that cannot be used rejects before anything is read", async () => {
  const oldAbi = () => {
    // The version is the first word of the language's tables; another one is not read.
    const bytes = new Uint8Array(R.wasm);
    for (let at = 0; at < bytes.length - 4; at++) {
      const word = bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24);
      if (word === 14 || word === 15) bytes[at] = 3;
    }
    return bytes;
  };
  const folder = folderWith(FILES);
  for (const [grammar, code, message] of [
    [{ ...R, name: "rust" }, "grammar.name", /taken/],
    [{ ...R, name: "../r" }, "grammar.name", /cannot be named/],
    [{ ...R, extensions: [] }, "grammar.name", /endings/],
    [{ ...R, wasm: new Uint8Array([1, 2, 3]) }, "grammar.load", /r could not be loaded/],
    [{ ...R, wasm: oldAbi() }, /^grammar\.(unusable|load)$/, /./],
    [{ ...R, queries: { symbols: "(nonsense) @definition.function" } }, "grammar.query", /nonsense/],
    [{ ...R, queries: { symbols: "", highlights: "(comment" } }, "grammar.query", /highlights/],
  ]) {
    await assert.rejects(Portolan.index(folder, { grammars: [grammar], embeddings: false }), (error) => {
      if (code instanceof RegExp) assert.match(error.code, code);
      else assert.equal(error.code, code, error.message);
      assert.match(error.message, message);
      return true;
    });
  }
});

test("on the command line", async () => {
  const folder = folderWith(FILES);
  const run = async (...args) => (await promisify(execFile)(process.execPath, [BIN, ...args], { cwd: folder })).stdout;
  const language = ["--grammar", WASM, "--queries", QUERIES, "--extensions", "r,rmd"];
  await run("index", ".", "--quiet", "--no-embeddings", ...language);
  assert.match(await run("find", "add_tax"), /^R\/tax\.R:2 {2}function add_tax/);
  assert.match(
    await run("structural", "round($X, $N)", "--language", "r", ...language),
    /^R\/tax\.R:3: round\(net \* \(1 \+ rate\), 2\)\n {2}N = 2\n {2}X = net/,
  );
  assert.match(await run("map", "--language", "r"), /R\/tax\.R :: fn:add_tax/);
  await assert.rejects(
    run("index", ".", "--grammar", WASM),
    (error) => error.code === 2 && /one --queries DIR/.test(error.stderr),
  );
});
