/**
 * One index and all that is done with it, in one thread: made or opened here, asked here, saved from here.
 *
 * Runs in the index worker behind messages; in the entry `portolan/worker` it runs in the caller's own worker.
 */

import { CodeIndexBuilder, initSync as initEngine, type CodeIndex } from "../wasm/engine.js";
import type { ErrorBody, StructuralRequest, StructuralResponse } from "../wasm/reader.js";
import { answer, AnsweringIndex, openSnapshot } from "./answering.js";
import { EmbedWorker } from "./embedding.js";
import { fromThrown, isAbort, PortolanError, toBody } from "./errors.js";
import type { SessionHost } from "./host.js";
import { build, embedRest, embedsEarly, importScip, readAndParse, type IndexingContext } from "./indexing.js";
import { ParserTools } from "./parser-tools.js";
import { ProgressMeter } from "./progress.js";
import type { IndexEvent, Question, StoredState, WorkOptions } from "./protocol.js";
import { listSources, openInput } from "./sources.js";
import { toStoredState } from "./storage.js";
import type { Input, UserGrammar } from "./types.js";
import { UserGrammars } from "./user-grammars.js";

/** More workers than this gain nothing: building is done by one. */
const MAX_WORKERS = 8;

type Emit = (event: IndexEvent) => void;

export class Session {
  private index: AnsweringIndex | undefined;
  private tools: ParserTools;

  constructor(private readonly host: SessionHost) {
    this.tools = new ParserTools(host);
  }

  /** Makes an index. Resolves when everything is done; `usable` is emitted as soon as questions can be asked. */
  async make(input: Input, options: WorkOptions, signal: AbortSignal, emit: Emit): Promise<void> {
    const warn = (warning: ErrorBody) => emit({ type: "warning", warning });
    const opened = await openInput(this.host, input);
    const name = options.name ?? opened.name;
    const engine = await this.host.assets.module("engine");
    initEngine({ module: engine });
    const users = new UserGrammars(options.grammars);
    await users.check(this.host, engine);
    const builder = new CodeIndexBuilder(name, options.source ?? {});
    for (const { name, extensions } of users.languages) builder.addLanguage(name, extensions);
    this.tools.close();
    this.tools = new ParserTools(this.host, users);
    const meter = new ProgressMeter((progress) => emit({ type: "progress", progress }));
    const n_workers = Math.max(1, options.workers ?? Math.min(this.host.parallelism, MAX_WORKERS));
    const host = users.host(this.host);
    const context: IndexingContext = { host, engine, builder, signal, meter, n_workers, chunks: options.chunks, languages: users.languages, onWarning: warn };
    const embeds = options.embeddings !== false;
    let embedder = embeds && embedsEarly(this.host) ? new EmbedWorker(this.host) : undefined;
    try {
      meter.report("reading", 0, 0);
      const early = embedder && embedEarly(context, embedder);
      await readAndParse(context, () => listSources(opened, builder, signal, (n_files) => meter.report("reading", 0, n_files + 1)));
      await early?.stop();
      // On two cores: the model is made ready on the one that is free while the other builds.
      if (embeds) embedder ??= new EmbedWorker(this.host);
      importScip(context, options.scip ?? []);
      this.replaceIndex(build(context));
      emit({ type: "usable", name });
      if (embedder) await this.addVectors(context, embedder, early?.n_vectors() ?? 0, emit);
      if (options.store === true) await this.store(input, name, meter, emit);
    } finally {
      embedder?.close();
      builder.free();
    }
  }

  /** Opens a snapshot; only the small reading artifact is loaded for it. */
  async open(bytes: Uint8Array, grammars?: readonly UserGrammar[]): Promise<string> {
    const index = await openSnapshot(this.host.assets, bytes);
    this.replaceIndex(index);
    this.tools.close();
    this.tools = ParserTools.for(index, this.host, grammars);
    return answer(index, "status", {}).name;
  }

  async openStored(name: string, grammars?: readonly UserGrammar[]): Promise<string> {
    const bytes = await this.host.store().get(name);
    if (!bytes) throw new PortolanError("storage.not-found", `no stored index is named "${name}"`, "list() tells which there are");
    return this.open(bytes, grammars);
  }

  ask(question: Question, request: unknown): Promise<unknown> {
    return this.opened().ask(question, request as never);
  }

  highlights(path: string): Promise<Uint32Array<ArrayBuffer>> {
    return this.tools.highlights(this.opened(), path);
  }

  structural(request: StructuralRequest, signal: AbortSignal): Promise<StructuralResponse> {
    return this.tools.structural(this.opened(), request, signal);
  }

  save(): Uint8Array<ArrayBuffer> {
    return this.opened().save();
  }

  close(): void {
    this.tools.close();
    this.index?.free();
    this.index = undefined;
  }

  private opened(): AnsweringIndex {
    if (!this.index) throw new PortolanError("index.closed", "nothing is indexed or opened yet");
    return this.index;
  }

  private replaceIndex(index: CodeIndex | AnsweringIndex): void {
    const old = this.index;
    this.index = index instanceof AnsweringIndex ? index : new AnsweringIndex(index, this.host.assets);
    old?.free();
  }

  private async addVectors(context: IndexingContext, embedder: EmbedWorker, n_early: number, emit: Emit): Promise<void> {
    try {
      const index = await embedRest(context, embedder, n_early);
      if (!index) return;
      this.replaceIndex(index);
      emit({ type: "vectors" });
    } catch (error) {
      if (isAbort(error)) throw error;
      const reason = fromThrown(error).message;
      emit({ type: "warning", warning: toBody(new PortolanError("embedding.failed", `no vectors: ${reason}`, "search goes on with words and names")) });
    }
  }

  /** A failure costs the copy in the store, never the index. */
  private async store(input: Input, name: string, meter: ProgressMeter, emit: Emit): Promise<void> {
    const tell = (stored: StoredState) => emit({ type: "stored", stored });
    tell({ state: "saving" });
    try {
      const bytes = this.save();
      meter.report("saving", 0, bytes.length);
      const { n_files } = answer(this.opened(), "status", {});
      await this.host.store(input).put({ name, bytes, n_files, saved_at: Date.now() });
      meter.report("saving", bytes.length, bytes.length);
      tell({ state: "saved" });
    } catch (error) {
      const stored = toStoredState(error);
      if (stored.error) emit({ type: "warning", warning: stored.error });
      tell(stored);
    }
  }
}

/** Embeds what is there already, again and again, until stopped. A failure shows when the rest is embedded. */
function embedEarly(context: IndexingContext, worker: EmbedWorker): { stop(): Promise<void>; n_vectors(): number } {
  let stopped = false;
  let n_vectors = 0;
  const run = async () => {
    while (!stopped) {
      const more = await worker.step(context.builder, context.signal, (n_texts) => (n_vectors += n_texts));
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
