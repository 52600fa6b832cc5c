// The Worker as a process: real workerd under wrangler, over crates/edge/wrangler.toml or another configuration, with its bucket and Durable
// Objects in a folder, so that it can be killed and started again. `cargo xtask edge dev`, benches and tests use it. wrangler needs Node 22.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { R2Store, createToken } from "../../pkg/dist/entry/shared.js";

process.env.WRANGLER_SEND_METRICS = "false";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const CONFIG = join(ROOT, "crates/edge/wrangler.toml");
const BUCKET = join(ROOT, "tools/edge/bucket.toml");
const WRANGLER = join(ROOT, "node_modules/wrangler/bin/wrangler.js");
const START_MS = 180_000;
const STOP_MS = 10_000;

/** Does something with the bucket of a state folder while no Worker uses it. */
export async function withBucket(state, use) {
  process.env.WRANGLER_LOG ??= "error";
  const { getPlatformProxy } = await import("wrangler");
  const proxy = await getPlatformProxy({ configPath: BUCKET, persist: { path: join(state, "v3") } });
  try {
    return await use(proxy.env.SNAPSHOTS);
  } finally {
    await proxy.dispose();
  }
}

/** Makes tokens, by the names of their scopes. */
export function makeTokens(state, scopes = ["read", "write", "admin"]) {
  return withBucket(state, async (bucket) => {
    const store = new R2Store(bucket);
    const made = {};
    for (const scope of scopes)
      made[scope] = (await createToken(store, { name: scope, scope, repositories: ["**"] })).token;
    return made;
  });
}

/** Puts the model beside the indexes, under the name by which they ask for it. */
export async function putModel(state) {
  const { initSync, StaticModel } = await import("../../pkg/wasm/reader.js");
  initSync({ module: readFileSync(join(ROOT, "pkg/wasm/reader_bg.wasm")) });
  const [onnx, tokenizer] = ["code-embed-128.int8.bin", "tokenizer.json"].map((file) =>
    readFileSync(join(ROOT, "pkg/model", file)),
  );
  const model = new StaticModel(onnx, tokenizer);
  const { name } = model;
  model.free();
  await withBucket(state, async (bucket) => {
    await bucket.put(`models/${name}.onnx`, new Uint8Array(onnx));
    await bucket.put(`models/${name}.tokenizer.json`, new Uint8Array(tokenizer));
  });
}

/**
 * Starts it. `kill` ends it at once, with everything that it started; `stop` lets it end by itself.
 * @param {{ state: string, port?: number, vars?: Record<string, string>, assets?: string, config?: string, node?: string,
 *   onLine?: (line: string) => void }} options `node` is the program that runs wrangler, where this process is an older one.
 */
export async function startWorkerd(options) {
  const { state, port, vars = {}, assets, config = CONFIG, node = process.execPath, onLine = () => {} } = options;
  const taken = port || (await freePort());
  const args = [WRANGLER, "dev", "--config", config, "--ip", "127.0.0.1", "--port", String(taken)];
  args.push("--inspector-port", String(await freePort()), "--persist-to", state);
  args.push("--show-interactive-dev-session", "false", "--log-level", "log");
  for (const [name, value] of Object.entries(vars)) args.push("--var", `${name}:${value}`);
  if (assets !== undefined) args.push("--assets", assets);
  // A group of its own: workerd is a child of a child.
  const child = spawn(node, args, { cwd: ROOT, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const lines = [];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text) => {
      for (const line of text.split("\n").filter((line) => line.trim() !== "")) {
        lines.push(line);
        if (lines.length > 2000) lines.shift();
        onLine(line);
      }
    });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const signalled = (signal) => {
    try {
      process.kill(-child.pid, signal);
    } catch {
      // it has ended
    }
  };
  const kill = async () => {
    signalled("SIGKILL");
    await ended;
  };
  const atExit = () => signalled("SIGKILL");
  process.once("exit", atExit);
  ended.then(() => process.removeListener("exit", atExit));
  const stop = async () => {
    signalled("SIGTERM");
    await Promise.race([ended, pause(STOP_MS, undefined, { ref: false })]);
    await kill();
  };
  const url = `http://127.0.0.1:${taken}`;
  try {
    await answering(url, child, lines);
  } catch (error) {
    await kill();
    throw error;
  }
  return { url, pid: child.pid, lines, stop, kill, ended };
}

async function answering(url, child, lines) {
  const deadline = Date.now() + START_MS;
  while (Date.now() < deadline && child.exitCode === null) {
    const isThere = await fetch(`${url}/healthz`).then(
      async (response) => {
        await response.arrayBuffer();
        return response.ok;
      },
      () => false,
    );
    if (isThere) return;
    await pause(100);
  }
  throw new Error(`the Worker did not start:\n${lines.slice(-20).join("\n")}`);
}

/** A port that nobody listens on at this moment. */
export async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
