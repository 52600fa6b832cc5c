// An index in shards answers as one of a single file, in Node: every tool, the command line, MCP. WebAssembly makes the bytes of the native
// program.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Portolan } from "portolan";

import { index } from "../dist/cli/index-command.js";
import { parseCommand } from "../dist/commands/options.js";
import { folderWith, SHOP } from "./fixture.mjs";

const ROOT = resolve(fileURLToPath(new URL("../..", import.meta.url)));
const BIN = join(ROOT, "pkg/bin/portolan.js");
const PROGRAM = resolve(ROOT, process.env.CARGO_TARGET_DIR ?? "target", "debug/portolan");

const run = async (...args) => JSON.parse(await index(parseCommand(["index", ...args, "--json", "--quiet"])));

/** A folder with the shop, indexed whole and in shards. */
async function bothWays(files, shards) {
  const folder = folderWith(files);
  const out = folderWith({});
  const [whole, sharded] = [join(out, "whole.portolan"), join(out, "sharded.portolan")];
  await run(folder, "-o", whole, "--engine", "wasm");
  const made = await run(folder, "-o", sharded, "--engine", "wasm", "--shards", String(shards));
  return { folder, out, whole, sharded, made };
}

/** Requests of every tool, about every definition and file. */
async function questions(index) {
  const { files } = await index.files();
  const { rows } = await index.cypher("MATCH (s:Symbol) RETURN s.path, s.name LIMIT 200");
  const symbols = rows.map(([path, name]) => `${path}#${name}`);
  const paths = files.map(({ path }) => path);
  const texts = ["where is tax added", "Cart", "who calls addTax", "warehouse", "nothing_like_it", "reserve articles"];
  return [
    ...["status", "files", "processes", "communities", "atlas"].map((tool) => [tool, {}]),
    ["map", { max_tokens: 500 }],
    ["cycles", { edges: ["CALLS", "IMPORTS"] }],
    ["export", { format: "json" }],
    ["regex", { pattern: "\\w+\\(" }],
    ["cypher", { query: "MATCH (a)-[r]->(b) RETURN type(r), count(*) AS n ORDER BY n, type(r)" }],
    ...texts.flatMap((query) => [
      ["search", { query, explain: true }],
      ["search", { query, mode: "semantic" }],
      ["search", { query, mode: "lexical", ungrouped: true }],
      ["query", { query }],
      ["assemble", { query }],
    ]),
    ...symbols.flatMap((symbol) => [
      ...["find", "usages", "references", "callers", "callees", "context", "impact"].map((tool) => [tool, { symbol }]),
      ...["find_chunks_for_symbol", "get_callers_as_results", "get_callees_as_results"].map((tool) => [
        tool,
        { symbol, enrich: { graph_depth: 1 } },
      ]),
      ["rename", { symbol, new_name: "renamed" }],
      ["traverse", { from: symbol, depth: 3 }],
      ["subgraph", { from: symbol, depth: 2 }],
      ["code_intelligence", { command: "similar", symbol }],
      ["trace", { from: symbol, to: symbols[0] }],
      ["paths", { from: symbol, to: symbols.at(-1) }],
    ]),
    ...paths.flatMap((path) => [
      ...["outline", "file_text", "chunks"].map((tool) => [tool, { path }]),
      ["definition", { path, line: 2, character: 9 }],
      ["link_lsp_to_chunk", { path, line: 3 }],
      ["detect_changes", { after: [{ path, text: "def changed(): pass\n" }] }],
    ]),
  ];
}

/** An answer without times and sizes of sections, which differ in any case. */
function comparable(answer) {
  if (typeof answer !== "object" || answer === null) return answer;
  const { built_at, sections, n_shards, processing_time, name, ...rest } = answer;
  return rest;
}

/** The answer, or the error by its code. */
const asked = (index, tool, request) =>
  index.ask(tool, request).then(comparable, ({ code, message }) => ({ code, message }));

test("every tool answers over shards as over one file", async (t) => {
  const { whole, sharded, made } = await bothWays(SHOP, 5);
  assert.ok(made.n_shards > 2 && made.engine === "wasm", JSON.stringify(made));
  const [one, many] = [await Portolan.open(whole), await Portolan.open(sharded)];
  t.after(() => {
    one.close();
    many.close();
  });
  assert.equal((await many.status()).n_shards, made.n_shards);
  assert.equal((await one.status()).n_shards, undefined);
  const all = await questions(one);
  const tools = new Set();
  for (const [tool, request] of all) {
    const expected = await asked(one, tool, request);
    assert.deepEqual(await asked(many, tool, request), expected, `${tool} ${JSON.stringify(request)}`);
    if (!("code" in expected)) tools.add(tool);
  }
  assert.ok(tools.size >= 28, [...tools].join(" "));
  t.diagnostic(`${all.length} questions to ${tools.size} tools over ${made.n_shards} shards`);
  const pattern = { pattern: "$A.$B($C)", languages: ["typescript"] };
  const matches = async (index) => (await index.structural(pattern)).matches;
  assert.deepEqual(await matches(many), await matches(one));
  assert.ok((await matches(one)).length > 0);
  const report = { text: "tax is wrong\n\nIt is added twice." };
  assert.deepEqual(await many.ask("locate", report), await one.ask("locate", report));
  await assert.rejects(many.save(), { code: "query.unsupported" });
});

test("the command line and MCP open a root", async (t) => {
  const { folder, out } = await bothWays(SHOP, 4);
  const home = join(out, "home");
  const env = { ...process.env, HOME: home, PORTOLAN_HOME: home, PORTOLAN_NATIVE: "no" };
  const portolan = (args, input) => {
    const ran = spawnSync(process.execPath, [BIN, ...args], { cwd: folder, env, encoding: "utf8", input });
    return { ...ran, json: () => JSON.parse(ran.stdout) };
  };
  const made = portolan(["index", "--shards", "4", "--json"]);
  assert.equal(made.status, 0, made.stderr);
  const shards = () =>
    readdirSync(join(folder, ".portolan")).filter((name) => /^index-[0-9a-f]{32}\.portolan$/.test(name));
  assert.equal(shards().length, made.json().n_shards);
  assert.equal(portolan(["callers", "addTax", "--json"]).json().calls[0].path, "src/cart.ts");
  assert.equal(portolan(["search", "where is tax added", "--json"]).json().hits[0].path, "src/tax.ts");
  assert.match(portolan(["status"]).stdout, /shards/);
  const client = new Client({ name: "test", version: "1" });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [BIN, "mcp", "--no-watch"], cwd: folder, env }),
  );
  const found = await client.callTool({ name: "search", arguments: { query: "where is tax added" } });
  await client.close();
  assert.match(JSON.stringify(found), /src\/tax\.ts/);

  await t.test("a shard that was not made here is refused where the root was", () => {
    const [first] = shards();
    const path = join(folder, ".portolan", first);
    const bytes = readFileSync(path);
    rmSync(`${path}.mac`, { force: true });
    rmSync(path);
    writeFileSync(path, bytes);
    const answers = ["search", "tax", "--json"];
    assert.match(portolan(answers).stderr, /was not made here/);
    // Who names an index made elsewhere trusts its shards, too.
    rmSync(join(home), { recursive: true, force: true });
    assert.equal(portolan(answers).status, 1);
    rmSync(join(folder, ".portolan/index.portolan.mac"), { force: true });
    assert.equal(portolan([...answers, "--index", ".portolan/index.portolan"]).status, 0);
  });

  await t.test("an index in one piece takes the place of the root and its shards", () => {
    const again = portolan(["index", "--full", "--json"]);
    assert.equal(again.status, 0, again.stderr);
    assert.deepEqual(shards(), []);
    assert.equal(portolan(["status", "--json"]).json().n_shards, undefined);
  });
});

/** The engines that can index here: WebAssembly, and the native program where it was built. */
const ENGINES = existsSync(PROGRAM) ? ["wasm", "native"] : ["wasm"];

for (const engine of ENGINES)
  test(`an index in shards stays in shards, and is made anew only after a change: ${engine}`, async (t) => {
    const folder = folderWith({ ...SHOP, ".git/HEAD": "ref: refs/heads/main\n" });
    const home = folderWith({});
    const env = {
      ...process.env,
      HOME: home,
      PORTOLAN_HOME: home,
      PORTOLAN_NATIVE: engine === "wasm" ? "no" : PROGRAM,
    };
    const portolan = (...args) => spawnSync(process.execPath, [BIN, ...args], { cwd: folder, env, encoding: "utf8" });
    const indexed = (...args) => {
      const ran = portolan("index", "--no-embeddings", "--json", ...args);
      assert.equal(ran.status, 0, ran.stderr);
      return JSON.parse(ran.stdout);
    };
    const root = join(folder, ".portolan/index.portolan");
    const first = indexed("--shards", "4");
    assert.equal(first.engine, engine);
    assert.ok(first.n_shards > 1);
    const bytes = readFileSync(root);

    for (const args of [[], ["--shards", "4"]]) {
      const again = indexed(...args);
      assert.equal(again.changes.unchanged, first.n_files);
      assert.equal(again.n_shards, first.n_shards);
      assert.deepEqual(readFileSync(root), bytes);
    }
    assert.match(portolan("index", "--no-embeddings").stdout, /^nothing has changed\n\d+ files in \d+ shards/);

    writeFileSync(join(folder, "src/later.ts"), "export function later() {}\n");
    assert.match(portolan("callers", "addTax").stderr, /changed since the index was built/);
    const changed = indexed();
    assert.equal(changed.changes, undefined);
    assert.equal(changed.n_files, first.n_files + 1);
    assert.ok(changed.n_shards > 1);
    assert.match(portolan("find", "later").stdout, /src\/later\.ts/);
    // The native program does not parse what has not changed.
    assert.equal(changed.n_unchanged, engine === "native" ? first.n_files : 0);
    assert.equal(indexed("--full", "--shards", "4").n_unchanged, 0);
    for (const name of ["after", "never", "soon1"]) {
      writeFileSync(join(folder, "src/later.ts"), `export function ${name}() {}\n`);
      assert.equal(indexed().n_shards, changed.n_shards, "an edit changes no number of shards");
    }
    writeFileSync(join(folder, "src/later.ts"), "export function later() {}\n");
    indexed();

    await t.test("with a shard gone all is made anew", () => {
      const [shard] = readdirSync(join(folder, ".portolan")).filter((name) =>
        /^index-[0-9a-f]{32}\.portolan$/.test(name),
      );
      rmSync(join(folder, ".portolan", shard));
      assert.equal(indexed().changes, undefined);
      assert.equal(portolan("find", "later").status, 0);
    });

    await t.test("watch refuses it, and a server that keeps indexes current leaves it as it is", async () => {
      const before = readFileSync(root);
      assert.match(portolan("watch").stderr, /index\.shards/);
      const client = new Client({ name: "test", version: "1" });
      await client.connect(
        new StdioClientTransport({ command: process.execPath, args: [BIN, "mcp"], cwd: folder, env }),
      );
      t.after(() => client.close());
      const call = async (name, args) => JSON.stringify(await client.callTool({ name, arguments: args }));
      assert.match(await call("search", { query: "where is tax added" }), /src\/tax\.ts/);
      assert.deepEqual(readFileSync(root), before);
      writeFileSync(join(folder, "src/last.ts"), "export function last() {}\n");
      assert.match(await call("index", {}), new RegExp(`${first.n_files + 2} files`));
      assert.match(await call("search", { query: "last" }), /src\/last\.ts/);
      assert.ok(readdirSync(join(folder, ".portolan")).some((name) => /^index-[0-9a-f]{32}/.test(name)));
    });
  });

test("shards that are missing or damaged are named", async (t) => {
  const { sharded, out } = await bothWays(SHOP, 4);
  const files = readdirSync(out).filter((name) => name.startsWith("sharded-"));
  assert.ok(files.length > 1);
  for (const file of files) writeFileSync(join(out, file), "PORTOLAN but no more");
  const index = await Portolan.open(sharded);
  t.after(() => index.close());
  await assert.rejects(index.search("tax"), { code: /^snapshot\./ });
  for (const file of files) rmSync(join(out, file));
  const other = await Portolan.open(sharded);
  t.after(() => other.close());
  await assert.rejects(other.search("tax"), { code: "snapshot.unreadable" });
  // Bytes alone have no files beside them.
  await assert.rejects(Portolan.open(readFileSync(sharded)), {
    code: "snapshot.foreign",
    message: /root of an index in shards/,
  });
});

test("options of shards are checked", async () => {
  const folder = folderWith(SHOP);
  const fails = (args, expected) => assert.rejects(run(folder, ...args), expected);
  await fails(["--shards", "2", "--memory-budget", "100"], { message: /not both/ });
  await fails(["--shards", "0"], { message: /shards/ });
  await fails(["--memory-budget", "12"], { message: /memory-budget/ });
});

const skip = existsSync(PROGRAM) ? false : "cargo build -p portolan --features program makes the program";

test("the same bytes as the native program's", { skip }, async (t) => {
  for (const [name, size] of [
    ["crates/source", ["--shards", "4"]],
    ["www/src/search", ["--shards", "3"]],
    ["pkg/src/cli", ["--memory-budget", "64"]],
    ["crates/search", ["--shards", "6", "--no-embeddings"]],
  ]) {
    const [native, wasm] = ["native", "wasm"].map((engine) => folderWith({ [`${engine}.txt`]: "" }));
    process.env.PORTOLAN_NATIVE = PROGRAM;
    const made = await run(join(ROOT, name), ...size, "-o", join(native, "i.portolan")).finally(
      () => delete process.env.PORTOLAN_NATIVE,
    );
    assert.equal(made.engine, "native");
    const opened = await Portolan.open(join(native, "i.portolan"));
    const { built_at } = await opened.status();
    opened.close();
    // One clock for both.
    const clock = t.mock.method(Date, "now", () => built_at);
    await run(join(ROOT, name), ...size, "-o", join(wasm, "i.portolan"), "--engine", "wasm");
    clock.mock.restore();
    const files = (folder) =>
      readdirSync(folder)
        .filter((file) => file.endsWith(".portolan"))
        .sort();
    assert.deepEqual(files(wasm), files(native), name);
    assert.ok(files(native).length > 1);
    for (const file of files(native))
      assert.ok(readFileSync(join(native, file)).equals(readFileSync(join(wasm, file))), `${name}: ${file} differs`);
  }
});
