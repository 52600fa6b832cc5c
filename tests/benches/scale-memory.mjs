// Memory of an index in shards of 100,000 chunks, each shard in an isolate of its own, as a Durable Object holds it:
//   node tests/benches/scale-memory.mjs --native PROGRAM --sources FOLDER [--shards 2] [--least 100000]
// Needs `cargo xtask build`. Prints Markdown; `cargo xtask bench scale` runs it as a part of its bench.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";

import { questions } from "./questions.mjs";
import { quantile } from "./times.mjs";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** The goal for the isolate of a shard, and the chunks that it has at least. */
const GOAL_MB = 100;
const CHUNKS = 100_000;
const N_SHARDS = 2;
const N_ROUNDS = 3;

const megabytes = (n_bytes) => (n_bytes / 1e6).toFixed(1);

/**
 * A thread that answers requests as an isolate does, and tells its memory for none; `ask` is asked for other isolates.
 * @param {{ folder: string, isObject: boolean, most?: number, ask?: (shard: string, url: string, body: Uint8Array) => Promise<any> }} options
 */
function startIsolate({ folder, isObject, most, ask }) {
  const worker = new Worker(new URL("./scale-isolate.mjs", import.meta.url), {
    workerData: { root: ROOT, folder, isObject, most },
  });
  const waiting = new Map();
  const times = [];
  const own = { first: undefined, times };
  worker.on("message", async ({ id, answer, shard, url, body }) => {
    if (answer === undefined) return worker.postMessage({ id, answer: await ask(shard, url, body) });
    own.first ??= answer;
    if (answer.ms !== undefined) times.push(answer.ms);
    waiting.get(id).resolve(answer);
    return waiting.delete(id);
  });
  worker.on("error", (error) => {
    for (const { reject } of waiting.values()) reject(error);
  });
  let n_asked = 0;
  const fetch = (url, body) =>
    new Promise((resolve, reject) => {
      const id = n_asked++;
      waiting.set(id, { resolve, reject });
      worker.postMessage({ id, url, body });
    });
  return Object.assign(own, { fetch, stop: () => worker.terminate() });
}

const json = ({ bytes }) => JSON.parse(new TextDecoder().decode(bytes));

/** The status of an object of the bucket, asked of an isolate that is gone afterwards. */
async function statusOf(folder, name) {
  const isolate = startIsolate({ folder, isObject: false });
  try {
    return json(await isolate.fetch(`https://worker/v1/status?repo=${encodeURIComponent(name)}`));
  } finally {
    await isolate.stop();
  }
}

/** A limit of memory that nothing reaches, to see how much is needed where the Worker's own refuses. */
const NO_LIMIT = 2 ** 30;

/**
 * The tables, as Markdown: with the variables as they are by default, and without the limit of memory.
 * @param {{ native: string, sources: string, n_shards?: number, least?: number }} options  the native program, a folder of sources that has
 *   `least` chunks for each shard
 */
export async function measureMemory({ native, sources, n_shards = N_SHARDS, least = CHUNKS }) {
  const folder = mkdtempSync(join(tmpdir(), "portolan-memory-"));
  try {
    const root = join(folder, "large.portolan");
    execFileSync(native, ["index", sources, "-o", root, "--shards", String(n_shards), "--json"], { cwd: folder });
    const limited = await measured(folder, undefined);
    const free = await measured(folder, NO_LIMIT);
    return tables(limited, free, least);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Isolates after all searches, and their refusals. */
async function measured(folder, most) {
  const isolates = [];
  try {
    const shards = new Map();
    const begin = (options) => {
      const isolate = startIsolate({ folder, most, ...options });
      isolates.push(isolate);
      return isolate;
    };
    const ask = (name, url, body) => {
      if (!shards.has(name)) shards.set(name, begin({ isObject: true }));
      return shards.get(name).fetch(url, body);
    };
    const front = begin({ isObject: false, ask });
    const refused = await askAll(front);
    const rows = [];
    for (const [name, isolate] of shards) {
      const { n_chunks, n_files } = await statusOf(folder, name);
      rows.push({ name: `shard of ${n_files} files`, n_chunks, isolate, path: join(folder, `${name}.portolan`) });
    }
    const { n_chunks } = await statusOf(folder, "large");
    rows.push({
      name: `front of ${shards.size} shards`,
      n_chunks,
      isolate: front,
      path: join(folder, "large.portolan"),
    });
    const n_files = readdirSync(folder).length - 1;
    // A front that keeps to its limit may refuse all questions; without one it has to ask every shard.
    if (shards.size !== n_files && most !== undefined)
      throw new Error(`${shards.size} of ${n_files} shards were asked: ${[...refused.keys()]}`);
    for (const row of rows) row.memory = await row.isolate.fetch();
    return { rows, refused };
  } finally {
    await Promise.all(isolates.map((isolate) => isolate.stop()));
  }
}

/** Asks the front each question several times; returns the refusals. */
async function askAll(front) {
  const refused = new Map();
  for (let n = 0; n < N_ROUNDS; n++)
    for (const query of questions) {
      const answer = await front.fetch(`https://worker/v1/search?repo=large&limit=10&q=${encodeURIComponent(query)}`);
      const { code, message, missing_shards = [] } = json(answer);
      for (const fault of answer.status === 200 ? missing_shards : [{ code, message }])
        refused.set(`${fault.code}: ${fault.message}`, 1 + (refused.get(`${fault.code}: ${fault.message}`) ?? 0));
    }
  return refused;
}

/** A line of a table. */
function line({ name, n_chunks, isolate, memory, path }) {
  const { first, times } = isolate;
  const warm = times.slice(Math.floor(times.length / N_ROUNDS));
  const [p50, p95] = [0.5, 0.95].map((share) => quantile(warm, share)?.toFixed(1) ?? "–");
  const parts = [memory.wasm, memory.script, memory.wasm + memory.script].map(megabytes);
  return `| ${name} | ${n_chunks?.toLocaleString("en") ?? "refused"} | ${megabytes(statSync(path).size)} | ${megabytes(first.memory.wasm)} | ${parts.join(" | ")} | ${p50}, ${p95} |`;
}

function table({ rows, refused }) {
  const faults = [...refused].map(([fault, n]) => `- ${n} × \`${fault.replaceAll("`", "'")}\``);
  const wrong = faults.length > 0 ? `\n\nParts of answers that were refused:\n\n${faults.join("\n")}` : "";
  return `| isolate | chunks | file | wasm, first | wasm, last | script | together | p50, p95 |
|---|--:|--:|--:|--:|--:|--:|--:|
${rows.map(line).join("\n")}${wrong}`;
}

/** Whether the shards that are large enough meet the goal. */
function verdict(limited, free, least) {
  const large = free.rows.slice(0, -1).filter(({ n_chunks }) => n_chunks >= least);
  if (large.length === 0)
    return `No shard has ${least.toLocaleString("en")} chunks, so this says nothing of the goal of ${GOAL_MB} MB.`;
  const most = Math.max(...large.map(({ memory }) => memory.wasm + memory.script));
  const is_met = most < GOAL_MB * 1e6 ? "is met" : "is missed";
  const by_default =
    limited.refused.size > 0 ? "; with the limit that the Worker has by default, what is listed above is refused" : "";
  return `The goal of ${GOAL_MB} MB for a shard of ${least.toLocaleString("en")} chunks or more ${is_met}: at most ${megabytes(most)} MB${by_default}.`;
}

function tables(limited, free, least) {
  return `Memory in MB of isolates that hold an index in shards, and milliseconds of their answers to warm requests (a shard's are rounds of a search), after
${questions.length} searches asked ${N_ROUNDS} times over. With the variables as they are by default:

${table(limited)}

Without the limit of memory:

${table(free)}

${verdict(limited, free, least)}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      native: { type: "string" },
      sources: { type: "string" },
      shards: { type: "string", default: String(N_SHARDS) },
      least: { type: "string", default: String(CHUNKS) },
    },
  });
  const { native, sources } = values;
  if (native === undefined || sources === undefined)
    throw new Error("--native PROGRAM and --sources FOLDER are missing");
  const [n_shards, least] = [Number(values.shards), Number(values.least)];
  console.log(await measureMemory({ native, sources, n_shards, least }));
}
