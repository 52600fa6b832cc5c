// Grammars that do not load: their language is searched as text, everything else is as if nothing had happened.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { loadGrammar, readLayout } from "../dist/grammars/loader.js";
import { parserHere } from "../dist/node/parser-here.js";
import { nodeSessionHost } from "../dist/node/session-host.js";
import { ParsePool } from "../dist/indexing/parse-pool.js";
import { Session } from "../dist/indexing/session.js";
import { GROW, LOOP, TRAP, withBodies } from "./broken-grammar.mjs";
import { folderWith, SHOP } from "./fixture.mjs";

const rust = readFileSync(new URL("../grammars/tree-sitter-rust.wasm", import.meta.url));

/** Indexes the shop with this in place of the Rust grammar. */
async function withRustGrammar(load) {
  const host = nodeSessionHost();
  const { grammar } = host.assets;
  host.assets.grammar = (name) => (name === "rust" ? load() : grammar.call(host.assets, name));
  const session = new Session(host);
  const warnings = [];
  const emit = (event) => event.type === "warning" && warnings.push(event.warning);
  await session.make(folderWith(SHOP), { embeddings: false }, new AbortController().signal, emit);
  const status = await session.ask("status", {});
  const found = await session.ask("search", { query: "adds two amounts in cents" });
  const typescript = await session.ask("find", { symbol: "addTax" });
  session.close();
  return { warnings, problems: status.problems.map(({ path, code }) => [path, code]), found, typescript };
}

async function checkLanguageIsText(load) {
  const { warnings, problems, found, typescript } = await withRustGrammar(load);
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ["grammar.load"],
  );
  assert.match(warnings[0].message, /grammar for rust could not be loaded/);
  assert.deepEqual(problems, [["core/src/money.rs", "no-grammar"]]);
  assert.equal(found.hits[0].path, "core/src/money.rs");
  assert.equal(typescript.symbols.length, 1);
}

test("a truncated grammar file", () => checkLanguageIsText(() => WebAssembly.compile(rust.subarray(0, 100_000))));

test("a grammar that cannot be fetched", () => checkLanguageIsText(() => Promise.reject(new Error("status 404"))));

test("a wasm file that is no grammar", () =>
  checkLanguageIsText(() => WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))));

for (const [does, body] of [
  ["traps", TRAP],
  ["takes all memory", GROW],
]) {
  test(`a grammar that ${does} costs the files of its language, nothing else`, async () => {
    const { warnings, problems, found, typescript } = await withRustGrammar(() =>
      WebAssembly.compile(withBodies(rust, body)),
    );
    assert.deepEqual(warnings, []);
    assert.deepEqual(problems, [["core/src/money.rs", "crash"]]);
    assert.equal(found.hits[0].path, "core/src/money.rs", "its text is searched");
    assert.equal(typescript.symbols.length, 1);
  });
}

test("a repository of one language loads one grammar, and reading does not wait for it", async () => {
  const host = nodeSessionHost();
  const { grammar } = host.assets;
  const asked = [];
  let isRead = () => {};
  const read = new Promise((resolve) => (isRead = resolve));
  host.assets.grammar = async (name) => {
    asked.push(name);
    await read;
    return grammar.call(host.assets, name);
  };
  const session = new Session(host);
  const emit = (event) =>
    event.type === "progress" && event.progress.phase === "reading" && event.progress.done === 3 && isRead();
  const files = {
    "Cargo.toml": '[package]\nname = "a"\n',
    "src/lib.rs": "pub fn one() {}\n",
    "src/two.rs": "pub fn two() { one() }\n",
  };
  await session.make(folderWith(files), { embeddings: false }, new AbortController().signal, emit);
  const found = await session.ask("find", { symbol: "two" });
  session.close();
  assert.deepEqual(asked, ["rust"]);
  assert.equal(found.symbols.length, 1);
});

/** Parses one file of Rust whose grammar never returns: the paths that come back, and whether each has facts. */
async function readByHanging(options) {
  const host = nodeSessionHost();
  const units = [];
  const pool = new ParsePool({
    spawn: () => host.spawn("parse"),
    size: 1,
    timeoutMs: 1500,
    engine: await host.assets.module("engine"),
    grammar: () => WebAssembly.compile(withBodies(rust, LOOP)),
    onResult: (result) => units.push(...result.units),
    ...options,
  });
  const bytes = new TextEncoder().encode("fn main() {}\n");
  const { done } = await pool.submit({ files: [{ path: "src/main.rs", bytes }], grammars: new Set(["rust"]) });
  await done;
  pool.close();
  return units.map(({ path, unit }) => [path, unit.length > 0]);
}

test("a grammar that never returns is given up: the file is read as text", async () => {
  assert.deepEqual(await readByHanging({}), [["src/main.rs", true]]);
});

test("a grammar that never returns in this thread is stopped, and given up by a worker", async () => {
  let n_here = 0;
  const here = () => {
    n_here++;
    return parserHere(1000);
  };
  assert.deepEqual(await readByHanging({ here, lazy: true }), [["src/main.rs", true]]);
  assert.equal(n_here, 1);
});

test("the layout of a grammar is read; what is no side module is refused", () => {
  const layout = readLayout(new WebAssembly.Module(rust));
  assert.ok(layout.memorySize > 1_000_000 && layout.memoryAlignment >= 4 && layout.tableSize > 0);
  const empty = new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));
  assert.throws(() => loadGrammar({}, empty, "x"), { code: "grammar.load" });
});
