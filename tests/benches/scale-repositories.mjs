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

import { makeTokens, ROOT, startWorkerd } from "../../tools/edge/workerd.mjs";
import { questions } from "./questions.mjs";
import { quantile } from "./times.mjs";

/** The largest number that one request asks: see `MOST_REPOSITORIES` of several.mjs. */
const MOST = 10_000;
/** Its groups, and the milliseconds that it has: `groupsOf` and `ALL_MILLIS` of several.mjs. */
const [GROUP, DEADLINE] = [32, 10_000];
const N_WARM = 10;
/** Fewer repositories cost less than times vary. */
const LEAST_TO_TELL = 100;
/** Searches that find no repository late any more are warm; a cold one does not reach all of them in time. */
const MOST_COLD = 20;
/** Locally all objects share one isolate. On Cloudflare a group has one of its own, which holds all of its repositories. */
const VARS = { ACCESS: "tokens", RATE_PER_MINUTE: "100000000", MAX_SNAPSHOT_BYTES: String(2 ** 30) };

const middle = (times) => quantile(times, 0.5);

/** A snapshot of the sources of one crate. */
function small(world) {
  const out = join(world, "small.portolan");
  const cli = join(ROOT, "pkg/bin/portolan.js");
  execFileSync(process.execPath, [cli, "index", join(ROOT, "crates/seal"), "-o", out, "-q"], {
    cwd: world,
    env: { ...process.env, PORTOLAN_NATIVE: "no" },
  });
  return readFileSync(out);
}

/** The tables for these numbers of repositories, as Markdown. */
export async function measureRepositories(sizes) {
  const world = mkdtempSync(join(tmpdir(), "portolan-repositories-"));
  let worker;
  try {
    const file = small(world);
    const state = join(world, "state");
    const { admin } = await makeTokens(state, ["admin"]);
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
      for (; n_there < size; n_there++) await ask(`/v1/repos/small%2F${n_there}`, { method: "PUT", body: file });
      rows.push(await measured(ask, size));
    }
    return tables(rows, file.length);
  } finally {
    await worker?.stop();
    rmSync(world, { recursive: true, force: true });
  }
}

/** Searches of this many repositories: none is asked twice but the last, since answers are kept. */
async function measured(ask, size) {
  let n_asked = 0;
  const address = () => {
    const words = `${questions[n_asked % questions.length]} ${size} ${n_asked++}`;
    return `/v1/search?repo=*&limit=10&q=${encodeURIComponent(words)}`;
  };
  const first = await ask(address());
  const late = first.json.late?.n_repositories ?? 0;
  let n_cold = 1;
  for (let left = late; left > 0 && n_cold < MOST_COLD; n_cold++)
    left = (await ask(address())).json.late?.n_repositories ?? 0;
  const [warm, lists, kept] = [[], [], []];
  let path = "";
  for (let n = 0; n < N_WARM; n++) {
    path = address();
    const { ms, json } = await ask(path);
    if (json.n_repositories !== size || json.late !== undefined || json.failed !== undefined)
      throw new Error(`${size} repositories: ${JSON.stringify({ ...json, hits: undefined }).slice(0, 300)}`);
    warm.push(ms);
    lists.push((await ask("/v1/repos")).ms);
  }
  for (let n = 0; n < N_WARM; n++) kept.push((await ask(path)).ms);
  return { size, first: first.ms, late, n_cold, warm, kept, lists };
}

function tables(rows, n_bytes) {
  const row = ({ size, first, late, n_cold, warm, kept, lists }) => {
    const times = [middle(lists), first].map((ms) => ms.toFixed(0));
    const warmed = [middle(warm), quantile(warm, 0.95)].map((ms) => ms.toFixed(0));
    return `| ${[size, ...times, late, n_cold, ...warmed, middle(kept).toFixed(1)].join(" | ")} |`;
  };
  return `Every repository is the same small one (${(n_bytes / 1e3).toFixed(0)} kB), asked in groups. Answers that are asked for again are kept for a minute: the columns before
the last ask for something new each time.

| repositories | \`/v1/repos\` p50 | \`repo=*\` first | late in it | searches until none is late | \`repo=*\` p50 | p95 | the same again p50 |
|--:|--:|--:|--:|--:|--:|--:|--:|
${rows.map(row).join("\n")}

${forMost(rows)}`;
}

/** The growth applied to the largest number: on one machine, which all groups share, and where each group has a processor. */
function forMost(rows) {
  const [one, last] = [rows[0], rows.at(-1)];
  if (one === undefined || last === undefined || last.size < LEAST_TO_TELL || one === last)
    return `Growth is told from ${LEAST_TO_TELL} repositories on: fewer cost less than times vary.`;
  const each = (of) => (of(last) - of(one)) / (last.size - one.size);
  const [warm, list] = [each(({ warm }) => middle(warm)), each(({ lists }) => middle(lists))];
  const [all, listed] = [MOST * warm, MOST * list].map((ms) => ms / 1000);
  let n_groups = 1;
  while (n_groups * GROUP < MOST) n_groups *= 2;
  const group = (GROUP * warm) / 1000;
  const fits = all * 1000 < DEADLINE ? "within" : "beyond";
  return `From ${one.size} to ${last.size} a further repository costs ${warm.toFixed(2)} ms of a warm search and ${list.toFixed(2)} ms of the list. At that rate ${MOST.toLocaleString("en")} repositories take
${all.toFixed(1)} s of one machine for a search, ${fits} its deadline of ${DEADLINE / 1000} s, and ${listed.toFixed(1)} s for the list. On Cloudflare each of their ${n_groups} groups has an object of its own: a
group of ${GROUP} takes ${group.toFixed(2)} s at that rate, and all groups are asked at once; the way to them was not measured.`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { sizes: { type: "string", default: "1,10,100,1000" } } });
  const sizes = values.sizes.split(",").map(Number);
  if (!sizes.every((size, at) => Number.isSafeInteger(size) && size > (sizes[at - 1] ?? 0) && size <= MOST))
    throw new Error("--sizes: whole numbers, each larger than the one before");
  // The server is a process group of its own, which ends with this process.
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
  console.log(await measureRepositories(sizes));
}
