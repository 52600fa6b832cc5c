/**
 * The embedding worker as the index worker sees it: texts of chunks out, vectors into the builder; queries out, their
 * vectors back.
 */

import type { CodeIndexBuilder } from "../wasm/engine.js";
import type { SessionHost } from "./host.js";
import type { EmbedProtocol } from "./protocol.js";
import { Caller } from "./rpc.js";

/** Texts per message. */
const BATCH_TEXTS = 256;
/** Texts taken from the builder at once. */
const TAKEN_TEXTS = 4096;
/** Texts sent before this worker goes on to build: copies of them lie in messages until the embedding worker has read them. */
const AHEAD_TEXTS = 65_536;

/** Texts on their way to become vectors. */
interface Sent {
  readonly keys: BigUint64Array;
  readonly vectors: Promise<Float32Array<ArrayBuffer>>;
}

export class EmbedWorker {
  private readonly caller: Caller<EmbedProtocol>;
  private readonly started: Promise<{ name: string; dimensions: number }>;
  private underWay: Sent[] = [];

  /** Starts the worker, which loads the model; nothing is awaited yet. `engine` saves it from compiling what is compiled already. */
  constructor(host: SessionHost, engine?: WebAssembly.Module) {
    this.caller = new Caller<EmbedProtocol>(host.spawn("embed"));
    this.started = this.caller.call("start", { model: host.assets.own?.model, engine });
    this.started.catch(() => {}); // met at the first step
  }

  /** Sends what has no vector yet: it is embedded while this worker is busy. The next step takes the vectors in. */
  ahead(builder: CodeIndexBuilder): void {
    this.underWay = this.send(builder, AHEAD_TEXTS);
  }

  /** Embeds what has no vector yet, up to some thousand texts. @returns false when there was nothing to do. */
  async step(builder: CodeIndexBuilder, signal: AbortSignal, onDone: (n_texts: number) => void): Promise<boolean> {
    const { name, dimensions } = await this.started;
    builder.useEmbedder(name, dimensions);
    const sent = this.underWay.length > 0 ? this.underWay : this.send(builder, TAKEN_TEXTS);
    this.underWay = [];
    for (const { keys, vectors } of sent) {
      builder.setVectors(keys, await vectors, dimensions, name);
      signal.throwIfAborted();
      onDone(keys.length);
    }
    return sent.length > 0;
  }

  /** The vector of a query, and the name of the model. */
  async query(text: string): Promise<{ name: string; vector: Float32Array }> {
    const { name } = await this.started;
    return { name, vector: await this.caller.call("query", text) };
  }

  close(): void {
    this.caller.close();
  }

  private send(builder: CodeIndexBuilder, limit: number): Sent[] {
    const pending = builder.pendingEmbeddings(limit);
    const keys = pending.keys;
    const sent: Sent[] = [];
    for (let start = 0; start < keys.length; start += BATCH_TEXTS) {
      const end = Math.min(start + BATCH_TEXTS, keys.length);
      const texts = pending.texts(start, end) as Uint8Array<ArrayBuffer>;
      const ends = pending.ends(start, end) as Uint32Array<ArrayBuffer>;
      const vectors = this.caller.call("embed", { texts, ends }, { transfer: [texts.buffer, ends.buffer] });
      vectors.catch(() => {}); // met when its turn comes
      sent.push({ keys: keys.subarray(start, end), vectors });
    }
    pending.free();
    return sent;
  }
}
