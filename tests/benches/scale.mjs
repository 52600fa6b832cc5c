// Measures a server of shared indexes in local workerd, and computes from that what it costs and what breaks first:
//   node tests/benches/scale.mjs [--seconds 60] [--clients 200] [--repositories 100] [--eur 0.86] [--native PROGRAM] [--sources FOLDER] [--out FILE]
// Needs Node 22 and `cargo xtask build`. Loopback only; it ends by itself. Prints Markdown. `cargo xtask bench scale` runs it for 300 s with
// 200 clients, and puts what it prints into docs/benchmarks.md.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { makeTokens, putModel, ROOT, startWorkerd } from "../../tools/edge/workerd.mjs";
import { measureMemory } from "./scale-memory.mjs";
import { measureOperations } from "./scale-operations.mjs";
import { measureRepositories } from "./scale-repositories.mjs";
import { GOAL_MS, measureShards } from "./scale-shards.mjs";
import { groupsOfAll, HABITS, LIMITS, limitsOf, month, OURS, PRICES } from "./scale-model.mjs";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    clients: { type: "string", default: "200" },
    repositories: { type: "string", default: "100" },
    /** Euros for a dollar: an assumption, to be replaced by the rate of the day. */
    eur: { type: "string", default: "0.86" },
    /** The native program, which makes an index in shards; without it searches over shards are not measured. */
    native: { type: "string" },
    /** Sources with 100,000 chunks for each of two shards; without them their memory is not measured. */
    sources: { type: "string" },
    out: { type: "string" },
  },
});
const [seconds, n_clients, n_repositories, eur] = ["seconds", "clients", "repositories", "eur"].map((name) => {
  const number = Number(values[name]);
  if (!(number > 0)) throw new Error(`--${name} ${values[name]}: expected a number above 0`);
  return number;
});
if (seconds > 600) throw new Error("--seconds: at most 600");
const BIG = "this/repository";
/** The sources of the package alone: what a smaller index takes. */
const SMALL = "this/package";
const world = mkdtempSync(join(tmpdir(), "portolan-scale-"));

/** The index of a commit of this repository, made by the command line. */
function indexOf(commit) {
  const clone = join(world, "clone");
  const git = (...args) => execFileSync("git", args, { stdio: ["ignore", "pipe", "ignore"] });
  rmSync(clone, { recursive: true, force: true });
  git("clone", "-q", ROOT, clone);
  git("-C", clone, "checkout", "-q", "--detach", commit);
  return indexed(clone);
}

function indexed(folder) {
  const out = join(world, "made.portolan");
  execFileSync(process.execPath, [join(ROOT, "pkg/bin/portolan.js"), "index", folder, "-o", out, "-q"], {
    cwd: world,
    env: { ...process.env, PORTOLAN_NATIVE: "no" },
  });
  return readFileSync(out);
}

/** A share of sorted numbers, in milliseconds. */
const quantile = (sorted, share) =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;

function row(name, times, more = "") {
  const sorted = [...times].sort((a, b) => a - b);
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => quantile(sorted, share).toFixed(1));
  return `| ${name} | ${sorted.length} | ${p50} | ${p95} | ${p99} | ${sorted.at(-1)?.toFixed(1)} |${more}`;
}

const queriesOf = (repo, name, called) => [
  ["search", `/v1/search?repo=${repo}&q=read+a+section+of+the+snapshot&limit=10`],
  ["search, words", `/v1/search?repo=${repo}&q=snapshot+section&mode=lexical&limit=10`],
  ["symbol", `/v1/symbol?repo=${repo}&name=${name}`],
  ["callers", `/v1/symbol?repo=${repo}&name=${called}&view=callers&depth=2`],
];
const queries = queriesOf(BIG, "Snapshot", "parse");

/** Figures of a server of one repository. */
async function ofServer() {
  const [before, now] = [indexOf("HEAD~1"), indexOf("HEAD")];
  const measured = await measureOperations(before, now, "read a section of the snapshot");
  const state = join(world, "state");
  const tokens = await makeTokens(state, ["admin"]);
  await putModel(state);
  // The complaints of the server explain an error that a client saw.
  const complaints = new Map();
  const onLine = (line) => /^portolan:|Uncaught|Error/.test(line) && count(complaints, line.slice(0, 300));
  const worker = await startWorkerd({ state, vars: { ACCESS: "tokens", RATE_PER_MINUTE: "100000000" }, onLine });
  const ask = async (path, init = {}) => {
    const started = performance.now();
    const headers = { authorization: `Bearer ${tokens.admin}` };
    const response = await fetch(`${worker.url}${path}`, { ...init, headers });
    const bytes = await response.arrayBuffer();
    return { ms: performance.now() - started, status: response.status, bytes };
  };
  try {
    const small = indexed(join(world, "clone/pkg/src"));
    for (const [repo, body] of [
      [BIG, now],
      [SMALL, small],
    ]) {
      const put = await ask(`/v1/repos/${encodeURIComponent(repo)}`, { method: "PUT", body });
      if (put.status !== 201) throw new Error(`the index was not taken: ${put.status}`);
    }
    const chunksOf = async (repo) =>
      JSON.parse(new TextDecoder().decode((await ask(`/v1/status?repo=${repo}`)).bytes)).n_chunks;
    const alone = [
      ...(await oneAtATime(ask, queriesOf(SMALL, "Versions", "reply"), await chunksOf(SMALL))),
      ...(await oneAtATime(ask, queries, await chunksOf(BIG))),
    ];
    const load = await atOnce(ask);
    if (load.faults.size > 0) console.error([...complaints].map(([line, n]) => `${n} × ${line}`).join("\n"));
    const places = { native: values.native, sources: join(world, "clone"), world, whole: BIG };
    const shards = values.native === undefined ? undefined : await measureShards(ask, places);
    return { measured, alone, load, shards };
  } finally {
    await worker.stop();
  }
}

async function main() {
  const { measured, ...server } = await ofServer();
  const many = await measureRepositories([1, 10, 100, 1000].filter((size) => size <= n_repositories));
  const { native, sources } = values;
  const memory = native && sources ? await measureMemory({ native, sources }) : undefined;
  return report(measured, { ...server, many, memory });
}

async function oneAtATime(ask, asked, n_chunks) {
  const rows = [];
  for (const [name, path] of asked) {
    const first = await ask(path);
    const times = [];
    for (let n = 0; n < 200; n++) {
      const { ms, status } = await ask(path);
      if (status !== 200) throw new Error(`${path}: ${status}`);
      times.push(ms);
    }
    rows.push(row(`${n_chunks.toLocaleString("en")} | ${name}`, times, ` ${first.ms.toFixed(0)} |`));
  }
  return rows;
}

/** Clients that ask without a pause until the time is over. */
async function atOnce(ask) {
  const [statuses, times, faults] = [new Map(), [], new Map()];
  const deadline = Date.now() + seconds * 1000;
  const client = async (_, n) => {
    for (let at = n; Date.now() < deadline; at++) {
      try {
        const { ms, status, bytes } = await ask(queries[at % queries.length][1]);
        times.push(ms);
        count(statuses, status);
        if (status !== 200 && status !== 429)
          count(faults, `${status} ${new TextDecoder().decode(bytes).slice(0, 200)}`);
      } catch (error) {
        count(statuses, "no answer");
        count(faults, `${error.message}: ${error.cause?.code ?? error.cause?.message ?? ""}`);
      }
    }
  };
  await Promise.all(Array.from({ length: n_clients }, client));
  if (faults.size > 0) process.exitCode = 1;
  return { times, statuses, faults };
}

/** Counts one more of a key. */
function count(counts, key) {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

const LIMITS_SHOWN = 4;
const SIZES = [
  { repositories: 1, people: 5, chunks: 10_000 },
  { repositories: 100, people: 100, chunks: 1_000_000 },
  { repositories: 10_000, people: 1000, chunks: 100_000_000 },
];

function report(measured, { alone, load, many, shards, memory }) {
  const counts = [...load.statuses].map(([status, n]) => `${n.toLocaleString("en")} of ${status}`).join(", ");
  const fault = ([text, n]) => `- ${n.toLocaleString("en")} of \`${text.replaceAll("`", "'").replaceAll("\n", " ")}\``;
  const wrong = load.faults.size > 0 ? `\n\nErrors other than 429:\n\n${[...load.faults].map(fault).join("\n")}` : "";
  const per_s = (load.times.length / seconds).toFixed(0);
  const money = (dollars) => (dollars * eur).toFixed(dollars * eur < 100 ? 2 : 0);
  const millions = (n) => (n / 1e6).toFixed(1);
  const months = SIZES.map((size) => {
    const { parts, dollars, requests, bytes, a, b, all, objects } = month(size, measured);
    const limits = limitsOf(size, measured);
    const { n_groups, cold_s } = groupsOfAll(size, measured);
    const shown = [parts.plan, parts.requests + parts.cpu, parts.objects, parts.storage, parts.operations].map(money);
    return {
      cost: `| ${[size.repositories, size.people, millions(size.chunks), (bytes / 1e9).toFixed(1), millions(requests), millions(a), millions(b), ...shown, `**${money(dollars)}**`].join(" | ")} |`,
      all: `| ${[size.repositories, n_groups, cold_s.toFixed(1), Math.round(all.b_of_cold).toLocaleString("en"), `$${all.dollars_of_cold.toFixed(4)}`, Math.round(all.n).toLocaleString("en"), `${(all.cold * 100).toFixed(0)} %`].join(" | ")} |`,
      objects: `| ${[size.repositories, ...Object.values(objects).map(({ requests, gb_s }) => `${millions(requests)}, ${Math.round(gb_s).toLocaleString("en")}`)].join(" | ")} |`,
      limits: limits
        .slice(0, LIMITS_SHOWN)
        .map(
          ({ what, share, then }) =>
            `| ${size.repositories} | ${what} | ${(share * 100).toFixed(share < 0.1 ? 1 : 0)} % | ${then} |`,
        ),
    };
  });
  const { push, pull, cold, warm, cpu_ms } = measured;
  return `Local workerd, one machine for server and clients, this repository (${measured.chunks.toLocaleString("en")} chunks, ${(measured.bytes / 1e6).toFixed(1)} MB) and the package alone, a token
with every request. One client, milliseconds as it measures them; the Worker keeps no answers of one repository, so each is computed:

| chunks | query | number | p50 | p95 | p99 | most | first |
|--:|---|--:|--:|--:|--:|--:|--:|
${alone.join("\n")}

${n_clients} clients without a pause for ${seconds} s: ${per_s} answers a second (${counts}).${wrong}

| query | number | p50 | p95 | p99 | most |
|---|--:|--:|--:|--:|--:|
${row("all four in turn", load.times)}

${many}

${shardTable(shards)}

${memory ?? "Memory of shards was not measured: no sources with enough chunks were given."}

Bucket operations that cost, writes and lists / reads: a push of the next commit ${push.a} / ${push.b} in ${push.requests} requests, a pull ${pull.a} / ${pull.b} in ${pull.requests}, a query of a repository that
is not open ${cold.a} / ${cold.b}, of one that is ${warm.a} / ${warm.b}. Processor time of a query ${cpu_ms.warm.toFixed(1)} ms, of the first one ${cpu_ms.cold.toFixed(0)} ms, of other requests ${cpu_ms.other.toFixed(1)} ms.
The next version had ${(measured.new_bytes / 1e6).toFixed(2)} MB of new pieces; a search needs ${(measured.needed_bytes / 1e6).toFixed(1)} MB of memory.

The model: ${HABITS.queries} queries, ${HABITS.searches_of_all} searches of every repository and ${HABITS.pulls} pulls a day for each person, ${HABITS.pushes} pushes a day for each repository, ${HABITS.days} days of ${HABITS.hours} hours,
${HABITS.kept} versions kept, ${HABITS.warm * 100} % of queries warm, ${HABITS.sharded * 100} % of an index in ${HABITS.shards} shards; €${eur} for a dollar. Euros a month:

| repositories | people | M chunks | GB | M requests | M writes | M reads | plan | Worker | Durable Objects | storage | operations | sum |
|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
${months.map(({ cost }) => cost).join("\n")}

A search of every repository of which none is open. It has groups, each with seconds as the model has them (${HABITS.read_ms} ms a read, ${OURS.reads_at_once} at once), reads, and a price beyond
what is included; then the searches of a month, and how many of them find the objects removed, which an object is after ${LIMITS.object_idle_s} s without a request:

| repositories | groups | s of a group | reads | price | searches | none open |
|--:|--:|--:|--:|--:|--:|--:|
${months.map(({ all }) => all).join("\n")}

Durable Objects, millions of requests and GB-seconds a month; ${PRICES.object_requests.included / 1e6} million and ${PRICES.object_gb_s.included.toLocaleString("en")} are included:

| repositories | tokens | METRICS | shards | groups |
|--:|--:|--:|--:|--:|
${months.map(({ objects }) => objects).join("\n")}

Beyond 100 % it does not work, but for the time and memory of a group, whose remedy is in the row:

| repositories | limit | used | remedy |
|--:|---|--:|---|
${months.flatMap(({ limits }) => limits).join("\n")}
`;
}

function shardTable(shards) {
  if (shards === undefined) return "Searches over shards were not measured: no native program made an index in shards.";
  const rows = Object.entries(shards).map(([name, { first, times }]) =>
    row(name === "one" ? "in one piece" : "in 32 shards, a Durable Object each", times, ` ${first.toFixed(0)} |`),
  );
  return `Searches by one client over the same sources, by words, meaning, names and uses in turn; the goal is a p95 of ${GOAL_MS} ms over 32 shards:

| index | number | p50 | p95 | p99 | most | first |
|---|--:|--:|--:|--:|--:|--:|
${rows.join("\n")}`;
}

// The server is a process group of its own, which ends with this process.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
try {
  const text = await main();
  if (values.out) writeFileSync(values.out, text);
  console.log(text);
} finally {
  rmSync(world, { recursive: true, force: true });
}
