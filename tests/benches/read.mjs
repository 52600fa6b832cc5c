// The work of a parsing worker on a file, as WebAssembly in one thread: the same files as `portolan-measure read`, by language.
// A line of JSON for each language on standard output, with the seconds of the fastest pass.
//
//     node tests/benches/read.mjs LIST N_PASSES
import { readFile } from "node:fs/promises";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { loadGrammar } from "../../pkg/dist/grammars/loader.js";
import { functionTable, initSync, ParseWorker } from "../../pkg/wasm/engine.js";

/** How long a language is read at least: few files as long as many. */
const MILLISECONDS = 400;

const [, , list, passes] = process.argv;
const pkg = new URL("../../pkg/", import.meta.url);
const module = await WebAssembly.compile(await readFile(new URL("wasm/engine_bg.wasm", pkg)));
const exports = initSync({ module });
const host = { memory: exports.memory, table: functionTable(), exports };
const worker = new ParseWorker();
const added = new Set();

for (const { language, files } of JSON.parse(await readFile(list, "utf8"))) {
  const texts = await Promise.all(files.map(async ([path, place]) => [path, await readFile(place)]));
  await addGrammars(texts);
  let best = Infinity;
  const begin = performance.now();
  for (let pass = 0; pass < Number(passes) || performance.now() - begin < MILLISECONDS; pass += 1) {
    const start = performance.now();
    for (const [path, bytes] of texts) worker.read(path, bytes);
    best = Math.min(best, performance.now() - start);
  }
  console.log(JSON.stringify({ language, work: best / 1000 }));
}

/** Grammars that the files need, scripts of pages included. */
async function addGrammars(texts) {
  const decoder = new TextDecoder();
  for (const [path, bytes] of texts) {
    const name = worker.grammarOf(path, decoder.decode(bytes));
    if (!name || added.has(name)) continue;
    added.add(name);
    const grammar = await WebAssembly.compile(await readFile(new URL(`grammars/tree-sitter-${name}.wasm`, pkg)));
    worker.addGrammar(name, loadGrammar(host, grammar, name));
  }
}
