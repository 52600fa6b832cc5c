// Copies the default model beside the built package: its home is crates/embed/model, and npm packs nothing from outside. Beside it goes
// what finds the rows of a query's tokens in it, so that a question on the command line need not read all of it.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";

import { initSync, StaticModel } from "../wasm/reader.js";

const MODEL = "code-embed-128.int8.bin";
/** Names in the package and where they come from. Bundlers for Workers take files that end in `.bin` along as bytes, and no others. */
const FILES = {
  [MODEL]: "code-embed-128.int8.onnx",
  "tokenizer.json": "tokenizer.json",
  "tokenizer.bin": "tokenizer.json",
};
const from = new URL("../../crates/embed/model/", import.meta.url);
const to = new URL("../model/", import.meta.url);
rmSync(to, { recursive: true, force: true });
mkdirSync(to, { recursive: true });
for (const [file, source] of Object.entries(FILES)) cpSync(new URL(source, from), new URL(file, to));

const LOOKUP = new URL("lookup.bin", to);
initSync({ module: readFileSync(new URL("../wasm/reader_bg.wasm", import.meta.url)) });
const [model, tokenizer] = [MODEL, "tokenizer.json"].map((file) => readFileSync(new URL(file, to)));
// Without it the model is read as a whole.
const lookup = new StaticModel(model, tokenizer).lookup?.(model, tokenizer);
if (lookup) writeFileSync(LOOKUP, lookup);
