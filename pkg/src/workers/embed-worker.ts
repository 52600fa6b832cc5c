/** The embedding worker: texts in, vectors out, by the ONNX model that ships, run by tract. */

import { initSync, OnnxModel } from "../../wasm/onnx.js";
import { PortolanError } from "../errors.js";
import type { Assets, Port } from "../host.js";
import type { EmbedProtocol } from "../protocol.js";
import { serve } from "../rpc.js";

export function serveEmbed(port: Port, assets: Assets): void {
  let running: OnnxModel | undefined;
  serve<EmbedProtocol>(port, {
    async start() {
      const [onnx, { model, tokenizer }] = await Promise.all([assets.module("onnx"), assets.model()]);
      initSync({ module: onnx });
      running = new OnnxModel(model, tokenizer);
      return { name: running.name, dimensions: running.dimensions };
    },
    embed(texts, { transfer }) {
      if (!running) throw new PortolanError("internal", "embedding worker used before it was started");
      const vectors = running.embed(texts) as Float32Array<ArrayBuffer>;
      transfer(vectors.buffer);
      return vectors;
    },
  });
}
