// The Worker in the real workerd, over the wrangler.toml that is deployed, with a bucket on this machine.

import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

process.env.WRANGLER_SEND_METRICS = "false";
process.env.WRANGLER_LOG ??= "none";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const OUT = `${ROOT}target/worker-tests`;
const CONFIG = `${ROOT}crates/edge/wrangler.toml`;
export const WATCHED = `${ROOT}tests/worker/watched/wrangler.toml`;
export const LATE = `${ROOT}tests/worker/late/wrangler.toml`;
export const STOPPING = `${ROOT}tests/worker/stopping/wrangler.toml`;

/** As the native tests build it, so that nothing behind it is compiled a second time with other features. */
const BUILD = [
  "build",
  "--quiet",
  "--workspace",
  "--features",
  "portolan-embed/onnx,portolan-search/hnsw",
  "--example",
  "answers",
  "--message-format=json-render-diagnostics",
];

/** The native program that answers, built where it is not up to date. */
function program() {
  const said = execFileSync("cargo", BUILD, {
    cwd: ROOT,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 64 << 20,
  });
  const units = said
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));
  return units.find(({ target, executable }) => target?.name === "answers" && executable).executable;
}

/**
 * Files of the native engine: snapshots, and its own answers to targets.txt.
 */
export function native() {
  execFileSync(program(), [OUT], { cwd: ROOT, stdio: ["ignore", "inherit", "inherit"] });
  const read = (/** @type {string} */ name) => new Uint8Array(readFileSync(`${OUT}/${name}`));
  const lines = readFileSync(`${OUT}/answers.jsonl`, "utf8").trim().split("\n");
  return {
    own: read("own.portolan"),
    words: read("words.portolan"),
    small: read("small.portolan"),
    /** The same index in shards: the objects of a root and of its shards. @param {string} name  `sharded`: 5 shards; `many`: 32 */
    shards: (name) => {
      const names = readdirSync(OUT).filter((file) => file === `${name}.portolan` || file.startsWith(`${name}-`));
      return Object.fromEntries(names.map((file) => [file, read(file)]));
    },
    answers: lines.map((line) => JSON.parse(line)).map((line) => ({ ...line, answer: JSON.parse(line.answer) })),
    model: {
      name: readFileSync(`${OUT}/model.txt`, "utf8"),
      onnx: new Uint8Array(readFileSync(`${ROOT}crates/embed/model/code-embed-128.int8.onnx`)),
      tokenizer: new Uint8Array(readFileSync(`${ROOT}crates/embed/model/tokenizer.json`)),
    },
  };
}

/** @typedef {ReturnType<typeof native>} Native */

/**
 * A running Worker.
 * @param {Record<string, string>} [vars]  instead of those in wrangler.toml
 * @param {Record<string, Uint8Array>} [objects]  the objects in its bucket
 * @param {string} [configPath]
 */
export async function start(vars = {}, objects = {}, configPath = CONFIG) {
  if (!existsSync(`${ROOT}crates/edge/worker/wasm/edge_bg.wasm`)) {
    throw new Error("the Worker is not built: cargo xtask build edge");
  }
  // Here, and not above, so that its settings are read after they are made.
  const { createTestHarness } = await import("wrangler");
  const server = createTestHarness({ root: ROOT, workers: [{ configPath, vars }] });
  const { url } = await server.listen();
  const { SNAPSHOTS: bucket } = await server.getWorker().getEnv();
  for (const [key, bytes] of Object.entries(objects)) await bucket.put(key, bytes);
  return {
    bucket,
    url,
    /** @param {string} target  @param {object} [init] */
    fetch: (target, init) => server.fetch(target, init),
    /** @param {string} target  @param {object} [init] */
    async ask(target, init) {
      const response = await server.fetch(target, init);
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        text,
        json: text === "" ? undefined : JSON.parse(text),
      };
    },
    logs: () => server.getLogs(),
    close: () => server.close(),
  };
}

/**
 * Calls a tool over MCP.
 * @param {Pick<Awaited<ReturnType<typeof start>>, "fetch">} worker
 * @param {string} name
 * @param {object} args
 * @param {string} [path]
 */
export async function callTool(worker, name, args, path = "/mcp") {
  const response = await worker.fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }),
  });
  const sent = await response.text();
  // One message, in an event where the answer is a stream of them.
  const { result } = JSON.parse(sent.startsWith("{") ? sent : (/^data: (.*)$/m.exec(sent)?.[1] ?? sent));
  return { text: result.content[0].text, answer: result.structuredContent, isError: result.isError === true };
}

/**
 * As [start], for one test: closed whatever happens, since an open one keeps the runner waiting.
 * @param {Record<string, string>} vars
 * @param {Record<string, Uint8Array>} objects
 * @param {(worker: Awaited<ReturnType<typeof start>>) => Promise<void>} use
 * @param {string} [configPath]
 */
export async function within(vars, objects, use, configPath) {
  const worker = await start(vars, objects, configPath);
  try {
    await use(worker);
  } finally {
    await worker.close();
  }
}
