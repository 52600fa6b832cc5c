// Exact scan against approximate index in WebAssembly, by number of vectors: processor time of a query, recall@10, what building costs.
// `APPROXIMATE_FROM` (crates/search/src/hnsw.rs) follows from the point where the two times cross, and from the gain beyond it.
//
// node tests/benches/hnsw.mjs --counts 10000,30000,100000 INDEX…   (files of `portolan index`, whose vectors are the seed)
//
// Vectors are those of the indexes; where more are wanted, each further one is a real one turned a little towards another real one and a
// little anywhere: clusters as dense as those of code. Queries are real vectors that are not in the set, turned likewise.

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

import { CodeIndex, initSync as initReader } from "../../pkg/wasm/reader.js";
import { initSync, Neighbours } from "../../pkg/wasm/hnsw.js";

const wasm = (name) => ({
  module: new WebAssembly.Module(readFileSync(new URL(`../../pkg/wasm/${name}_bg.wasm`, import.meta.url))),
});
initReader(wasm("reader"));
initSync(wasm("hnsw"));

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { counts: { type: "string", default: "10000,30000,100000" }, queries: { type: "string", default: "200" } },
});
/** Nearest ones that are compared, and that a search asks for. */
const [NEAREST, CANDIDATES] = [10, 100];
/** How far a made vector is turned towards another real one, and anywhere, as shares of its length. */
const [TOWARDS, ANYWHERE] = [0.3, 0.4];
const N_QUERIES = Number(values.queries);

let state = 1n;
/** The same numbers on every machine, 0 to 1. */
function random() {
  state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
  return Number(state >> 40n) / 2 ** 24;
}

const { dim, real } = readVectors(positionals);
const held = real.splice(0, Math.min(N_QUERIES, real.length >> 2));
console.log(
  `${real.length} vectors of ${dim} numbers from ${positionals.length} indexes; ${CANDIDATES} candidates a query; processor time, one thread\n`,
);
console.log(
  "| vectors | built in | of that a vector | exact scan | approximate | recall@10 |\n|--:|--:|--:|--:|--:|--:|",
);
for (const count of values.counts.split(",").map(Number)) console.log(row(count));

function readVectors(files) {
  const real = [];
  let dim = 0;
  for (const file of files) {
    const index = CodeIndex.open(readFileSync(file));
    const rows = index.vectorRows();
    dim = index.nNumbers();
    for (let at = 0; at < rows.length; at += dim) {
      const row = rows.subarray(at, at + dim);
      if (row.some((cell) => cell !== 0)) real.push(row);
    }
    index.free();
  }
  for (let at = real.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [real[at], real[other]] = [real[other], real[at]];
  }
  return { dim, real };
}

/** A vector near a real one. */
function made(base) {
  const other = real[Math.floor(random() * real.length)];
  const length = Math.hypot(...base);
  const vector = new Float32Array(dim);
  const spread = (ANYWHERE * length) / Math.sqrt(dim);
  for (let at = 0; at < dim; at++)
    vector[at] = base[at] + TOWARDS * other[at] + spread * (random() + random() + random() - 1.5) * 2;
  return vector;
}

/** As the index keeps it: −7 to 7, in steps of a third of the root of the mean square. */
function rounded(vector, into) {
  const step = (0.335 * Math.hypot(...vector)) / Math.sqrt(dim);
  for (let at = 0; at < dim; at++) into[at] = Math.max(-7, Math.min(7, Math.round(vector[at] / step)));
}

function row(count) {
  const rows = new Int8Array(count * dim);
  for (let n = 0; n < count; n++) {
    const into = rows.subarray(n * dim, (n + 1) * dim);
    if (n < real.length) into.set(real[n]);
    else rounded(made(real[n % real.length]), into);
  }
  const queries = held.map((base) => made(base));
  const [graph, built] = timed(() => new Neighbours(dim, rows));
  const ask = (exact) => queries.map((query) => graph.nearest(query, CANDIDATES, exact));
  for (const exact of [true, false]) ask(exact); // V8 optimises hot code
  const [exact, scanning] = timed(() => ask(true));
  const [near, following] = timed(() => ask(false));
  let found = 0;
  for (const [idx, wanted] of exact.entries())
    found += wanted.slice(0, NEAREST).filter((one) => near[idx].includes(one)).length;
  graph.free();
  const each = (seconds) => `${Math.round((seconds * 1e6) / queries.length)} µs`;
  return `| ${count} | ${built.toFixed(1)} s | ${((built * 1e6) / count).toFixed(0)} µs | ${each(scanning)} | ${each(following)} | ${(found / (queries.length * NEAREST)).toFixed(3)} |`;
}

/** Returns the result of a call, and the processor time that it took, in seconds. */
function timed(run) {
  const before = process.cpuUsage();
  const result = run();
  const { user, system } = process.cpuUsage(before);
  return [result, (user + system) / 1e6];
}
