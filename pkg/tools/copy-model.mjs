// Copies the default model beside the built package: its home is crates/embed/model, and npm packs nothing from outside. Beside it goes
// what finds the rows of a query's tokens in it, so that a question on the command line need not read all of it.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";

import { initSync, StaticModel } from "../wasm/reader.js";

const FILES = ["code-embed-128.int8.onnx", "tokenizer.json"];
const from = new URL("../../crates/embed/model/", import.meta.url);
const to = new URL("../model/", import.meta.url);
mkdirSync(to, { recursive: true });
for (const file of FILES) cpSync(new URL(file, from), new URL(file, to));

const LOOKUP = new URL("lookup.bin", to);
rmSync(LOOKUP, { force: true });
initSync({ module: readFileSync(new URL("../wasm/reader_bg.wasm", import.meta.url)) });
const [model, tokenizer] = FILES.map((file) => readFileSync(new URL(file, to)));
// Without it the model is read as a whole.
const lookup = new StaticModel(model, tokenizer).lookup?.(model, tokenizer);
if (lookup) writeFileSync(LOOKUP, lookup);
