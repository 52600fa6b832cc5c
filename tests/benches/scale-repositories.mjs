// How a search of every repository (`repo=*`) and the list of repositories grow with their number, in local workerd:
//   node tests/benches/scale-repositories.mjs [--sizes 1,10,100,1000]
// Needs Node 22 and `cargo xtask build`. Prints Markdown; `cargo xtask bench scale` runs it as a part of its bench.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { makeTokens, putModel, ROOT, startWorkerd } from "../../tools/edge/workerd.mjs";
import { questions } from "./questions.mjs";
import { OURS } from "./scale-model.mjs";
import { quantile } from "./times.mjs";

/** Fewer repositories cost less than times vary. */
const LEAST_TO_TELL = 100;
/** Searches of as many repositories. The more there are, the longer each takes. */
const searchesOf = (size) => (size < 20 ? 100 : size < 500 ? 20 : 10);
/** The memory limit and the deadline are those of the deployed Worker. */
const VARS = { ACCESS: "tokens", RATE_PER_MINUTE: "100000000" };

const middle = (times) => quantile(times, 0.5);

/** An index of the package's sources. */
function sample(world) {
  const out = join(world, "sample.portolan");
  const cli = join(ROOT, "pkg/bin/portolan.js");
  const run = (...args) =>
    execFileSync(process.execPath, [cli, ...args], {
      cwd: world,
      encoding: "utf8",
      env: { ...process.env, PORTOLAN_NATIVE: "no" },
    });
  run("index", join(ROOT, "pkg/src"), "-o", out, "-q");
  const { n_chunks } = JSON.parse(run("status", "-i", out, "--json"));
  return { file: readFileSync(out), n_chunks };
}

/** The tables for these numbers of repositories, as Markdown. */
export async function measureRepositories(sizes) {
  const world = mkdtempSync(join(tmpdir(), "portolan-repositories-"));
  let worker;
  try {
    const { file, n_chunks } = sample(world);
    const state = join(world, "state");
    const { admin } = await makeTokens(state, ["admin"]);
    await putModel(state);
    worker = await startWorkerd({ state, vars: VARS });
    const ask = async (path, init = {}) => {
      const started = performance.now();
      const response = await fetch(`${worker.url}${path}`, { ...init, headers: { authorization: `Bearer ${admin}` } });
      const json = await response.json();
      if (!response.ok) throw new Error(`${path}: ${response.status} ${json.code} ${json.message}`);
      return { ms: performance.now() - started, json };
    };
    const rows = [];
    let n_there = 0;
    for (const size of sizes) {
      for (; n_there < size; n_there++) await ask(`/v1/repos/sample%2F${n_there}`, { method: "PUT", body: file });
      rows.push(await measured(ask, size));
    }
    return tables(rows, { n_bytes: file.length, n_chunks });
  } finally {
    await worker?.stop();
    rmSync(world, { recursive: true, force: true });
  }
}

/** Searches of this many repositories: each has words of its own and is computed; then the last complete one is asked again, and is kept. */
async function measured(ask, size) {
  let n_asked = 0;
  const search = async (address = undefined) => {
    const words = `${questions[n_asked % questions.length]} ${size} ${n_asked++}`;
    const path = address ?? `/v1/search?repo=*&limit=10&q=${encodeURIComponent(words)}`;
    const { ms, json } = await ask(path);
    if (json.n_repositories !== size || json.failed !== undefined)
      throw new Error(`${size} repositories: ${JSON.stringify({ ...json, hits: undefined }).slice(0, 300)}`);
    return { ms, path, late: json.late?.n_repositories ?? 0 };
  };
  const first = await search();
  const [computed, lists] = [[], []];
  for (let n = 0; n < searchesOf(size); n++) {
    computed.push(await search());
    if (n < 20) lists.push((await ask("/v1/repos")).ms);
  }
  // Only complete answers are kept.
  const last = computed.findLast(({ late }) => late === 0);
  const kept = [];
  if (last) await search(last.path);
  for (let n = 0; last && n < 100; n++) kept.push((await search(last.path)).ms);
  const [times, late] = [computed.map(({ ms }) => ms), computed.map(({ late }) => late)];
  return { size, first, times, late, kept, lists };
}

function tables(rows, { n_bytes, n_chunks }) {
  const both = (times, digits) =>
    times.length === 0 ? "none, none" : [0.5, 0.95].map((share) => quantile(times, share).toFixed(digits)).join(", ");
  const row = ({ size, first, times, late, kept, lists }) => {
    const searched = [first.ms.toFixed(0), first.late, times.length, both(times, 0), middle(late)];
    return `| ${[size, ...searched, both(kept, 1), both(lists, 0)].join(" | ")} |`;
  };
  return `Every repository is the same one (${n_chunks.toLocaleString("en")} chunks, ${(n_bytes / 1e6).toFixed(1)} MB), with a login, the deployed memory limit and deadline (${OURS.all_s} s). Each computed answer has words of its
own. A kept one is a question that was asked within the last minute. All groups share one isolate here, in which some twelve repositories fit; on
Cloudflare each has its own. Milliseconds, p50 and p95:

| repositories | first | not reached in it | computed answers | \`repo=*\` computed | not reached, p50 | \`repo=*\` kept | \`/v1/repos\` |
|--:|--:|--:|--:|--:|--:|--:|--:|
${rows.map(row).join("\n")}

${forGroups(rows)}`;
}

/** The time of a group on Cloudflare: the growth while all are open, and that from ten to a hundred, most of which have to be opened. */
function forGroups(rows) {
  const of = (wanted) => rows.find(({ size }) => size === wanted);
  const [one, ten, many] = [of(1), of(10), of(LEAST_TO_TELL)];
  if (one === undefined || ten === undefined || many === undefined)
    return `Growth is told where 1, 10 and ${LEAST_TO_TELL} repositories were measured.`;
  const each = (less, more) => (middle(more.times) - middle(less.times)) / (more.size - less.size);
  const open = each(one, ten);
  const closed = middle(many.times) / (many.size - middle(many.late));
  const group = (ms) => ((OURS.fitting * ms) / 1000).toFixed(2);
  return `A further open repository costs ${open.toFixed(1)} ms of a search, one that has to be opened ${closed.toFixed(0)} ms, on this machine and from this bucket. At that rate a group of ${OURS.fitting}, the most
that groups have on average with a login, takes ${group(open)} s if all are open and ${group(closed)} s if none is. All groups are asked at once; the way to them, and the bucket
over the network, were not measured.`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { sizes: { type: "string", default: "1,10,100,1000" } } });
  const sizes = values.sizes.split(",").map(Number);
  if (
    !sizes.every(
      (size, at) => Number.isSafeInteger(size) && size > (sizes[at - 1] ?? 0) && size <= OURS.searched_at_once,
    )
  )
    throw new Error("--sizes: whole numbers, each larger than the one before");
  // The server is a process group of its own, which ends with this process.
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
  console.log(await measureRepositories(sizes));
}
