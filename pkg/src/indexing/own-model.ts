/** An embedding model that a caller brings: it takes the place of the one that ships, for chunks and for queries. */

import { EmbedWorker } from "./embedding.js";
import type { Artifact, Assets, ModelFiles, OwnModel, SessionHost } from "../host.js";
import type { EmbeddingModel } from "../types.js";

/** The host with this model in place of its own; the host itself where there is none. */
export function withModel<H extends SessionHost>(host: H, model: EmbeddingModel | undefined): H {
  if (!model) return host;
  const own: H = { ...host, assets: new AssetsWithModel(host.assets, model, () => new EmbedWorker(own)) };
  return own;
}

class AssetsWithModel implements Assets {
  readonly own: OwnModel;

  constructor(
    private readonly assets: Assets,
    model: EmbeddingModel,
    start: () => EmbedWorker,
  ) {
    // Started when the first query comes, and kept: loading a transformer takes seconds.
    let worker: EmbedWorker | undefined;
    this.own = {
      model,
      async query(text) {
        worker ??= start();
        const asked = worker;
        try {
          return await asked.query(text);
        } catch (error) {
          // The worker may have stopped in the middle of something: the next query gets another one.
          asked.close();
          if (worker === asked) worker = undefined;
          throw error;
        }
      },
      close() {
        worker?.close();
        worker = undefined;
      },
    };
  }

  module(artifact: Artifact): Promise<WebAssembly.Module> {
    return this.assets.module(artifact);
  }

  guestEngine(): Promise<WebAssembly.Module> {
    return this.assets.guestEngine();
  }

  grammar(name: string): Promise<WebAssembly.Module> {
    return this.assets.grammar(name);
  }

  model(): Promise<ModelFiles> {
    return Promise.resolve(this.own.model);
  }
}
