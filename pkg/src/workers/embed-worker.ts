/**
 * The embedding worker: texts in, vectors out; or query and passages in, scores out; or vectors in, a graph over them out.
 *
 * A static model, as the one that ships, is a table and needs no runtime: the engine evaluates it, and so does the small
 * reading artifact. Any other ONNX file is run by tract, whose artifact is loaded only then.
 */

import type { OnnxScorer } from "../../wasm/onnx.js";
import { PortolanError } from "../errors.js";
import type { Assets, Port } from "../host.js";
import type { EmbedProtocol } from "../rpc/protocol.js";
import { serve } from "../rpc/rpc.js";
import type { EmbeddingModel } from "../types.js";

type Tables = typeof import("../../wasm/reader.js")["StaticModel"];

/** The methods that both kinds of model have. */
interface Model {
  readonly name: string;
  readonly dimensions: number;
  embed(texts: Uint8Array, ends: Uint32Array): Float32Array;
  embedQuery?(text: string): Float32Array;
}

export function serveEmbed(port: Port, assets: Assets): void {
  let model: Promise<Model> | undefined;
  let scorer: OnnxScorer | undefined;
  const started = (): Promise<Model> => {
    if (!model) throw new PortolanError("internal", "embedding worker used before it was started");
    return model;
  };
  serve<EmbedProtocol>(port, {
    async start({ model: own, engine }) {
      model = load(assets, own, engine);
      const { name, dimensions } = await model;
      return { name, dimensions };
    },
    async embed({ texts, ends }, { transfer, done }) {
      const vectors = (await started()).embed(texts, ends) as Float32Array<ArrayBuffer>;
      done(texts, ends);
      transfer(vectors.buffer);
      return vectors;
    },
    async query(text) {
      const running = await started();
      if (running.embedQuery) return running.embedQuery(text) as Float32Array<ArrayBuffer>;
      const bytes = new TextEncoder().encode(text);
      return running.embed(bytes, Uint32Array.of(bytes.length)) as Float32Array<ArrayBuffer>;
    },
    async neighbours({ dim, rows }, { transfer }) {
      const [{ initSync, Neighbours }, module] = await Promise.all([
        import("../../wasm/hnsw.js"),
        assets.module("hnsw"),
      ]);
      initSync({ module });
      const numbers = new Neighbours(dim, rows).numbers() as Uint32Array<ArrayBuffer>;
      transfer(numbers.buffer);
      return numbers;
    },
    async startScoring({ model, tokenizer, maxTokens }) {
      const onnx = await runtime(assets);
      scorer = new onnx.OnnxScorer(model, tokenizer, maxTokens);
      return { name: scorer.name };
    },
    score({ query, texts, ends }) {
      if (!scorer) throw new PortolanError("internal", "scoring worker used before it was started");
      return scorer.score(query, texts, ends) as Float32Array<ArrayBuffer>;
    },
  });
}

async function load(
  assets: Assets,
  own: EmbeddingModel | undefined,
  engine: WebAssembly.Module | undefined,
): Promise<Model> {
  const [{ model, tokenizer }, StaticModel] = await Promise.all([own ?? assets.model(), tables(assets, engine)]);
  if (StaticModel.fits(model)) return new StaticModel(model, tokenizer);
  const onnx = await runtime(assets);
  const { pooling, queryPrefix, passagePrefix, maxTokens } = own ?? {};
  const options = { pooling, query_prefix: queryPrefix, passage_prefix: passagePrefix, max_tokens: maxTokens };
  return new onnx.OnnxModel(
    model,
    tokenizer,
    Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)),
  );
}

/** The class that evaluates static models: part of the engine, and of the small reading artifact. */
async function tables(assets: Assets, engine: WebAssembly.Module | undefined): Promise<Tables> {
  if (engine) {
    const { initSync, StaticModel } = await import("../../wasm/engine.js");
    initSync({ module: engine });
    return StaticModel;
  }
  const [{ initSync, StaticModel }, module] = await Promise.all([
    import("../../wasm/reader.js"),
    assets.module("reader"),
  ]);
  initSync({ module });
  return StaticModel;
}

/** tract: 14 MB, for models that are no table. */
async function runtime(assets: Assets): Promise<typeof import("../../wasm/onnx.js")> {
  const [onnx, module] = await Promise.all([import("../../wasm/onnx.js"), assets.module("onnx")]);
  onnx.initSync({ module });
  return onnx;
}
