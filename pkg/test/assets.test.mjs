// The lists of files that a page includes: one module for each grammar of the package, and the messages where a file was left out.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { createPortolan } from "portolan/core";
import python from "portolan/grammars/python";
import model from "portolan/model";

import { ALL_ASSETS } from "../dist/entry/all-assets.js";
import { FetchedAssets, placesOf } from "../dist/browser/assets.js";
import { folderWith } from "./fixture.mjs";

const GRAMMARS = readdirSync(new URL("../grammars/", import.meta.url))
  .flatMap((file) => /^tree-sitter-(\w+)\.wasm$/.exec(file)?.[1] ?? [])
  .sort();
const KEYS = ["engine", "reader", "seal", "hnsw", "model", "tokenizer", "onnx"];

test("every grammar has a module, and the default has all of them", async () => {
  const { files } = placesOf(ALL_ASSETS);
  assert.deepEqual(Object.keys(files).sort(), [...GRAMMARS.map((name) => `grammar ${name}`), ...KEYS].sort());
  for (const [key, address] of Object.entries(files)) assert.ok(existsSync(fileURLToPath(address)), key);
  for (const name of GRAMMARS) {
    const { default: asset } = await import(`portolan/grammars/${name}`);
    assert.deepEqual(Object.keys(asset), [`grammar ${name}`]);
    assert.equal(fileURLToPath(asset[`grammar ${name}`]()).split(/[\\/]/).at(-1), `tree-sitter-${name}.wasm`);
  }
});

const refusal = (promise) =>
  promise.then(
    () => assert.fail("it was found"),
    ({ code, help }) => [code, help],
  );

test("what a build left out is named, with the import that adds it", async () => {
  const assets = new FetchedAssets(placesOf([python]));
  assert.deepEqual(await refusal(assets.grammar("rust")), [
    "grammar.unknown",
    "import portolan/grammars/rust and name it in createPortolan({ assets })",
  ]);
  assert.deepEqual(await refusal(assets.module("onnx")), [
    "asset.left-out",
    "import portolan/onnx and name it in createPortolan({ assets })",
  ]);
  const [code, help] = await refusal(assets.model());
  assert.equal(code, "asset.left-out");
  assert.match(help, /import portolan\/model .* or index with embeddings: false/);
  assert.deepEqual((await refusal(assets.grammar("../rust")))[0], "grammar.unknown");
});

test("files of a folder lie where portolan assets writes them", async (t) => {
  const places = placesOf("https://example.org/code/portolan");
  assert.deepEqual(places, { files: {}, folder: "https://example.org/code/portolan/" });
  const asked = [];
  t.mock.method(globalThis, "fetch", async (url) => {
    asked.push(String(url));
    return new Response("", { status: 404 });
  });
  const assets = new FetchedAssets(places);
  const [code, help] = await refusal(assets.grammar("go"));
  assert.deepEqual([code, /portolan assets, and go among/.test(help)], ["grammar.unknown", true]);
  assert.equal((await refusal(assets.module("engine")))[0], "asset.unavailable");
  assert.equal((await refusal(assets.model()))[0], "asset.unavailable");
  const files = asked.map((url) => url.replace(places.folder, ""));
  assert.deepEqual(files, [
    "grammars/tree-sitter-go.wasm",
    "wasm/engine_bg.wasm",
    "model/code-embed-128.int8.bin",
    "model/tokenizer.json",
  ]);
  for (const file of files) assert.ok(existsSync(new URL(`../${file}`, import.meta.url)), file);
});

test("in Node everything is there, whatever is named", async () => {
  const portolan = createPortolan({ assets: [python, model] });
  const files = [{ path: "a.rs", bytes: new TextEncoder().encode("pub fn count() {}\n") }];
  const index = await portolan.index({ files }, { name: "a", embeddings: false, workers: 1 });
  assert.equal((await index.find("count")).symbols[0].path, "a.rs");
  index.close();
});

test("the engine of Node has the imports and exports of the one that pages fetch", async () => {
  const [ours, theirs] = await Promise.all(
    ["engine-node", "engine"].map(async (name) =>
      WebAssembly.compile(readFileSync(new URL(`../wasm/${name}_bg.wasm`, import.meta.url))),
    ),
  );
  for (const list of [WebAssembly.Module.imports, WebAssembly.Module.exports]) {
    const sorted = (module) =>
      list(module)
        .map((one) => JSON.stringify(one))
        .sort();
    assert.deepEqual(sorted(ours), sorted(theirs));
  }
});

const BIN = fileURLToPath(new URL("../bin/portolan.js", import.meta.url));
const portolan = (cwd, ...args) => spawnSync(process.execPath, [BIN, ...args], { cwd, encoding: "utf8" });

test("neither command writes through a link that a repository brings, nor over what is there", () => {
  const elsewhere = folderWith({ "precious.txt": "x" });
  const repository = folderWith({ "mine/worker.mjs": "mine", "taken/notes.txt": "x" });
  mkdirSync(join(repository, ".git"));
  symlinkSync(elsewhere, join(repository, "public"), "junction");
  for (const [args, code] of [
    [["assets", "--languages", "go"], "output.link"],
    [["assets", "-o", "public"], "output.link"],
    [["assets", "-o", "taken"], "output.unwritable"],
    [["create-worker", "public/worker"], "output.link"],
    [["create-worker", "mine"], "output.exists"],
  ]) {
    const { status, stderr } = portolan(repository, ...args);
    assert.equal(status, 1, args.join(" "));
    assert.match(stderr, new RegExp(`\\[${code}\\]`), args.join(" "));
  }
  assert.deepEqual(readdirSync(elsewhere), ["precious.txt"]);
  assert.deepEqual(readdirSync(join(repository, "mine")), ["worker.mjs"]);
  assert.deepEqual(readdirSync(join(repository, "taken")), ["notes.txt"]);
});

test("create-worker --for-team makes a server of shared indexes, with its own tokens", () => {
  const folder = folderWith({});
  assert.equal(portolan(folder, "create-worker", "team", "--for-team").status, 0);
  const place = join(folder, "team");
  const text = (file) => readFileSync(join(place, file), "utf8");
  for (const file of readdirSync(place)) assert.doesNotMatch(text(file), /\{\{/, file);
  const settings = JSON.parse(text("wrangler.jsonc").replace(/^\s*\/\/.*$/gm, ""));
  assert.equal(settings.vars.ACCESS, "tokens");
  assert.deepEqual(settings.migrations[0].new_sqlite_classes, ["RateLimitObject", "MetricsObject"]);
  const classes = settings.durable_objects.bindings.map(({ class_name }) => class_name);
  assert.match(text("worker.mjs"), new RegExp(`export \\{ ${classes.sort().join(", ")} \\}`));
  const { stdout, status } = portolan(place, "token", "create", "--shared", "tokens", "--name", "me", "-q");
  assert.equal(status, 0);
  const uploaded = /access\[\\\\\/\]tokens~/.exec(text("tokens.mjs"));
  assert.ok(uploaded, "the script looks for the list where the command puts it");
  const lists = readdirSync(join(place, "tokens"), { recursive: true }).map((path) => path.replaceAll("\\", "/"));
  const list = lists.find((path) => /access\/tokens~\d{10}$/.test(path));
  assert.doesNotMatch(text(`tokens/${list}`), new RegExp(stdout.trim().slice(17)));
});

test("create-worker fills in a name, the version and the model's name", () => {
  const folder = folderWith({});
  const { stdout, status } = portolan(folder, "create-worker", "Code Search!", "--json");
  assert.equal(status, 0);
  assert.equal(JSON.parse(stdout).name, "code-search");
  for (const file of readdirSync(join(folder, "Code Search!")))
    assert.doesNotMatch(readFileSync(join(folder, "Code Search!", file), "utf8"), /\{\{/, file);
  const { scripts } = JSON.parse(readFileSync(join(folder, "Code Search!/package.json"), "utf8"));
  assert.match(scripts["upload:model"], /put code-search\/models\/static_code_embedding-128-[0-9a-f]{8}\.onnx /);
});
