// How long questions take in WebAssembly, the query's embedding included: the questions of a file, and every beginning of each, as they
// come while somebody types. One JSON line on standard output, in milliseconds.
//
//     node tests/benches/latency.mjs SNAPSHOT QUESTIONS.json     (a list of {"query": …})
import { readFile } from "node:fs/promises";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { Portolan } from "portolan";
import { UNCACHED } from "./times.mjs";

/** Rounds for each question; the fastest counts, since everything else on the machine only ever adds. */
const N_ROUNDS = 5;

const [snapshot, questions] = process.argv.slice(2);
const index = await Portolan.open(new Uint8Array(await readFile(snapshot)), UNCACHED);
const queries = JSON.parse(await readFile(questions, "utf8")).map(({ query }) => query);
const beginnings = [
  ...new Set(queries.flatMap((query) => Array.from({ length: query.length }, (_, n) => query.slice(0, n + 1).trim()))),
].filter(Boolean);
const misspelt = queries
  .filter((query) => /^\w{6,}$/.test(query))
  .map((name) => name.slice(0, 3) + name[4] + name[3] + name.slice(5));

// The first answer loads the model.
await index.search({ query: "warm up" });
const row = {
  ...(await time("search", queries, (query) => index.search({ query, limit: 10 }))),
  ...(await time("words", queries, (query) => index.search({ query, limit: 10, mode: "lexical" }))),
  ...(await time("typing", beginnings, (query) => index.search({ query, limit: 10 }))),
  ...(await time("misspelt", misspelt, (query) => index.search({ query, limit: 10 }))),
  ...(await time("find", [...queries, ...misspelt], (symbol) => index.find({ symbol }))),
  ...(await time("assemble", queries, (query) => index.assemble({ query }))),
};
index.close();
console.log(JSON.stringify(row));

async function time(name, inputs, ask) {
  const fastest = inputs.map(() => Infinity);
  for (let round = 0; round < N_ROUNDS; round += 1) {
    for (const [i, input] of inputs.entries()) {
      const start = performance.now();
      // A name that is not there is an answer, too.
      await ask(input).catch(() => {});
      fastest[i] = Math.min(fastest[i], performance.now() - start);
    }
  }
  fastest.sort((a, b) => a - b);
  const at = (share) =>
    Math.round((fastest[Math.min(fastest.length - 1, Math.floor(share * fastest.length))] ?? 0) * 1000) / 1000;
  return { [name]: { n: inputs.length, p50: at(0.5), p99: at(0.99), most: at(1) } };
}
