/**
 * `--model DIR` and `--rerank DIR`: models that the caller brings, as folders are laid out that sentence-transformers or Optimum
 * wrote: `model.onnx` (or `onnx/model.onnx`), `tokenizer.json`, and small files that say how the model is to be used.
 */

import type { Assets } from "../host.js";
import { nodeSessionHost } from "../node/session-host.js";
import { spawnEmbed } from "../node/client-host.js";
import { withModel } from "../indexing/own-model.js";
import { CrossEncoder } from "../reading/rerank.js";
import type { EmbeddingModel, RerankModel, RerankOptions } from "../types.js";
import { CONFIG, readModel, readModelConfig } from "./model-files.js";
import { wholeNumber, type Command } from "../commands/options.js";

/** The embedding model in a folder. */
export function embeddingModel(folder: string): EmbeddingModel {
  const pooling = readModelConfig(folder, CONFIG.pooling)?.pooling_mode_cls_token === true ? "cls" : "mean";
  const prompts = readModelConfig(folder, CONFIG.prompts)?.prompts as Record<string, unknown> | undefined;
  const queryPrefix = textOf(prompts?.query);
  const passagePrefix = textOf(prompts?.passage ?? prompts?.document);
  return { ...filesOf(folder), pooling, ...(queryPrefix && { queryPrefix }), ...(passagePrefix && { passagePrefix }) };
}

/** Returns the host's assets, with this model in place of the one that ships. */
export function assetsWithModel(folder: string): Assets {
  return withModel(nodeSessionHost(), embeddingModel(folder)).assets;
}

/** Loads the cross-encoder that puts the first hits in a better order; `close` ends it. */
export async function reranker({ options }: Command): Promise<(RerankOptions & { close(): void }) | undefined> {
  if (options.rerank === undefined) return undefined;
  const top = wholeNumber(options["rerank-top"], "rerank-top", 1);
  const encoder = await CrossEncoder.start(spawnEmbed(), filesOf(options.rerank));
  return { rerank: encoder.score, ...(top !== undefined && { top }), close: () => encoder.close() };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function filesOf(folder: string): RerankModel {
  const maxTokens = readModelConfig(folder, CONFIG.tokens)?.max_seq_length;
  return { ...readModel(folder), ...(typeof maxTokens === "number" && { maxTokens }) };
}
