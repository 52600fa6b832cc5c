// Search by meaning along a graph over the vectors: the same answers, kept in the snapshot, gone when the index changes.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { Portolan } from "portolan";

import { initSync, Neighbours } from "../wasm/hnsw.js";
import { folderWith } from "./fixture.mjs";

const WORDS = ["tax", "cart", "route", "mail", "cache", "queue", "graph", "token", "price", "user"];
const files = Object.fromEntries(
  WORDS.map((one) => [
    `${one}.py`,
    WORDS.map(
      (other) =>
        `def ${one}_${other}(value):\n    """The ${other} of a ${one}."""\n    return ${other}(${one}(value))\n`,
    ).join("\n\n"),
  ]),
);
const root = folderWith(files);
const QUERIES = ["price of a cart", "the queue of a route", "tokens of users"];

const hitsOf = async (index) => {
  const all = [];
  for (const query of QUERIES) {
    const { hits } = await index.search({ query, mode: "vector", limit: 5 });
    all.push(hits.map(({ path, start_line, score }) => [path, start_line, score]));
  }
  return all;
};

test("answers as looking at every vector does, also from a snapshot, until the index changes", async () => {
  const warnings = [];
  const onWarning = (warning) => warnings.push(warning.message);
  const plain = await Portolan.index(root, { onWarning });
  const index = await Portolan.index(root, { approximate: true, onWarning });
  await Promise.all([plain.complete, index.complete]);
  const exact = await hitsOf(plain);
  assert.ok(exact.every((hits) => hits.length === 5));
  assert.deepEqual(await hitsOf(index), exact);
  const [bytes, saved] = [await plain.save(), await index.save()];
  assert.ok(saved.length > bytes.length, `${saved.length} bytes with the graph, ${bytes.length} without`);
  const opened = await Portolan.open(saved);
  assert.deepEqual(await hitsOf(opened), exact);
  await index.update({ deleted: ["user.py"] });
  assert.ok(
    (await index.search({ query: "tokens of users", mode: "vector" })).hits.every(({ path }) => path !== "user.py"),
  );
  assert.deepEqual(warnings, []);
  for (const one of [plain, index, opened]) one.close();
});

test("a graph over many vectors finds what is near", () => {
  initSync({ module: readFileSync(new URL("../wasm/hnsw_bg.wasm", import.meta.url)) });
  const [dim, n] = [32, 1000];
  let state = 7;
  const random = () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return state / 2 ** 32;
  };
  const centres = Array.from({ length: 50 }, () => Array.from({ length: dim }, () => random() * 12 - 6));
  const rows = Int8Array.from({ length: dim * n }, (_, at) =>
    Math.round(centres[Math.floor(at / dim) % 50][at % dim] + random() * 2 - 1),
  );
  const graph = new Neighbours(dim, rows);
  let found = 0;
  for (let query = 0; query < 50; query++) {
    const vector = Float32Array.from(
      rows.subarray(query * 20 * dim, (query * 20 + 1) * dim),
      (cell) => cell + random() - 0.5,
    );
    const exact = graph.nearest(vector, 10, true);
    const near = graph.nearest(vector, 10, false);
    found += exact.filter((one) => near.includes(one)).length;
  }
  assert.ok(found >= 0.98 * 50 * 10, `${found} of 500`);
  assert.ok(graph.numbers().length > n * 64);
  assert.throws(
    () => new Neighbours(7, rows),
    (error) => error.code === "vectors.mismatch",
  );
});
