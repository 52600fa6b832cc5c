// Users' models: a tiny transformer and a tiny cross-encoder (crates/embed/tests/make_models.py), run by tract.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { Portolan } from "portolan";

import { folderWith, SHOP } from "./fixture.mjs";

const PKG = dirname(dirname(fileURLToPath(import.meta.url)));
const MODELS = join(dirname(PKG), "crates/embed/tests/models");
const read = (file) => readFileSync(join(MODELS, file));
const MODEL = { model: read("encoder.onnx"), tokenizer: read("wordpiece.json"), maxTokens: 64, queryPrefix: "query: " };
const CROSS = { model: read("cross.onnx"), tokenizer: read("wordpiece.json"), maxTokens: 64 };
const QUERY = { query: "value added tax", mode: "vector" };

const shop = folderWith(SHOP);
let index;
before(async () => {
  index = await Portolan.index(shop, { model: MODEL });
  await index.complete;
});

test("chunks and queries are embedded by the caller's model", async () => {
  const status = await index.status();
  assert.match(status.embedder, /^tiny-32-/);
  assert.equal(status.n_vectors, status.n_chunks);
  const { hits, mode } = await index.search(QUERY);
  assert.equal(mode, "vector");
  assert.ok(hits.length > 0);
});

test("a snapshot of it answers alike with the model, by words without it, and refuses another", async () => {
  const bytes = await index.save();
  const same = await Portolan.open(bytes, { model: MODEL });
  assert.deepEqual(await same.search(QUERY), await index.search(QUERY));
  same.close();
  const without = await Portolan.open(bytes);
  const { hits } = await without.search("value added tax");
  assert.ok(hits.length > 0 && hits.every(({ why }) => !why.includes("meaning")));
  without.close();
  const other = await Portolan.open(bytes, { model: { ...MODEL, pooling: "cls" } });
  await assert.rejects(other.search("value added tax"), { code: "vectors.mismatch" });
  other.close();
});

test("what is no model costs the vectors, not the index", async () => {
  const warnings = [];
  const broken = await Portolan.index(shop, {
    model: { ...MODEL, model: new Uint8Array(10) },
    onWarning: (warning) => warnings.push(warning),
  });
  await broken.complete;
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ["embedding.failed"],
  );
  assert.ok((await broken.search({ query: "value added tax", mode: "lexical" })).hits.length > 0);
  broken.close();
});

test("a model with too few positions is refused", async () => {
  const warnings = [];
  const { maxTokens: _, ...unlimited } = MODEL;
  const words = await Portolan.index(shop, { model: unlimited, onWarning: (warning) => warnings.push(warning) });
  await words.complete;
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ["embedding.failed"],
  );
  assert.match(warnings[0].message, /the model has 64 positions, too few for texts of up to 512 tokens/);
  assert.equal((await words.status()).n_vectors, 0);
  words.close();
  const { maxTokens: __, ...cross } = CROSS;
  await assert.rejects(Portolan.crossEncoder(cross), { code: "model.unusable", message: /64 positions/ });
});

test("a cross-encoder puts the first hits in its order", async () => {
  const encoder = await Portolan.crossEncoder(CROSS);
  const plain = await index.search({ query: "value added tax", limit: 5 });
  const seen = [];
  const rerank = async (query, passages) => {
    const scores = await encoder.score(query, passages);
    seen.push(...passages.map(({ path, text }, place) => ({ path, text, score: scores[place] })));
    return scores;
  };
  const { hits } = await index.search({ query: "value added tax", limit: 5 }, { rerank, top: 4 });
  encoder.close();
  assert.equal(seen.length, 4);
  const expected = [...seen].sort((one, other) => other.score - one.score).map(({ path }) => path);
  assert.deepEqual(
    hits.slice(0, 4).map(({ path }) => path),
    expected,
  );
  assert.equal(hits[4]?.path, plain.hits[4]?.path);
  assert.ok(seen.some(({ path, text }) => path === "src/tax.ts" && text.includes("addTax")));
});

test("any function can choose; one that does not give a number for each passage is named", async () => {
  const last = await index.search(
    { query: "cart", limit: 3 },
    { rerank: (_query, passages) => passages.map((_, place) => place), top: 3 },
  );
  const first = await index.search({ query: "cart", limit: 3 });
  const paths = ({ hits }) => hits.map(({ path }) => path);
  assert.deepEqual(paths(last), paths(first).reverse());
  await assert.rejects(index.search("cart", { rerank: () => [1], top: 3 }), { code: "rerank.scores" });
  await assert.rejects(Portolan.crossEncoder({ ...CROSS, model: MODEL.model }), { code: "model.unusable" });
});

test("the command line takes both as folders", async () => {
  const folder = folderWith({
    "model/sentence_bert_config.json": '{"max_seq_length": 64}',
    "cross/sentence_bert_config.json": '{"max_seq_length": 64}',
  });
  for (const [name, file] of [
    ["model", "encoder.onnx"],
    ["cross", "cross.onnx"],
  ]) {
    mkdirSync(join(folder, name, "onnx"), { recursive: true });
    writeFileSync(join(folder, name, "onnx/model.onnx"), read(file));
    writeFileSync(join(folder, name, "tokenizer.json"), read("wordpiece.json"));
  }
  const portolan = async (...args) =>
    JSON.parse((await promisify(execFile)(process.execPath, [join(PKG, "bin/portolan.js"), ...args, "--json"])).stdout);
  const file = join(folder, "shop.portolan");
  const model = ["--model", join(folder, "model")];
  const made = await portolan("index", shop, "-o", file, ...model);
  assert.equal(made.n_vectors, made.n_chunks);
  const { hits } = await portolan(
    "search",
    "value added tax",
    "-i",
    file,
    "--mode",
    "vector",
    ...model,
    "--rerank",
    join(folder, "cross"),
    "--rerank-top",
    "3",
  );
  assert.ok(hits.length > 0);
});
