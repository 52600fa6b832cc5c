// The cost of a cross-encoder in WebAssembly: milliseconds of processor time for a hit, by the length of its text. One JSON line a length on
// standard output.
//
//     python3 crates/embed/tests/make_models.py --real DIR   makes one of six layers of 384 numbers, 23 million weights, in DIR/cross
//     node tests/benches/rerank.mjs DIR/cross
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { fileURLToPath } from "node:url";

import { Portolan } from "portolan";

const SOURCE = readFileSync(fileURLToPath(new URL("../../crates/search/src/rank.rs", import.meta.url)), "utf8");
const QUERY = "where are scores of words and of meaning put together";
const LENGTHS = [200, 500, 1000, 2000];
const N_HITS = 5;
const N_ROUNDS = 3;

const folder = process.argv[2];
const read = (file) => readFileSync(join(folder, file));
const loading = timer();
const encoder = await Portolan.crossEncoder({
  model: read("model.onnx"),
  tokenizer: read("tokenizer.json"),
  maxTokens: 512,
});
console.log(JSON.stringify({ load_ms: loading() }));
for (const length of LENGTHS) {
  const passages = Array.from({ length: N_HITS }, (_, place) => ({
    path: "crates/search/src/rank.rs",
    text: SOURCE.slice(place * 400, place * 400 + length),
  }));
  const one = passages.slice(0, 1);
  const times = { one: [], each: [] };
  for (let round = 0; round < N_ROUNDS; round += 1) {
    const alone = timer();
    await encoder.score(QUERY, one);
    times.one.push(alone());
    const together = timer();
    await encoder.score(QUERY, passages);
    times.each.push(together() / N_HITS);
  }
  const fastest = (of) => Math.round(Math.min(...of));
  console.log(
    JSON.stringify({ characters: length, one_hit_ms: fastest(times.one), each_of_five_ms: fastest(times.each) }),
  );
}
encoder.close();

/** Processor time of all threads since now, in milliseconds; of the clock where that is less. */
function timer() {
  const [start, before] = [performance.now(), process.cpuUsage()];
  return () => {
    const { user, system } = process.cpuUsage(before);
    return Math.round(Math.min((user + system) / 1000, performance.now() - start));
  };
}
