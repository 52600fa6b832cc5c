// Copies the default model beside the built package: its home is crates/embed/model, and npm packs nothing from outside.
import { cpSync, mkdirSync } from "node:fs";

const from = new URL("../../crates/embed/model/", import.meta.url);
const to = new URL("../model/", import.meta.url);
mkdirSync(to, { recursive: true });
for (const file of ["code-embed-128.int8.onnx", "tokenizer.json"]) cpSync(new URL(file, from), new URL(file, to));
