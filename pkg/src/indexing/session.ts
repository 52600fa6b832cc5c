/**
 * One index and all that is done with it, in one thread: made or opened here, asked here, saved from here.
 *
 * Runs in the index worker behind messages; in the entry `portolan/worker` it runs in the caller's own worker.
 */

import { CodeIndex as EngineIndex, CodeIndexBuilder, type CodeIndex, type InitOutput } from "../../wasm/engine.js";
import type { ErrorBody, StructuralRequest, StructuralResponse } from "../../wasm/reader.js";
import { AnsweringIndex, openSnapshot } from "../reading/answering.js";
import { builderFromBefore, newBuilder } from "./builders.js";
import { embedEarly, EmbedWorker, sharedThread } from "./embedding.js";
import { EarlyAnswers } from "./early-answers.js";
import { engineInstance } from "../engine/engine-instance.js";
import { abortError, fromThrown, isAbort, isOfEarlierInstance, isTrap, PortolanError, toBody } from "../errors.js";
import type { OpenedInput, PieceFile, SessionHost, WriteSnapshot } from "../host.js";
import { build, embedRest, embedsEarly, importScip, readAndParse, type IndexingContext } from "./pipeline.js";
import { withModel } from "./own-model.js";
import { addNeighbours } from "./vector-graph.js";
import { PackingAhead } from "./packing.js";
import { Parsing } from "./parsing.js";
import { ParserTools } from "../reading/parser-tools.js";
import { openAddress } from "../reading/remote.js";
import { ProgressMeter } from "./progress.js";
import type { IndexEvent, Question, SealProtocol, StoredState, WorkOptions } from "../rpc/protocol.js";
import type { FormProgress } from "../reading/structural.js";
import { ADDRESSABLE, Room } from "../engine/memory-budget.js";
import { isSealed, N_MAGIC, unsealed } from "../storage/encrypted.js";
import { Caller } from "../rpc/rpc.js";
import { recipeOf } from "./recipe.js";
import { Remaking, type Made } from "./recovery.js";
import { SpareWorkers } from "./spare-workers.js";
import { listSources, nothingTaken, openInput, type Sources } from "./sources.js";
import { toStoredState } from "../storage/indexed-db.js";
import type { EmbeddingModel, FileEdits, Input, Protection, SealPhase, SourceOptions, UserGrammar } from "../types.js";
import { Upkeep } from "./updater.js";
import type { OnFound } from "./walk.js";
import { UserGrammars } from "../grammars/user-grammars.js";
import { Pause, watchWith } from "./watching.js";
import { planWorkers, type WorkerPlan } from "./worker-plan.js";

/** An index that is watched is stored when nothing has changed for so long. */
const STORE_AFTER_MS = 3_000;
/** Where the engine ran out of memory it is filled so much less the next time, and not below the last share. */
const LESS = 0.6;
const LEAST_SHARE = 0.2;

type Emit = (event: IndexEvent) => void;

export class Session {
  private index: AnsweringIndex | undefined;
  private tools: ParserTools;
  /** What was indexed. */
  private input: Input | undefined;
  /** How it can be looked at again. */
  private again:
    | {
        readonly context: IndexingContext;
        readonly opened: OpenedInput | undefined;
        readonly source?: SourceOptions | undefined;
      }
    | undefined;
  private embeds: boolean | undefined;
  private approximate: boolean | undefined;
  /** Ends the graph over vectors that is being built in the background. */
  private graphEnding = new AbortController();
  /** The memory of what is being made, and how much of it may be filled. */
  private room: Room | undefined;
  private memoryShare = 1;
  private upkeep: Upkeep | undefined;
  /** Where the index is kept, if that was asked for. */
  private kept: { readonly input: Input | undefined; readonly name: string } | undefined;
  private readonly remaking = new Remaking();
  /** How many times an index is being made at the moment. */
  private n_making = 0;
  /** Those who wait for an index while one is being made. */
  private waiting: (() => void)[] = [];
  /** The engine stopped when vectors were taken in. */
  private withoutVectors = false;
  /** One round after the other. */
  private updating: Promise<void> = Promise.resolve();

  private host: SessionHost;

  constructor(private readonly given: SessionHost) {
    this.host = given;
    this.tools = new ParserTools(given);
  }

  /** The model of what is indexed or opened from now on. */
  private useModel(model: EmbeddingModel | undefined): void {
    this.host.assets.own?.close();
    this.host = withModel(this.given, model);
  }

  /** Makes an index. Resolves when everything is done; `usable` is emitted as soon as questions can be asked. */
  async make(input: Input, options: WorkOptions, signal: AbortSignal, emit: Emit): Promise<void> {
    this.remaking.began({ input, options, emit });
    this.withoutVectors = false;
    await this.making(input, options, signal, emit);
  }

  private async making(input: Input, options: WorkOptions, signal: AbortSignal, emit: Emit): Promise<void> {
    this.n_making++;
    this.memoryShare = 1;
    try {
      for (let isFirst = true; ; isFirst = false) {
        const { number } = engineInstance;
        try {
          // What was indexed before is as full as it was.
          const { previous, ...anew } = options;
          const goesOn = previous !== undefined && this.memoryShare === 1;
          return await this.makeOnce(input, goesOn ? options : anew, signal, emit);
        } catch (error) {
          const full = this.room?.isLikelyOut === true ? this.room : undefined;
          const caught = engineInstance.caught(error, "to index");
          if (engineInstance.number === number || signal.aborted) throw caught;
          // Less is taken in, so that what fits is indexed.
          if (full && this.memoryShare * LESS > LEAST_SHARE) {
            this.memoryShare *= LESS;
            emit({ type: "warning", warning: toBody(full.again(LESS)) });
            continue;
          }
          // A question may have stopped the engine meanwhile, and what was read went with it: once more.
          if (!isFirst) throw caught;
        }
      }
    } finally {
      this.n_making--;
      this.wake();
    }
  }

  private async makeOnce(input: Input, options: WorkOptions, signal: AbortSignal, emit: Emit): Promise<void> {
    this.useModel(options.model);
    const spare = new SpareWorkers(this.host);
    const start = (n_workers: number) => options.previous === undefined && spare.start(n_workers);
    try {
      start(1);
      const n_bytes = this.host.prepare?.() ?? Infinity;
      const plan = planWorkers(this.host, options, n_bytes);
      start(plan.n_workers);
      if (plan.packsAside) spare.start(1);
      await this.makeWith(spare, plan, input, options, signal, emit);
    } finally {
      spare.close();
    }
  }

  private async makeWith(
    spare: SpareWorkers,
    plan: WorkerPlan,
    input: Input,
    options: WorkOptions,
    signal: AbortSignal,
    emit: Emit,
  ): Promise<void> {
    const warn = (warning: ErrorBody) => emit({ type: "warning", warning });
    const opened = await openInput(this.host, input);
    const name = options.name ?? opened.name;
    const engine = await this.host.assets.module("engine");
    const memory = Math.min(options.memory ?? this.host.memory ?? ADDRESSABLE, ADDRESSABLE);
    const room = new Room(engineInstance.start(engine) as InitOutput, memory * this.memoryShare);
    this.room = room;
    const users = new UserGrammars(options.grammars);
    await users.check(this.host);
    const recipe = await recipeOf(options);
    const previous =
      options.previous === undefined
        ? undefined
        : await builderFromBefore(() => this.host.store(input), name, options, recipe, warn);
    const builder = previous ?? newBuilder(name, options, users);
    builder.setRecipe(recipe);
    if (options.source?.languages) builder.checkLanguages();
    this.tools.close();
    this.tools = new ParserTools(this.host, users);
    const meter = new ProgressMeter((progress) => emit({ type: "progress", progress }));
    const host = spare.in(users.host(this.host));
    const context: IndexingContext = {
      ...plan,
      host,
      engine,
      builder,
      signal,
      meter,
      chunks: options.chunks,
      hints: options.hints !== false,
      languages: users.languages,
      onWarning: warn,
      room,
    };
    const embeds = options.embeddings !== false && !this.withoutVectors;
    this.leave();
    this.input = input;
    this.kept = options.store === true ? { input, name } : undefined;
    this.approximate = options.approximate;
    const list = (onFound?: OnFound) =>
      listSources(opened, builder, signal, (found) => {
        meter.report("reading", 0, found.length + 1);
        return onFound?.(found);
      });
    if (previous)
      return this.makeFrom(
        context,
        new Upkeep(this.host, context, opened, embeds),
        list,
        plan.packsAside,
        options,
        emit,
      );
    await this.makeNew(context, opened, list, name, options, emit);
  }

  /** The rest of `make` where everything is indexed. */
  private async makeNew(
    context: IndexingContext,
    opened: OpenedInput,
    list: (onFound?: OnFound) => Promise<Sources>,
    name: string,
    options: WorkOptions,
    emit: Emit,
  ): Promise<void> {
    const { engine, builder, signal, meter } = context;
    const embeds = options.embeddings !== false && !this.withoutVectors;
    let embedder = embeds && embedsEarly(this.host) ? new EmbedWorker(this.host, engine) : undefined;
    const first = options.early === true ? new EarlyAnswers(() => this.answerSoFar(builder, name, emit)) : undefined;
    const parsing = new Parsing(context);
    try {
      meter.report("reading", 0, 0);
      const early = embedder && embedEarly(context, embedder);
      await readAndParse(parsing, list);
      await early?.stop();
      // While this thread builds, those that have parsed embed and pack.
      const shares = embeds && embedder === undefined && this.host.assets.own === undefined;
      const saves = options.saves === true || options.store === true;
      const helpers = shares || saves ? parsing.keep(Number(shares) + Number(saves)) : [];
      if (helpers.length === 0) parsing.close();
      const [sharing, packer] = [helpers[0], helpers.at(-1)];
      if (embeds) {
        embedder ??= new EmbedWorker(this.host, engine, shares && sharing ? sharedThread(sharing) : undefined);
        embedder.ahead(builder);
      }
      const packing = saves && packer ? new PackingAhead(packer, shares && helpers.length === 1) : undefined;
      importScip(context, options.scip ?? []);
      first?.stop();
      this.replaceIndex(build(context, packing));
      this.warnIfEmpty(emit);
      emit({ type: "usable", name });
      const vectors = embedder;
      if (vectors) await this.addVectors(() => embedRest(context, vectors, early?.n_vectors() ?? 0), emit);
      if (options.approximate === true) await this.addGraph(signal, emit);
      await packing?.into(this.opened().wasm as EngineIndex);
      await this.store(meter, emit);
      this.addGraphLater(emit);
      // A list of files, and an archive, are what they are.
      this.again =
        "archive" in opened || Array.isArray(this.input) ? undefined : { context, opened, source: options.source };
      this.embeds = embeds;
    } finally {
      first?.stop();
      embedder?.close();
      parsing.close();
      engineInstance.free(builder);
    }
  }

  /** An index without files is hardly what was wanted: says why each file was left out. */
  private warnIfEmpty(emit: Emit): void {
    const { n_files, skipped } = this.opened().answer("status", {});
    if (n_files > 0) return;
    emit({ type: "warning", warning: toBody(nothingTaken(skipped)) });
  }

  /** Has questions answered from the files that are parsed so far; whether there are any. */
  private answerSoFar(builder: CodeIndexBuilder, name: string, emit: Emit): boolean {
    this.replaceIndex(engineInstance.run("to answer early", () => builder.build(Date.now())));
    const { n_files } = this.opened().answer("status", {});
    if (n_files > 0) emit({ type: "usable", name });
    return n_files > 0;
  }

  /** The rest of `make` where there is an index from before. */
  private async makeFrom(
    context: IndexingContext,
    upkeep: Upkeep,
    list: () => Promise<Sources>,
    packs: boolean,
    options: WorkOptions,
    emit: Emit,
  ): Promise<void> {
    const started = performance.now();
    this.upkeep = upkeep;
    this.again = { context, opened: upkeep.opened, source: options.source };
    this.embeds = options.embeddings !== false && !this.withoutVectors;
    if (!this.embeds) context.builder.dropVectors();
    if ((options.scip ?? []).length > 0) context.builder.clearScip();
    try {
      context.meter.report("reading", 0, 0);
      const changes = await upkeep.refresh(list);
      importScip(context, options.scip ?? []);
      const packing = packs ? upkeep.packing() : undefined;
      this.replaceIndex(upkeep.build(packing));
      this.warnIfEmpty(emit);
      emit({ type: "changes", changes, milliseconds: performance.now() - started });
      emit({ type: "usable", name: this.opened().answer("status", {}).name });
      await this.addVectors(() => upkeep.vectors(), emit);
      // Without a name of its own it keeps that of the index from before.
      if (this.kept) this.kept = { ...this.kept, name: options.name ?? this.opened().answer("status", {}).name };
      if (options.approximate === true) await this.addGraph(context.signal, emit);
      await packing?.into(this.opened().wasm as EngineIndex);
      await this.store(context.meter, emit);
      this.addGraphLater(emit);
    } catch (error) {
      this.leave();
      throw error;
    }
  }

  /** Brings the index up to date. Resolves when vectors are in, and it is stored, too; `changes` is emitted when all else is right. */
  update(edits: FileEdits | undefined, signal: AbortSignal, emit: Emit): Promise<void> {
    return this.inTurn(async () => {
      await this.ready();
      if (await this.updateNow(edits, signal, emit)) await this.store(this.upkeep?.context.meter, emit);
    });
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const run = this.updating.then(work);
    this.updating = run.then(
      () => {},
      () => {},
    );
    return run;
  }

  /** Whether anything has changed. */
  private async updateNow(edits: FileEdits | undefined, signal: AbortSignal, emit: Emit): Promise<boolean> {
    const started = performance.now();
    signal.throwIfAborted();
    this.upkeep ??= await this.resume();
    const { upkeep } = this;
    const { context } = upkeep;
    context.signal = signal;
    context.meter = new ProgressMeter((progress) => emit({ type: "progress", progress }));
    try {
      const changes = await upkeep.round(edits);
      this.remaking.updated(edits);
      const isChanged =
        changes.added.length + changes.modified.length + changes.deleted.length + changes.renamed.length > 0;
      if (isChanged) this.replaceIndex(upkeep.build());
      emit({ type: "changes", changes, milliseconds: performance.now() - started });
      await this.addVectors(() => upkeep.vectors(), emit);
      if (isChanged) this.addGraphLater(emit);
      return isChanged;
    } catch (error) {
      const caught = engineInstance.caught(error, "to update the index");
      // What the builder holds may be half of a round; the next one begins from the index.
      this.leave();
      throw caught;
    }
  }

  /** Brings the index up to date whenever something changes, until cancelled. Faults are warnings; watching goes on. */
  async watch(debounceMs: number, signal: AbortSignal, emit: Emit): Promise<void> {
    const warn = (error: unknown) => emit({ type: "warning", warning: toBody(fromThrown(error)) });
    this.upkeep ??= await this.resume();
    const { upkeep } = this;
    // Storing costs more than a round: it waits for a pause.
    const stored = new Pause(STORE_AFTER_MS, () => this.inTurn(() => this.store(undefined, emit)));
    const round = async () => {
      if (await this.inTurn(() => this.updateNow(undefined, signal, emit))) stored.later();
    };
    await watchWith(this.host, this.input, upkeep, debounceMs, signal, warn, round, () => this.upkeep);
    await stored.finish();
  }

  /** Makes ready for changes an index that was made or opened. */
  private async resume(): Promise<Upkeep> {
    const engine = await this.host.assets.module("engine");
    engineInstance.start(engine);
    await this.ready();
    const current = this.opened();
    const index = current.wasm instanceof EngineIndex ? current.wasm : EngineIndex.open(current.save());
    const builder = engineInstance.own(CodeIndexBuilder.reopen(index, this.again?.source ?? {}));
    if (index !== current.wasm) index.free();
    const { host = this.host, chunks, languages = [], n_workers = 1, parsesHere = false } = this.again?.context ?? {};
    const meter = new ProgressMeter(() => {});
    const context: IndexingContext = {
      host,
      engine,
      builder,
      signal: new AbortController().signal,
      meter,
      n_workers,
      parsesHere,
      chunks,
      hints: true,
      languages,
      onWarning: () => {},
    };
    const embeds = this.embeds ?? current.answer("status", {}).embedder !== "";
    return new Upkeep(this.host, context, this.again?.opened, embeds);
  }

  /** Has queries by meaning follow a graph instead of looking at every vector, from now until the index changes. */
  private async addGraph(signal: AbortSignal, emit: Emit): Promise<boolean> {
    try {
      return await addNeighbours(this.host, this.opened(), this.approximate === true, signal);
    } catch (error) {
      if (isAbort(error)) throw error;
      const reason = fromThrown(error).message;
      emit({
        type: "warning",
        warning: toBody(
          new PortolanError(
            "approximate.failed",
            `no graph over the vectors: ${reason}`,
            "search looks at every vector instead",
          ),
        ),
      });
      return false;
    }
  }

  /** As `addGraph`, in the background; what is stored has it, too, then. */
  private addGraphLater(emit: Emit): void {
    this.graphEnding.abort();
    this.graphEnding = new AbortController();
    const { signal } = this.graphEnding;
    if (this.approximate === false) return;
    const add = async () => {
      if (await this.addGraph(signal, emit)) await this.inTurn(() => this.store(undefined, emit));
    };
    void add().catch(() => {}); // only where it was ended
  }

  private leave(): void {
    this.upkeep?.close();
    this.upkeep = undefined;
  }

  /** Opens a snapshot; only the small reading artifact is loaded for it. */
  async open(
    given: Uint8Array,
    grammars?: readonly UserGrammar[],
    passphrase?: string,
    model?: EmbeddingModel,
    pathKey?: string,
  ): Promise<string> {
    this.useModel(model);
    return this.openSnapshot(await unsealed(this.host.assets, given, passphrase, pathKey), grammars);
  }

  private async openSnapshot(
    snapshot: Uint8Array | PieceFile,
    grammars: readonly UserGrammar[] | undefined,
  ): Promise<string> {
    const index = await openSnapshot(this.host.assets, snapshot);
    this.replaceIndex(index);
    this.tools.close();
    this.tools = ParserTools.for(index, this.host, grammars);
    return index.name();
  }

  /** Opens a snapshot on a server, of which only what questions read is fetched. */
  async openAddress(url: string): Promise<string> {
    const { index, name } = await openAddress(this.host.assets, url);
    this.replaceIndex(index);
    this.tools.close();
    this.tools = new ParserTools(this.host);
    return name;
  }

  async openStored(name: string, grammars?: readonly UserGrammar[], model?: EmbeddingModel): Promise<string> {
    const store = this.host.store();
    const file = await store.pieces?.(name);
    if (file && !isSealed(file.read(0, Math.min(file.n_bytes, N_MAGIC)))) {
      this.useModel(model);
      return this.openSnapshot(file, grammars);
    }
    const bytes = await store.get(name);
    if (!bytes)
      throw new PortolanError(
        "storage.not-found",
        `no stored index is named "${name}"`,
        "list() tells which there are",
      );
    return this.open(bytes, grammars, undefined, model);
  }

  async ask(question: Question, request: unknown): Promise<unknown> {
    await this.ready();
    return this.opened().ask(question, request as never);
  }

  /** Makes the index again where the engine stopped, and the index with it. */
  async ready(): Promise<void> {
    if (!this.index?.isGone) return;
    if (this.n_making > 0) {
      await new Promise<void>((resolve) => this.waiting.push(resolve));
      return this.ready();
    }
    this.leave();
    await this.remaking.run(
      async ({ input, name }) => this.openAgain(input, name),
      (made) => this.makeAgain(made),
    );
  }

  /** Opens what was stored; whether it is there. */
  private async openAgain(input: Input | undefined, name: string): Promise<boolean> {
    const store = this.host.store(input);
    const snapshot = (await store.pieces?.(name)) ?? (await store.get(name));
    if (snapshot) this.replaceIndex(await openSnapshot(this.host.assets, snapshot));
    return snapshot !== undefined;
  }

  /** Resolves when questions can be asked; vectors follow. */
  private makeAgain({ input, options, emit }: Made): Promise<void> {
    const edits = this.remaking.pendingEdits();
    const { signal } = new AbortController();
    return new Promise((resolve, reject) => {
      const onEvent: Emit = (event) => {
        emit(event);
        if (event.type === "usable" && !edits) resolve();
      };
      const warn = (error: unknown) => emit({ type: "warning", warning: toBody(error) });
      this.making(input, { ...options, early: false }, signal, onEvent)
        .then(() => edits && this.updateNow(edits, signal, emit))
        .then(() => resolve())
        .catch((error: unknown) => {
          reject(error as Error);
          warn(error);
        });
    });
  }

  async highlights(path: string): Promise<Uint32Array<ArrayBuffer>> {
    await this.ready();
    await this.opened().prepareText(path);
    return this.tools.highlights(this.opened(), path);
  }

  async structural(
    request: StructuralRequest,
    signal: AbortSignal,
    onProgress?: FormProgress,
  ): Promise<StructuralResponse> {
    await this.ready();
    return this.tools.structural(this.opened(), request, signal, onProgress);
  }

  /** The snapshot in pieces: see `WriteSnapshot`. */
  saveTo(give: Parameters<WriteSnapshot>[0]): void {
    this.opened().saveTo(give);
  }

  save(): Uint8Array<ArrayBuffer> {
    return this.opened().save();
  }

  /** Stores the index under a name, now and whenever it changes. */
  async keep(name: string): Promise<StoredState> {
    let stored: StoredState = { state: "off" };
    this.kept = { input: this.input, name };
    await this.ready();
    const note: Emit = (event) => {
      if (event.type === "stored") stored = event.stored;
    };
    await this.inTurn(() => this.store(undefined, note));
    return stored;
  }

  /** The snapshot as it may be handed on, made by a worker of its own: meanwhile questions are answered, and it can be ended at once. */
  async saveProtected(
    how: Protection,
    signal: AbortSignal,
    onPhase: (phase: SealPhase) => void,
  ): Promise<Uint8Array<ArrayBuffer>> {
    signal.throwIfAborted();
    await this.ready();
    const bytes = this.save();
    const worker = new Caller<SealProtocol>(this.host.spawn("seal"));
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
    this.graphEnding.abort();
    this.leave();
    this.tools.close();
    this.index?.close();
    this.index = undefined;
  }

  private opened(): AnsweringIndex {
    if (!this.index) throw new PortolanError("index.closed", "nothing is indexed or opened yet");
    return this.index;
  }

  private replaceIndex(index: CodeIndex | AnsweringIndex): void {
    this.graphEnding.abort();
    const old = this.index;
    const instance = engineInstance;
    this.index = index instanceof AnsweringIndex ? index : new AnsweringIndex(index, this.host.assets, { instance });
    old?.free();
    this.wake();
  }

  private wake(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  private async addVectors(compute: () => Promise<CodeIndex | undefined>, emit: Emit): Promise<void> {
    try {
      const index = await compute();
      if (!index) return;
      this.replaceIndex(index);
      emit({ type: "vectors" });
    } catch (error) {
      if (isAbort(error)) throw error;
      const caught = engineInstance.caught(error, "to take vectors in");
      // Everything else went with the engine. It is made again, without what stopped it.
      if (isTrap(error)) {
        this.withoutVectors ||= !isOfEarlierInstance(error);
        throw caught;
      }
      const reason = fromThrown(error).message;
      emit({
        type: "warning",
        warning: toBody(
          new PortolanError("embedding.failed", `no vectors: ${reason}`, "search goes on with words and names"),
        ),
      });
    }
  }

  /** Stores the index, where that was asked for. A failure costs the copy in the store, never the index. */
  private async store(meter: ProgressMeter | undefined, emit: Emit): Promise<void> {
    if (!this.kept) return;
    const { input, name } = this.kept;
    const tell = (stored: StoredState) => emit({ type: "stored", stored });
    tell({ state: "saving" });
    try {
      meter?.report("saving", 0, 1);
      const { n_files } = this.opened().answer("status", {});
      await this.host.store(input).put({ name, write: (give) => this.saveTo(give), n_files, saved_at: Date.now() });
      meter?.report("saving", 1, 1);
      this.remaking.stored({ input, name });
      tell({ state: "saved" });
    } catch (error) {
      const stored = toStoredState(error);
      if (stored.error) emit({ type: "warning", warning: stored.error });
      tell(stored);
    }
  }
}
