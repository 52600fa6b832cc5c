// Opens a saved index and asks it warm questions, through the package's public API. One JSON line on standard output.
//
//     node tests/benches/open.mjs SNAPSHOT
import { readFile } from "node:fs/promises";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { Portolan } from "portolan";
import { spread, words } from "./questions.mjs";
import { UNCACHED, quantile, round, time } from "./times.mjs";

const N_OPENED = 7;
const N_QUESTIONS = 40;
const N_ROUNDS = 4;

const bytes = await readFile(process.argv[2]);
const openings = await openedFor((index) => index.status());
const index = await Portolan.open(bytes, UNCACHED);
// An operator is a name without words, which no search takes.
const called = (await index.edges())
  .filter((edge) => edge.kind === "CALLS" && /\w/.test(words(edge.callee_name)))
  .map((edge) => edge.callee_name);
const names = spread([...new Set(called)].sort(), N_QUESTIONS);
if (names.length === 0) names.push("main", "index", "test");
const forFind = await openedFor((index) => index.find({ symbol: names[0] }).catch(() => {}));
const forSearch = await openedFor((index) => index.search({ query: words(names[0]), limit: 10 }));
const questions = [...names, ...names.map(words)];
const searches = await time(N_ROUNDS, questions, (query) => index.search({ query, limit: 10 }));
const finds = await time(N_ROUNDS, names, (symbol) => index.find({ symbol }));
const callers = await time(N_ROUNDS, names, (symbol) => index.callers({ symbol, depth: 1 }));
const contexts = await time(N_ROUNDS, names, (symbol) => index.context({ symbol }));
const impacts = await time(N_ROUNDS, names, (symbol) => index.impact({ symbol, depth: 3 }));
const hops = "MATCH (a)-[:CALLS]->(b)-[:CALLS]->(c {name: $name}) RETURN DISTINCT a.name, b.name LIMIT 100";
const cyphers = await time(N_ROUNDS, names, (name) => index.ask("cypher", { query: hops, parameters: { name } }));
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
for (const key in row) row[key] = round(row[key]);
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
