// A thread as an isolate of the Worker: the same scripts and the same wasm with a memory of its own, over a bucket that is a folder. It is
// the front, or the Durable Object of a shard. `startIsolate` of scale-memory.mjs starts it.

import { closeSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { pathToFileURL } from "node:url";
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { parentPort, workerData } from "node:worker_threads";

const { root, folder, isObject, most } = workerData;
const edge = (file) => pathToFileURL(join(root, "pkg/edge", file)).href;
const { initSync } = await import(edge("wasm/edge.js"));
const wasm = initSync({ module: new WebAssembly.Module(readFileSync(join(root, "pkg/edge/wasm/edge_bg.wasm"))) });
const { default: front, ShardObject } = await import(edge("answers.mjs"));
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");

/** The file of an object: the model is asked for by a name that ends in its digest. */
function placeOf(key) {
  if (!key.startsWith("models/")) return join(folder, key);
  return join(root, "pkg/model", key.endsWith(".onnx") ? "code-embed-128.int8.bin" : "tokenizer.json");
}

const SNAPSHOTS = {
  async get(key, { range, onlyIf } = {}) {
    const path = placeOf(key);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return null;
    const object = { etag: key, size: stat.size, uploaded: stat.mtime };
    if (onlyIf?.etagDoesNotMatch === key) return object;
    const offset = range?.offset ?? 0;
    const bytes = new Uint8Array(Math.min(range?.length ?? stat.size, stat.size - offset));
    const file = openSync(path, "r");
    readSync(file, bytes, 0, bytes.length, offset);
    closeSync(file);
    const pieces = async function* () {
      yield bytes;
    };
    return { ...object, body: new Response(bytes).body, pieces };
  },
};

/** Objects of shards as the front asks them: another thread answers. */
const waiting = new Map();
let n_asked = 0;
const SHARDS = {
  idFromName: (name) => name,
  get: (shard) => ({
    fetch: (url, { body }) =>
      new Promise((resolve) => {
        const id = n_asked++;
        waiting.set(id, resolve);
        parentPort.postMessage({ id, shard, url, body });
      }),
  }),
};

const context = { waitUntil: (work) => void work.catch(() => {}) };
const limits = { SHARD_MILLIS: "60000", REFRESH_SECONDS: "3600", ...(most && { MAX_SNAPSHOT_BYTES: String(most) }) };
const env = { SNAPSHOTS, ...(!isObject && { SHARDS }), ...limits };
const object = new ShardObject(context, env);

/** Bytes of the wasm's memory, which never shrinks, and of the script. */
const memory = () => ({ wasm: wasm.memory.buffer.byteLength, script: getHeapStatistics().used_heap_size });

async function answered({ id, url, body }) {
  if (url === undefined) {
    collect();
    return parentPort.postMessage({ id, answer: memory() });
  }
  const started = performance.now();
  const request = new Request(url, body && { method: "POST", body });
  const response = isObject ? await object.fetch(request) : await front.fetch(request, env, context);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const ms = performance.now() - started;
  return parentPort.postMessage({ id, answer: { status: response.status, bytes, ms, memory: memory() } });
}

parentPort.on("message", (message) => {
  if (message.answer === undefined) return void answered(message);
  const { status, bytes } = message.answer;
  waiting.get(message.id)?.(new Response(bytes, { status }));
  waiting.delete(message.id);
});
