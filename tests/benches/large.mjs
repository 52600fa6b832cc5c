// Opens a saved index of many files by its path and asks it questions that any code can answer, through the package's public API.
// One JSON line on standard output; times in milliseconds.
//
//     node tests/benches/large.mjs SNAPSHOT
import { statSync } from "node:fs";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { Portolan } from "portolan";
import { names, questions } from "./questions.mjs";
import { UNCACHED, quantile, round, time } from "./times.mjs";

const N_ROUNDS = 3;

const path = process.argv[2];
const start = performance.now();
const index = await Portolan.open(path, UNCACHED);
await index.search({ query: questions[0], limit: 10 });
const reopened = performance.now() - start;
const status = await index.status();
const searches = await time(N_ROUNDS, questions, (query) => index.search({ query, limit: 10 }));
const symbols = await time(N_ROUNDS, names, (symbol) => index.find({ symbol }));
const called = await time(N_ROUNDS, names, (symbol) => index.callers({ symbol, depth: 1 }));
const contexts = await time(N_ROUNDS, names, (symbol) => index.context({ symbol }));
index.close();
// Once more, when the code is compiled.
const again = performance.now();
const second = await Portolan.open(path, UNCACHED);
await second.search({ query: questions[1], limit: 10 });
const reopenedWarm = performance.now() - again;
second.close();

const { n_files, n_bytes, n_symbols, n_chunks, n_vectors, n_edges } = status;
console.log(
  JSON.stringify({
    n_files,
    n_bytes,
    n_symbols,
    n_chunks,
    n_vectors,
    n_edges,
    saved_bytes: statSync(path).size,
    reopened_ms: round(reopened),
    reopened_warm_ms: round(reopenedWarm),
    search_p50_ms: round(quantile(searches, 0.5)),
    search_p95_ms: round(quantile(searches, 0.95)),
    find_p50_ms: round(quantile(symbols, 0.5)),
    find_p95_ms: round(quantile(symbols, 0.95)),
    callers_p50_ms: round(quantile(called, 0.5)),
    callers_p95_ms: round(quantile(called, 0.95)),
    context_p50_ms: round(quantile(contexts, 0.5)),
    context_p95_ms: round(quantile(contexts, 0.95)),
  }),
);
