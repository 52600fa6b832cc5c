/**
 * One run from an input to an index. Its object is made for the run and ends with it; the index, its stored copy, the updates that follow
 * and the recovery after a trap outlive it.
 *
 * Where the engine runs out of memory, the job starts again and fills less of it.
 */

import type { CodeIndex as EngineIndex, CodeIndexBuilder, InitOutput } from "../../wasm/engine.js";
import type { ErrorBody } from "../../wasm/reader.js";
import { engineInstance } from "../engine/engine-instance.js";
import { ADDRESSABLE, MemoryBudget } from "../engine/memory-budget.js";
import { PortolanError, toBody } from "../errors.js";
import { UserGrammars } from "../grammars/user-grammars.js";
import type { OpenedInput } from "../host.js";
import type { WorkOptions } from "../rpc/protocol.js";
import type { FileInput, Input } from "../types.js";
import { builderFromBefore, newBuilder, recipeOf } from "./builders.js";
import type { CurrentIndex, Emit } from "./current-index.js";
import { EarlyAnswers } from "./early-answers.js";
import { embedEarly, EmbedWorker, sharedThread } from "./embedding.js";
import type { IndexUpdates } from "./index-updates.js";
import { PackingAhead } from "./packing.js";
import { Parsing } from "./parsing.js";
import { build, embedRest, embedsEarly, importScip, readAndParse, type IndexingContext } from "./pipeline.js";
import { ProgressMeter } from "./progress.js";
import type { Recovery } from "./recovery.js";
import { listSources, nothingTaken, openInput, type Remote } from "./sources.js";
import { SpareWorkers } from "./spare-workers.js";
import type { StoredCopy } from "./stored-copy.js";
import { Updater } from "./updater.js";
import type { OnFound } from "./walk.js";
import { planWorkers, type WorkerPlan } from "./worker-plan.js";

/** The share of the memory that is filled after the engine ran out of it, each time, and the least. */
const LESS = 0.6;
const LEAST_SHARE = 0.2;

/** After so much the engine that parsed in this thread is worth collecting: it takes milliseconds and frees as much again. */
const BYTES_TO_COLLECT = 4_000_000;

/** The objects that outlive a job. */
export interface JobTarget {
  readonly index: CurrentIndex;
  readonly copy: StoredCopy;
  readonly updates: IndexUpdates;
  readonly recovery: Recovery;
}

/** The folder that a source names; folders that the caller names limit it further. */
function within(include: readonly string[], { source }: WorkOptions): string[] {
  return source?.include ?? [...include];
}

/** An attempt that is ready to read files. */
interface Prepared {
  readonly context: IndexingContext;
  readonly opened: OpenedInput;
  readonly name: string;
  readonly options: WorkOptions;
  /** Whether the builder continues an earlier index. */
  readonly isUpdate: boolean;
  readonly packsAside: boolean;
}

export class IndexingJob {
  private memoryShare = 1;
  private budget: MemoryBudget | undefined;

  constructor(
    private readonly target: JobTarget,
    private readonly input: Input,
    private readonly options: WorkOptions,
    private readonly signal: AbortSignal,
    private readonly emit: Emit,
  ) {}

  /** Resolves when everything is done, vectors and the stored copy included; `usable` is emitted as soon as questions can be asked. */
  async run(): Promise<void> {
    for (let isFirst = true; ; isFirst = false) {
      const { number } = engineInstance;
      try {
        return await this.attempt();
      } catch (error) {
        const full = this.budget?.isLikelyOut === true ? this.budget : undefined;
        const caught = engineInstance.caught(error, "to index");
        if (engineInstance.number === number || this.signal.aborted) throw caught;
        // Less is taken in, so that what fits is indexed.
        if (full && this.memoryShare * LESS > LEAST_SHARE) {
          this.memoryShare *= LESS;
          this.warn(toBody(full.again(LESS)));
          continue;
        }
        // A question may have stopped the engine meanwhile, and all that was read went with it: once more.
        if (!isFirst) throw caught;
      }
    }
  }

  private warn(warning: ErrorBody): void {
    this.emit({ type: "warning", warning });
  }

  private get embeds(): boolean {
    return this.options.embeddings !== false && !this.target.recovery.leavesVectorsOut;
  }

  private async attempt(): Promise<void> {
    const { index } = this.target;
    const { previous, ...anew } = this.options;
    // With less memory an index from before is of no use: it is as full as it was.
    const isFirst = this.memoryShare === 1 || anew.replay !== undefined;
    const options: WorkOptions = previous !== undefined && isFirst ? this.options : anew;
    index.useModel(options.model);
    const spare = new SpareWorkers(index.host);
    const start = (n_workers: number) => options.previous === undefined && spare.start(n_workers);
    try {
      start(1);
      const n_bytes = index.host.prepare?.() ?? Infinity;
      const plan = planWorkers(index.host, options, n_bytes);
      start(plan.n_workers);
      if (plan.packsAside) spare.start(1);
      const prepared = await this.prepare(spare, plan, options);
      await (prepared.isUpdate ? this.updatePrevious(prepared) : this.indexAll(prepared));
    } finally {
      spare.close();
    }
  }

  /** How a source on another host is fetched; its events are waits and the README. */
  private remote(): Remote {
    const { emit, signal } = this;
    return {
      settings: this.options.remote ?? {},
      events: {
        signal,
        onWait: (waiting) => emit({ type: "progress", progress: { phase: "reading", done: 0, total: 0, waiting } }),
        onReadme: (readme) => emit({ type: "readme", readme }),
      },
    };
  }

  /** Opens the input and the engine, and makes the builder. */
  private async prepare(spare: SpareWorkers, plan: WorkerPlan, given: WorkOptions): Promise<Prepared> {
    const { index, copy, updates } = this.target;
    const { host } = index;
    const { signal, emit, input } = this;
    const warn = (warning: ErrorBody) => this.warn(warning);
    const opened = await openInput(host, input, this.remote());
    const options = opened.include
      ? { ...given, source: { ...given.source, include: within(opened.include, given) } }
      : given;
    const name = options.name ?? opened.name;
    const engine = await host.assets.module("engine");
    const memory = Math.min(options.memory ?? host.memory ?? ADDRESSABLE, ADDRESSABLE);
    const budget = new MemoryBudget(engineInstance.start(engine) as InitOutput, memory * this.memoryShare);
    this.budget = budget;
    const users = new UserGrammars(options.grammars);
    await users.check(host);
    const recipe = await recipeOf(options);
    const previous =
      options.previous === undefined
        ? undefined
        : await builderFromBefore(() => host.store(input), name, options, recipe, budget, warn);
    // The files that are given are a part: alone they would make another index.
    if (options.replay && !previous) throw new PortolanError("previous.unusable", "the earlier index cannot be used");
    const builder = previous ?? newBuilder(name, options, users);
    builder.setRecipe(recipe);
    if (options.source?.languages) builder.checkLanguages();
    index.useGrammars(users);
    const context: IndexingContext = {
      n_workers: plan.n_workers,
      parsesHere: plan.parsesHere,
      host: spare.in(users.host(host)),
      engine,
      builder,
      signal,
      meter: new ProgressMeter((progress) => emit({ type: "progress", progress })),
      chunks: options.chunks,
      hints: options.hints !== false,
      languages: users.languages,
      onWarning: warn,
      budget,
    };
    updates.began(input, options.approximate);
    copy.keepAt(options.store === true ? { input, name } : undefined);
    return { context, opened, name, options, isUpdate: previous !== undefined, packsAside: plan.packsAside };
  }

  private list({ context, opened }: Prepared, onFound?: OnFound) {
    return listSources(opened, context.builder, this.signal, (found) => {
      context.meter.report("reading", 0, found.length + 1);
      return onFound?.(found);
    });
  }

  /** Reads and parses every file, then builds. */
  private async indexAll(prepared: Prepared): Promise<void> {
    const { context, opened, name, options } = prepared;
    const { engine, builder, meter } = context;
    const { index, updates } = this.target;
    const { host } = index;
    const { embeds } = this;
    let embedder = embeds && embedsEarly(host) ? new EmbedWorker(host, engine) : undefined;
    const first = options.early === true ? new EarlyAnswers(() => this.answerSoFar(builder, name)) : undefined;
    const parsing = new Parsing(context);
    try {
      meter.report("reading", 0, 0);
      const early = embedder && embedEarly(context, embedder);
      await readAndParse(parsing, (onFound) => this.list(prepared, onFound));
      await early?.stop();
      // While this thread builds, those that have parsed embed and pack.
      const shares = embeds && embedder === undefined && host.assets.own === undefined;
      const saves = options.saves === true || options.store === true;
      const helpers = shares || saves ? parsing.keep(Number(shares) + Number(saves)) : [];
      if (helpers.length === 0) parsing.close();
      if (parsing.n_bytes >= BYTES_TO_COLLECT) host.collect?.();
      const [sharing, packer] = [helpers[0], helpers.at(-1)];
      if (embeds) {
        embedder ??= new EmbedWorker(host, engine, shares && sharing ? sharedThread(sharing) : undefined);
        embedder.ahead(builder);
      }
      const packing = saves && packer ? new PackingAhead(packer, shares && helpers.length === 1) : undefined;
      importScip(context, options.scip ?? []);
      first?.stop();
      index.replace(build(context, packing));
      this.warnIfEmpty();
      this.emit({ type: "usable", name });
      const vectors = embedder;
      if (vectors) await this.addVectors(() => embedRest(context, vectors, early?.n_vectors() ?? 0, packing?.packOwn));
      await this.finish(context, packing);
      // Lists of files and archives do not change.
      const isFinal = "archive" in opened || opened.remote !== undefined || Array.isArray(this.input);
      updates.continueFrom(isFinal ? undefined : { context, opened, source: options.source }, embeds);
    } finally {
      first?.stop();
      embedder?.close();
      parsing.close();
      engineInstance.free(builder);
    }
  }

  /** Reads and parses the files that changed since the index from before, then builds. */
  private async updatePrevious(prepared: Prepared): Promise<void> {
    const started = performance.now();
    const { context, opened, options, packsAside } = prepared;
    const { index, copy, updates } = this.target;
    const { embeds, emit } = this;
    const updater = new Updater(index.host, context, opened, embeds);
    updates.continueFrom({ context, opened, source: options.source }, embeds, updater);
    if (!embeds) context.builder.dropVectors();
    if ((options.scip ?? []).length > 0) context.builder.clearScip();
    try {
      context.meter.report("reading", 0, 0);
      const { replay } = options;
      const changes = replay
        ? await updater.replay(this.input as readonly FileInput[], replay)
        : await updater.refresh(() => this.list(prepared));
      importScip(context, options.scip ?? []);
      const packing = packsAside ? updater.packing() : undefined;
      index.replace(updater.build(packing));
      this.warnIfEmpty();
      emit({ type: "changes", changes, milliseconds: performance.now() - started });
      emit({ type: "usable", name: index.get().answer("status", {}).name });
      await this.addVectors(() => updater.vectors());
      // Without a name of its own it keeps that of the index from before.
      if (copy.isKept) copy.rename(options.name ?? index.get().answer("status", {}).name);
      await this.finish(context, packing);
    } catch (error) {
      updates.leave();
      throw error;
    }
  }

  /** Adds the graph over the vectors and stores the index, if the options ask for these. */
  private async finish({ meter }: IndexingContext, packing: PackingAhead | undefined): Promise<void> {
    const { index, copy, updates } = this.target;
    const { approximate } = this.options;
    if (approximate === true) await index.addGraph(approximate, this.signal, this.emit);
    await packing?.into(index.get().wasm as EngineIndex);
    await copy.store(meter, this.emit);
    updates.addGraphLater(this.emit);
  }

  private addVectors(compute: () => Promise<EngineIndex | undefined>): Promise<void> {
    const { index, recovery } = this.target;
    return index.addVectors(compute, this.emit, () => recovery.leaveVectorsOut());
  }

  /** An index without files is hardly wanted: explains why each file was left out. */
  private warnIfEmpty(): void {
    const { n_files, skipped } = this.target.index.get().answer("status", {});
    if (n_files === 0) this.warn(toBody(nothingTaken(skipped)));
  }

  /** Has questions answered from the files that are parsed so far; whether there are any. */
  private answerSoFar(builder: CodeIndexBuilder, name: string): boolean {
    const { index } = this.target;
    index.replace(engineInstance.run("to answer early", () => builder.build(Date.now())));
    const { n_files } = index.get().answer("status", {});
    if (n_files > 0) this.emit({ type: "usable", name });
    return n_files > 0;
  }
}
