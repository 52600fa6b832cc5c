/** Files of a model's folder, as sentence-transformers or Optimum lay it out. */

import { statSync } from "node:fs";
import { join } from "node:path";

import { PortolanError } from "../errors.js";
import { readIfThere } from "../node/regular-file.js";
import { MAX_BYTES_OF } from "./limits.js";

/** The first one that is there counts. */
const MODEL_FILES = ["model.onnx", "onnx/model.onnx", "model_quantized.onnx", "onnx/model_quantized.onnx"];
const TOKENIZER = "tokenizer.json";
export const CONFIG = {
  pooling: "1_Pooling/config.json",
  prompts: "config_sentence_transformers.json",
  tokens: "sentence_bert_config.json",
} as const;

/** Those that are read, as far as they are there. */
export function modelFilesIn(folder: string): string[] {
  return [...MODEL_FILES, TOKENIZER, ...Object.values(CONFIG)]
    .map((file) => join(folder, file))
    .filter((path) => statSync(path, { throwIfNoEntry: false }) !== undefined);
}

/** The model and its tokenizer. Throws `input.unreadable`. */
export function readModel(folder: string): { model: Uint8Array; tokenizer: Uint8Array } {
  const model = firstOf(folder, MODEL_FILES);
  if (model === undefined)
    throw new PortolanError("input.unreadable", `${folder}: there is neither ${MODEL_FILES.slice(0, 2).join(" nor ")}`);
  const tokenizer = readIfThere(join(folder, TOKENIZER), MAX_BYTES_OF.tokenizer);
  if (tokenizer === undefined) throw new PortolanError("input.unreadable", `${folder}: there is no ${TOKENIZER}`);
  return { model, tokenizer };
}

/** One of the small files beside a model. */
export function readModelConfig(folder: string, file: string): Record<string, unknown> | undefined {
  const bytes = readIfThere(join(folder, file), MAX_BYTES_OF.modelConfig);
  if (!bytes) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>;
  } catch (error) {
    throw new PortolanError("input.invalid", `${join(folder, file)}: ${(error as Error).message}`, "", {
      cause: error,
    });
  }
}

function firstOf(folder: string, files: readonly string[]): Uint8Array | undefined {
  for (const file of files) {
    const bytes = readIfThere(join(folder, file), MAX_BYTES_OF.model);
    if (bytes !== undefined) return bytes;
  }
  return undefined;
}
