// Opens a saved index and asks it warm questions, through the package's public API. One JSON line on standard output.
//
//     node tests/benches/open.mjs SNAPSHOT
import { readFile } from "node:fs/promises";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { Portolan } from "portolan";

const N_OPENED = 7;
const N_QUESTIONS = 40;
const N_ROUNDS = 4;

const bytes = await readFile(process.argv[2]);
const openings = await openedFor((index) => index.status());
const index = await Portolan.open(bytes);
const called = (await index.edges()).filter((edge) => edge.kind === "CALLS").map((edge) => edge.callee_name);
const names = spread([...new Set(called)].sort(), N_QUESTIONS);
if (names.length === 0) names.push("main", "index", "test");
const forFind = await openedFor((index) => index.find({ symbol: names[0] }).catch(() => {}));
const forSearch = await openedFor((index) => index.search({ query: words(names[0]), limit: 10 }));
const questions = [...names, ...names.map(words)];
const searches = await time(questions, (query) => index.search({ query, limit: 10 }));
const finds = await time(names, (symbol) => index.find({ symbol }));
const callers = await time(names, (symbol) => index.callers({ symbol, depth: 1 }));
const contexts = await time(names, (symbol) => index.context({ symbol }));
const impacts = await time(names, (symbol) => index.impact({ symbol, depth: 3 }));
const hops = "MATCH (a)-[:CALLS]->(b)-[:CALLS]->(c {name: $name}) RETURN DISTINCT a.name, b.name LIMIT 100";
const cyphers = await time(names, (name) => index.ask("cypher", { query: hops, parameters: { name } }));
index.close();

const row = {
  bytes: bytes.length,
  open_first_ms: openings[0],
  open_ms: quantile(openings.slice(1), 0.5),
  open_find_ms: quantile(forFind, 0.5),
  open_search_ms: quantile(forSearch, 0.5),
  search_p50_ms: quantile(searches, 0.5),
  search_p95_ms: quantile(searches, 0.95),
  find_p50_ms: quantile(finds, 0.5),
  callers_p50_ms: quantile(callers, 0.5),
  context_p50_ms: quantile(contexts, 0.5),
  context_p95_ms: quantile(contexts, 0.95),
  impact_p50_ms: quantile(impacts, 0.5),
  impact_p95_ms: quantile(impacts, 0.95),
  cypher_p50_ms: quantile(cyphers, 0.5),
  cypher_p95_ms: quantile(cyphers, 0.95),
};
for (const key in row) row[key] = Math.round(row[key] * 1000) / 1000;
console.log(JSON.stringify(row));

/** How long it takes from bytes to the first answer, several times: what an index has read is read again by the next. */
async function openedFor(ask) {
  const times = [];
  for (let i = 0; i < N_OPENED; i += 1) {
    // Opening may take the bytes over; each time gets its own.
    const copy = new Uint8Array(bytes);
    const start = performance.now();
    const index = await Portolan.open(copy);
    await ask(index);
    times.push(performance.now() - start);
    index.close();
  }
  return times;
}

/** Asks every question in every round; the first round only warms up. */
async function time(inputs, ask) {
  const times = [];
  for (let round = 0; round < N_ROUNDS; round += 1) {
    for (const input of inputs) {
      const start = performance.now();
      // A symbol that is ambiguous or gone is an answer, too.
      await ask(input).catch(() => {});
      if (round > 0) times.push(performance.now() - start);
    }
  }
  return times;
}

/** `getOpenApiPath` → "get open api path" */
function words(name) {
  return name.split(/[^\p{L}\p{N}]+|(?<=\p{Ll})(?=\p{Lu})/u).filter(Boolean).join(" ").toLowerCase();
}

/** `n` of `list`, evenly spread. */
function spread(list, n) {
  if (list.length <= n) return list;
  return Array.from({ length: n }, (_, i) => list[Math.floor((i * list.length) / n)]);
}

function quantile(values, q) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
}
