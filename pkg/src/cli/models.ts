/**
 * `--model DIR` and `--rerank DIR`: models that the caller brings, as folders are laid out that sentence-transformers or Optimum
 * wrote: `model.onnx` (or `onnx/model.onnx`), `tokenizer.json`, and small files that say how the model is to be used.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";

import { PortolanError } from "../errors.js";
import type { Assets } from "../host.js";
import { nodeSessionHost } from "../node/session-host.js";
import { spawnEmbed } from "../node/client-host.js";
import { withModel } from "../own-model.js";
import { CrossEncoder } from "../rerank.js";
import type { EmbeddingModel, RerankModel, RerankOptions } from "../types.js";
import { wholeNumber, type Command } from "./options.js";

const MODEL_FILES = ["model.onnx", "onnx/model.onnx", "model_quantized.onnx", "onnx/model_quantized.onnx"];

/** The embedding model in a folder. */
export function embeddingModel(folder: string): EmbeddingModel {
  const pooling = json(folder, "1_Pooling/config.json")?.pooling_mode_cls_token === true ? "cls" : "mean";
  const prompts = json(folder, "config_sentence_transformers.json")?.prompts as Record<string, unknown> | undefined;
  const queryPrefix = textOf(prompts?.query);
  const passagePrefix = textOf(prompts?.passage ?? prompts?.document);
  return { ...filesOf(folder), pooling, ...(queryPrefix && { queryPrefix }), ...(passagePrefix && { passagePrefix }) };
}

/** What the files of the host give, with this model in place of the one that ships. */
export function assetsWithModel(folder: string): Assets {
  return withModel(nodeSessionHost(), embeddingModel(folder)).assets;
}

/** What puts the first hits in a better order, and how to end it. */
export async function reranker({ options }: Command): Promise<(RerankOptions & { close(): void }) | undefined> {
  if (options.rerank === undefined) return undefined;
  const top = wholeNumber(options["rerank-top"], "rerank-top", 1);
  const encoder = await CrossEncoder.start(spawnEmbed(), filesOf(options.rerank));
  return { rerank: encoder.score, ...(top !== undefined && { top }), close: () => encoder.close() };
}

function filesOf(folder: string): RerankModel {
  const model = MODEL_FILES.map((file) => optional(join(folder, file))).find((bytes) => bytes !== undefined);
  if (model === undefined)
    throw new PortolanError("input.unreadable", `${folder}: there is neither ${MODEL_FILES.slice(0, 2).join(" nor ")}`);
  const tokenizer = optional(join(folder, "tokenizer.json"));
  if (tokenizer === undefined) throw new PortolanError("input.unreadable", `${folder}: there is no tokenizer.json`);
  const maxTokens = json(folder, "sentence_bert_config.json")?.max_seq_length;
  return { model, tokenizer, ...(typeof maxTokens === "number" && { maxTokens }) };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function json(folder: string, file: string): Record<string, unknown> | undefined {
  const bytes = optional(join(folder, file));
  if (!bytes) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>;
  } catch (error) {
    throw new PortolanError("input.invalid", `${join(folder, file)}: ${(error as Error).message}`, "", {
      cause: error,
    });
  }
}

function optional(file: string): Uint8Array | undefined {
  try {
    return new Uint8Array(readFileSync(file));
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw new PortolanError("input.unreadable", `${file}: ${(error as Error).message}`, "", { cause: error });
  }
}
