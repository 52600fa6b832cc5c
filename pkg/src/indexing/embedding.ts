/**
 * The embedding worker as the index worker sees it: texts of chunks out, vectors into the builder; queries out, their
 * vectors back.
 */

import type { CodeIndexBuilder, PendingEmbeddings } from "../../wasm/engine.js";
import { release } from "../bytes.js";
import { engineInstance } from "../engine/engine-instance.js";
import { PortolanError } from "../errors.js";
import type { SessionHost } from "../host.js";
import type { EmbedProtocol, ParseProtocol, Texts } from "../rpc/protocol.js";
import { Caller } from "../rpc/rpc.js";

/** Texts taken from the builder at once, without copies of them. */
const TAKEN_TEXTS = 65_536;
/** Texts under way at once: messages hold copies of them until the embedding worker has read them. */
const SENT_TEXTS = 8192;

/** Texts on their way to become vectors. */
interface Sent {
  readonly keys: BigUint64Array;
  readonly vectors: Promise<Embedded>;
}

/** Vectors, or the rows that an index keeps of them: a quarter of the bytes. */
type Embedded = Float32Array<ArrayBuffer> | Int8Array<ArrayBuffer>;

/** Who embeds: a worker of its own, or a parsing worker that has nothing to parse any more. */
export interface Embedding {
  readonly started: Promise<{ name: string; dimensions: number }>;
  embed(texts: Texts, transfer: ArrayBuffer[]): Promise<Embedded>;
  query(text: string): Promise<Float32Array>;
  close(): void;
}

/** A worker of its own, which loads the model. `engine` saves it from compiling what is compiled already. */
function ownThread(host: SessionHost, engine?: WebAssembly.Module): Embedding {
  const caller = new Caller<EmbedProtocol>(host.spawn("embed"));
  return {
    started: caller.call("start", { model: host.assets.own?.model, engine }),
    embed: (texts, transfer) => caller.call("embed", texts, { transfer }),
    query: (text) => caller.call("query", text),
    close: () => caller.close(),
  };
}

/** A parsing worker that has nothing to parse any more, with the model that ships: its thread is there already. */
export function sharedThread(caller: Caller<ParseProtocol>): Embedding {
  const start = async () =>
    (await caller.call("startModel", null)) ??
    Promise.reject(new PortolanError("model.unusable", "the engine does not evaluate this model"));
  return {
    started: start(),
    embed: (texts, transfer) => caller.call("embed", texts, { transfer }),
    query: () => Promise.reject(new PortolanError("internal", "a parsing worker embeds no queries")),
    close: () => {},
  };
}

export class EmbedWorker {
  private readonly started: Promise<{ name: string; dimensions: number }>;
  private readonly embedding: Embedding;
  private underWay: Sent[] = [];
  /** Texts to send when there is room, and the next batch of them. */
  private waiting: { readonly texts: PendingEmbeddings; next: number } | undefined;

  /** Nothing is awaited yet. */
  constructor(host: SessionHost, engine?: WebAssembly.Module, embedding: Embedding = ownThread(host, engine)) {
    this.embedding = embedding;
    this.started = embedding.started;
    this.started.catch(() => {}); // reported at the first step
  }

  /** Sends the first texts that have no vector yet: they are embedded while this worker is busy. The next step takes the vectors in. */
  ahead(builder: CodeIndexBuilder): void {
    this.take(builder, SENT_TEXTS);
    this.send();
    // The rest would keep the bytes of texts that building joins.
    this.drop();
  }

  /**
   * Embeds what has no vector yet, up to some ten thousand texts. `beside` is called once when texts are under way. Returns false when there was
   * nothing to do.
   */
  async step(
    builder: CodeIndexBuilder,
    signal: AbortSignal,
    onDone: (n_texts: number) => void,
    beside?: () => void,
  ): Promise<boolean> {
    const { name, dimensions } = await this.started;
    builder.useEmbedder(name, dimensions);
    // Texts under way have no vectors yet: they would be taken once more.
    if (this.underWay.length === 0) {
      this.take(builder, TAKEN_TEXTS);
      this.send();
      if (this.underWay.length > 0) beside?.();
    }
    let isAny = false;
    try {
      for (let next = this.underWay.shift(); next; next = this.underWay.shift()) {
        const { keys, vectors } = next;
        const embedded = await vectors;
        if (embedded instanceof Int8Array) builder.setRows(keys, embedded, dimensions, name);
        else builder.setVectors(keys, embedded, dimensions, name);
        release([new Uint8Array(embedded.buffer)]);
        isAny = true;
        signal.throwIfAborted();
        onDone(keys.length);
        this.send();
      }
    } finally {
      this.drop();
    }
    return isAny;
  }

  /** The vector of a query, and the name of the model. */
  async query(text: string): Promise<{ name: string; vector: Float32Array }> {
    const { name } = await this.started;
    return { name, vector: await this.embedding.query(text) };
  }

  close(): void {
    this.embedding.close();
  }

  private take(builder: CodeIndexBuilder, limit: number): void {
    this.drop();
    this.waiting = { texts: engineInstance.own(builder.pendingEmbeddings(limit)), next: 0 };
  }

  /** Sends texts that wait, as long as not too many are under way. */
  private send(): void {
    const { waiting } = this;
    if (!waiting) return;
    let n_sent = this.underWay.reduce((n, { keys }) => n + keys.length, 0);
    for (; waiting.next < waiting.texts.nBatches && n_sent < SENT_TEXTS; waiting.next++) {
      const batch = waiting.texts.texts(waiting.next);
      const texts = batch.bytes as Uint8Array<ArrayBuffer>;
      const ends = batch.ends as Uint32Array<ArrayBuffer>;
      batch.free();
      const vectors = this.embedding.embed({ texts, ends }, [texts.buffer, ends.buffer]);
      vectors.catch(() => {}); // reported when its turn comes
      const keys = waiting.texts.keys(waiting.next);
      this.underWay.push({ keys, vectors });
      n_sent += keys.length;
    }
  }

  private drop(): void {
    if (this.waiting) engineInstance.free(this.waiting.texts);
    this.waiting = undefined;
  }
}

/** Embeds the texts that are there, again and again, until stopped. A failure shows when the rest is embedded. */
export function embedEarly(
  { builder, signal }: { readonly builder: CodeIndexBuilder; readonly signal: AbortSignal },
  worker: EmbedWorker,
): { stop(): Promise<void>; n_vectors(): number } {
  let stopped = false;
  let n_vectors = 0;
  const run = async () => {
    while (!stopped) {
      const more = await worker.step(builder, signal, (n_texts) => (n_vectors += n_texts));
      if (!more) await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const running = run().catch(() => {});
  return {
    n_vectors: () => n_vectors,
    stop() {
      stopped = true;
      return running;
    },
  };
}
