/** The embedding worker as the index worker sees it: texts of chunks out, vectors into the builder. */

import type { CodeIndexBuilder } from "../wasm/engine.js";
import type { SessionHost } from "./host.js";
import type { EmbedProtocol } from "./protocol.js";
import { Caller } from "./rpc.js";

/** Texts per message: small enough that the index worker answers questions in between. */
const BATCH_TEXTS = 128;
/** Messages under way: one is computed while the next waits. */
const BATCHES_UNDER_WAY = 2;
/** Texts taken from the builder at once. */
const TAKEN_TEXTS = 4096;

export class EmbedWorker {
  private readonly caller: Caller<EmbedProtocol>;
  private readonly started: Promise<{ name: string; dimensions: number }>;

  /** Starts the worker, which loads runtime and model; nothing is awaited yet. */
  constructor(host: SessionHost) {
    this.caller = new Caller<EmbedProtocol>(host.spawn("embed"));
    this.started = this.caller.call("start", null);
    this.started.catch(() => {}); // met at the first step
  }

  /** Embeds what has no vector yet, up to some thousand texts. @returns false when there was nothing to do. */
  async step(builder: CodeIndexBuilder, signal: AbortSignal, onDone: (n_texts: number) => void): Promise<boolean> {
    const { name, dimensions } = await this.started;
    const pending = builder.pendingEmbeddings(TAKEN_TEXTS);
    const keys = pending.keys;
    const texts = pending.takeTexts();
    pending.free();
    let next = 0;
    const lane = async (): Promise<void> => {
      while (next < texts.length) {
        signal.throwIfAborted();
        const start = next;
        const end = start + BATCH_TEXTS;
        next = end; // the other lane goes on from here while this one waits
        const batch = texts.slice(start, end);
        const vectors = await this.caller.call("embed", batch);
        builder.setVectors(keys.subarray(start, end), vectors, dimensions, name);
        onDone(batch.length);
      }
    };
    await Promise.all(Array.from({ length: BATCHES_UNDER_WAY }, lane));
    return texts.length > 0;
  }

  close(): void {
    this.caller.close();
  }
}
