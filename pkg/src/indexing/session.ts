/**
 * One index and all that is done with it, in one thread: made or opened here, asked here, saved from here.
 *
 * Runs in the index worker behind messages; in the entry `portolan/worker` it runs in the caller's own worker.
 */

import type { FileList, FileText, Status, StructuralRequest, StructuralResponse } from "../../wasm/reader.js";
import { abortError, PortolanError, toBody } from "../errors.js";
import type { PieceFile, SessionHost, WriteSnapshot } from "../host.js";
import { openSnapshot } from "../reading/answering.js";
import { ParserTools } from "../reading/parser-tools.js";
import { openAddress } from "../reading/remote.js";
import type { PatternProgress } from "../reading/structural.js";
import type { Question, SealProtocol, StoredState, WorkOptions } from "../rpc/protocol.js";
import { Caller } from "../rpc/rpc.js";
import { isSealed, N_MAGIC, unsealed } from "../storage/encrypted.js";
import { indexOf } from "../storage/picked-files.js";
import type {
  EmbeddingModel,
  FileEdits,
  Input,
  OpenLimits,
  Protection,
  SealPhase,
  Staleness,
  UserGrammar,
} from "../types.js";
import { CurrentIndex, type Emit } from "./current-index.js";
import { IndexUpdates } from "./index-updates.js";
import { IndexingJob } from "./indexing-job.js";
import { Recovery, type MakeRequest } from "./recovery.js";
import { StoredCopy, type StorePlace } from "./stored-copy.js";

/** How a snapshot is opened: see `OpenOptions`. */
export interface OpenAs {
  readonly grammars?: readonly UserGrammar[] | undefined;
  readonly passphrase?: string | undefined;
  readonly model?: EmbeddingModel | undefined;
  readonly pathKey?: string | undefined;
  readonly limits?: OpenLimits | undefined;
}

export class Session {
  private readonly index: CurrentIndex;
  private readonly recovery = new Recovery();
  private readonly copy: StoredCopy;
  private readonly updates: IndexUpdates;
  private n_jobs = 0;

  constructor(host: SessionHost) {
    this.index = new CurrentIndex(host);
    this.copy = new StoredCopy(this.index, this.recovery);
    this.updates = new IndexUpdates(this.index, this.copy, this.recovery, () => this.ready());
  }

  /** Makes an index. Resolves when everything is done; `usable` is emitted as soon as questions can be asked. */
  async make(input: Input, options: WorkOptions, signal: AbortSignal, emit: Emit): Promise<void> {
    this.recovery.began({ input, options, emit });
    await this.runJob({ input, options, emit }, signal);
  }

  private async runJob({ input, options, emit }: MakeRequest, signal: AbortSignal): Promise<void> {
    this.n_jobs++;
    try {
      const { index, copy, updates, recovery } = this;
      await new IndexingJob({ index, copy, updates, recovery }, input, options, signal, emit).run();
    } finally {
      this.n_jobs--;
      this.index.wake();
    }
  }

  /** Brings the index up to date: see `IndexUpdates`. */
  update(edits: FileEdits | undefined, signal: AbortSignal, emit: Emit): Promise<void> {
    return this.updates.update(edits, signal, emit);
  }

  watch(debounceMs: number, signal: AbortSignal, emit: Emit): Promise<void> {
    return this.updates.watch(debounceMs, signal, emit);
  }

  /** Opens a snapshot; only the small reading artifact is loaded for it. */
  async open(given: Uint8Array, { grammars, passphrase, model, pathKey, limits }: OpenAs): Promise<string> {
    this.index.useModel(model);
    const opened = await unsealed(this.index.host.assets, given, passphrase, pathKey, limits);
    return this.openSnapshot(opened, grammars, limits);
  }

  /** Opens the files of a snapshot, which are read in pieces; an encrypted one is read whole. */
  async openFiles(files: readonly File[], how: OpenAs): Promise<string> {
    const file = indexOf(files);
    const isPlain = how.passphrase === undefined && how.pathKey === undefined;
    if (!isPlain || isSealed(file.read(0, Math.min(file.n_bytes, N_MAGIC))))
      return this.open(file.read(0, file.n_bytes), how);
    this.index.useModel(how.model);
    const name = await this.openSnapshot(file, how.grammars, how.limits);
    file.requireShards(((await this.ask("status", {})) as Status).n_shards ?? 0);
    return name;
  }

  private async openSnapshot(
    snapshot: Uint8Array | PieceFile,
    grammars: readonly UserGrammar[] | undefined,
    limits?: OpenLimits,
  ): Promise<string> {
    const index = await openSnapshot(this.index.host.assets, snapshot, limits);
    this.index.replace(index);
    this.index.useTools(ParserTools.for(index, this.index.host, grammars));
    return index.name();
  }

  /** Opens a snapshot on a server, of which only what questions read is fetched. */
  async openAddress(url: string, limits?: OpenLimits): Promise<string> {
    const { index, name } = await openAddress(this.index.host.assets, url, undefined, undefined, limits);
    this.index.replace(index);
    this.index.useGrammars();
    return name;
  }

  async openStored(
    name: string,
    grammars?: readonly UserGrammar[],
    model?: EmbeddingModel,
    limits?: OpenLimits,
  ): Promise<string> {
    const store = this.index.host.store();
    const file = await store.pieces?.(name);
    if (file && !isSealed(file.read(0, Math.min(file.n_bytes, N_MAGIC)))) {
      this.index.useModel(model);
      return this.openSnapshot(file, grammars, limits);
    }
    const bytes = await store.get(name);
    if (!bytes)
      throw new PortolanError(
        "storage.not-found",
        `no stored index is named "${name}"`,
        "list() tells which there are",
      );
    return this.open(bytes, { grammars, model, limits });
  }

  async ask(question: Question, request: unknown): Promise<unknown> {
    await this.ready();
    return this.index.get().ask(question, request as never);
  }

  /** Makes the index again where the engine stopped, and the index with it. */
  async ready(): Promise<void> {
    if (!this.index.isGone) return;
    if (this.n_jobs > 0) {
      await this.index.changed();
      return this.ready();
    }
    this.updates.leave();
    await this.recovery.run(
      (place) => this.openAgain(place),
      (request) => this.makeAgain(request),
    );
  }

  /** Opens the stored index; returns whether it is there. */
  private async openAgain({ input, name }: StorePlace): Promise<boolean> {
    const store = this.index.host.store(input);
    const snapshot = (await store.pieces?.(name)) ?? (await store.get(name));
    if (snapshot) this.index.replace(await openSnapshot(this.index.host.assets, snapshot));
    return snapshot !== undefined;
  }

  /** Resolves when questions can be asked; vectors follow. */
  private makeAgain({ input, options, emit }: MakeRequest): Promise<void> {
    const edits = this.recovery.pendingEdits();
    const { signal } = new AbortController();
    return new Promise((resolve, reject) => {
      const onEvent: Emit = (event) => {
        emit(event);
        if (event.type === "usable" && !edits) resolve();
      };
      const warn = (error: unknown) => emit({ type: "warning", warning: toBody(error) });
      this.runJob({ input, options: { ...options, early: false }, emit: onEvent }, signal)
        .then(() => edits && this.updates.updateNow(edits, signal, emit))
        .then(() => resolve())
        .catch((error: unknown) => {
          reject(error as Error);
          warn(error);
        });
    });
  }

  async highlights(path: string, text?: string): Promise<Uint32Array<ArrayBuffer>> {
    await this.ready();
    if (text === undefined) await this.index.get().prepareText(path);
    return this.index.tools.highlights(this.index.get(), path, text);
  }

  async locals(path: string): Promise<Uint32Array<ArrayBuffer>> {
    await this.ready();
    await this.index.get().prepareText(path);
    return this.index.tools.locals(this.index.get(), path);
  }

  async structural(
    request: StructuralRequest,
    signal: AbortSignal,
    onProgress?: PatternProgress,
  ): Promise<StructuralResponse> {
    await this.ready();
    return this.index.tools.structural(this.index.get(), request, signal, onProgress);
  }

  /** The files that have changed since the index was built; nothing where its input cannot be looked at again. */
  async stale(): Promise<Staleness | undefined> {
    const { host } = this.index;
    const input = this.updates.indexedInput;
    if (input === undefined || !host.stale) return undefined;
    const [{ built_at }, { files }] = (await Promise.all([this.ask("status", {}), this.ask("files", {})])) as [
      Status,
      FileList,
    ];
    const paths = files.map(({ path }) => path);
    const text = async (path: string) => ((await this.ask("file_text", { path })) as FileText).text;
    return host.stale(input, { built_at, paths, text });
  }

  /** The snapshot in pieces: see `WriteSnapshot`. */
  saveTo(give: Parameters<WriteSnapshot>[0]): void {
    this.index.get().saveTo(give);
  }

  save(): Uint8Array<ArrayBuffer> {
    return this.index.get().save();
  }

  /** Stores the index under a name, now and whenever it changes. */
  async keep(name: string): Promise<StoredState> {
    let stored: StoredState = { state: "off" };
    this.copy.keepAt({ input: this.updates.indexedInput, name });
    await this.ready();
    const note: Emit = (event) => {
      if (event.type === "stored") stored = event.stored;
    };
    await this.updates.inTurn(() => this.copy.store(undefined, note));
    return stored;
  }

  /** Makes the encrypted snapshot in a worker of its own: meanwhile queries are answered, and it can be ended at once. */
  async saveProtected(
    how: Protection,
    signal: AbortSignal,
    onPhase: (phase: SealPhase) => void,
  ): Promise<Uint8Array<ArrayBuffer>> {
    signal.throwIfAborted();
    await this.ready();
    const bytes = this.save();
    const worker = new Caller<SealProtocol>(this.index.host.spawn("seal"));
    const stop = () => worker.close(abortError(signal.reason));
    signal.addEventListener("abort", stop, { once: true });
    try {
      return await worker.call(
        "protect",
        { ...how, bytes },
        { transfer: [bytes.buffer], onEvent: ({ phase }) => onPhase(phase) },
      );
    } finally {
      signal.removeEventListener("abort", stop);
      worker.close();
    }
  }

  close(): void {
    this.updates.leave();
    this.index.close();
  }
}
