// A new isolate, as a process: starts the wasm, then answers its first requests from an index that nobody has asked. Prints the processor
// time of each step and the reads of the bucket as JSON. `cold.test.mjs` runs it: node cold.mjs INDEX

import { readFileSync } from "node:fs";
import process from "node:process";

const ROOT = new URL("../../", import.meta.url);
const file = readFileSync(process.argv[2]);
const code = readFileSync(new URL("crates/edge/worker/wasm/edge_bg.wasm", ROOT));
const model = ["code-embed-128.int8.bin", "tokenizer.json"].map((name) =>
  readFileSync(new URL(`pkg/model/${name}`, ROOT)),
);
let n_reads = 0;

/** Milliseconds of processor time, all threads together. */
async function cpuOf(work) {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const SNAPSHOTS = {
  async get(key, { range } = {}) {
    n_reads++;
    const bytes = key.startsWith("models/") ? model[key.endsWith(".onnx") ? 0 : 1] : file;
    const offset = range?.offset ?? 0;
    const read = new Uint8Array(bytes.subarray(offset, offset + (range?.length ?? bytes.length)));
    const pieces = async function* () {
      yield read;
    };
    return { etag: key, size: bytes.length, uploaded: new Date(0), body: new Response(read).body, pieces };
  },
};

const { initSync } = await import("../../crates/edge/worker/wasm/edge.js");
const start_ms = await cpuOf(() => initSync({ module: new WebAssembly.Module(code) }));
const { default: worker } = await import("../../crates/edge/worker/answers.mjs");

async function ask(mode) {
  const url = `https://worker/v1/search?repo=cold&q=read+a+section+of+the+file&mode=${mode}`;
  const response = await worker.fetch(new Request(url), { SNAPSHOTS }, { waitUntil: () => {} });
  const { mode: by, hits } = await response.json();
  if (response.status !== 200 || by !== mode || hits.length === 0) throw new Error(`${mode}: ${response.status} ${by}`);
}

const words_ms = await cpuOf(() => ask("lexical"));
const meaning_ms = await cpuOf(() => ask("hybrid"));
console.log(JSON.stringify({ start_ms, words_ms, meaning_ms, n_reads }));
