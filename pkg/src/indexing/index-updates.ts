/** Keeps an index up to date after the run that made it: one round after the other, on demand or whenever a file changes. */

import { CodeIndex as EngineIndex, CodeIndexBuilder } from "../../wasm/engine.js";
import { engineInstance } from "../engine/engine-instance.js";
import { fromThrown, toBody } from "../errors.js";
import type { OpenedInput } from "../host.js";
import type { FileEdits, Input, SourceOptions } from "../types.js";
import type { CurrentIndex, Emit } from "./current-index.js";
import type { IndexingContext } from "./pipeline.js";
import { ProgressMeter } from "./progress.js";
import type { Recovery } from "./recovery.js";
import type { StoredCopy } from "./stored-copy.js";
import { Updater } from "./updater.js";
import { Heard, Pause, watchWith } from "./watching.js";

/** An index that is watched is stored when nothing has changed for so long. */
const STORE_AFTER_MS = 3_000;

/** How the files of an index can be looked at again, and are then indexed as before. */
export interface IndexedInput {
  readonly context: IndexingContext;
  readonly opened: OpenedInput | undefined;
  readonly source: SourceOptions | undefined;
}

export class IndexUpdates {
  private indexed: IndexedInput | undefined;
  private input: Input | undefined;
  private embeds: boolean | undefined;
  private approximate: boolean | undefined;
  private updater: Updater | undefined;
  private last: Promise<void> = Promise.resolve();
  private readonly heard = new Heard();

  constructor(
    private readonly index: CurrentIndex,
    private readonly copy: StoredCopy,
    private readonly recovery: Recovery,
    private readonly ready: () => Promise<void>,
  ) {}

  /** The input that was indexed. */
  get indexedInput(): Input | undefined {
    return this.input;
  }

  /** Notes that a run indexes this input. */
  began(input: Input, approximate: boolean | undefined): void {
    this.leave();
    this.input = input;
    this.approximate = approximate;
  }

  /** Notes how updates go on with what a run has indexed. */
  continueFrom(indexed: IndexedInput | undefined, embeds: boolean, updater?: Updater): void {
    this.indexed = indexed;
    this.embeds = embeds;
    if (updater) this.updater = updater;
  }

  /** Brings the index up to date. Resolves when vectors are in, and it is stored, too; `changes` is emitted when all else is right. */
  update(edits: FileEdits | undefined, signal: AbortSignal, emit: Emit): Promise<void> {
    return this.inTurn(async () => {
      await this.ready();
      if (await this.updateNow(edits, signal, emit)) await this.copy.store(this.updater?.context.meter, emit);
    });
  }

  /** Runs `work` after all that was given before. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const run = this.last.then(work);
    this.last = run.then(
      () => {},
      () => {},
    );
    return run;
  }

  /** Runs a round at once. Whether anything has changed. */
  async updateNow(edits: FileEdits | undefined, signal: AbortSignal, emit: Emit): Promise<boolean> {
    const started = performance.now();
    signal.throwIfAborted();
    this.updater ??= await this.resume();
    const { updater } = this;
    const { context } = updater;
    const { count } = this.heard;
    context.signal = signal;
    context.meter = new ProgressMeter((progress) => emit({ type: "progress", progress }));
    try {
      const changes = await updater.round(edits);
      if (!edits) {
        this.heard.walked(updater.folders, count);
        emit({ type: "folders", folders: updater.folders });
      }
      this.recovery.updated(edits);
      const isChanged =
        changes.added.length + changes.modified.length + changes.deleted.length + changes.renamed.length > 0;
      if (isChanged) this.index.replace(updater.build());
      emit({ type: "changes", changes, milliseconds: performance.now() - started });
      await this.index.addVectors(
        () => updater.vectors(),
        emit,
        () => this.recovery.leaveVectorsOut(),
      );
      if (isChanged) this.addGraphLater(emit);
      return isChanged;
    } catch (error) {
      const caught = engineInstance.caught(error, "to update the index");
      // The builder may hold half of a round; the next one begins from the index.
      this.leave();
      this.heard.missed();
      throw caught;
    }
  }

  /** Brings the index up to date whenever something changes, until cancelled. Faults are warnings; watching continues. */
  async watch(debounceMs: number, signal: AbortSignal, emit: Emit): Promise<void> {
    const warn = (error: unknown) => emit({ type: "warning", warning: toBody(fromThrown(error)) });
    this.updater ??= await this.resume();
    // Storing costs more than a round: it waits for a pause.
    const stored = new Pause(STORE_AFTER_MS, () => this.inTurn(() => this.copy.store(undefined, emit)));
    const round = async () => {
      if (await this.inTurn(() => this.updateNow(undefined, signal, emit))) stored.later();
    };
    const { heard, index, input } = this;
    await watchWith(heard, { host: index.host, input, debounceMs, signal, onError: warn, round });
    await stored.finish();
  }

  /** Builds a graph over the vectors in the background, and stores the index with it. */
  addGraphLater(emit: Emit): void {
    this.index.addGraphLater(this.approximate, emit, () => this.inTurn(() => this.copy.store(undefined, emit)));
  }

  /** Frees the builder and ends the workers that were kept for the next round. */
  leave(): void {
    this.updater?.close();
    this.updater = undefined;
  }

  /** Makes an index ready for rounds that was opened, or whose builder was freed. */
  private async resume(): Promise<Updater> {
    const { host } = this.index;
    const engine = await host.assets.module("engine");
    engineInstance.start(engine);
    await this.ready();
    const current = this.index.get();
    const index = current.wasm instanceof EngineIndex ? current.wasm : EngineIndex.open(current.save());
    const builder = engineInstance.own(CodeIndexBuilder.reopen(index, this.indexed?.source ?? {}));
    if (index !== current.wasm) index.free();
    const before = this.indexed?.context;
    const context: IndexingContext = {
      host: before?.host ?? this.index.host,
      engine,
      builder,
      signal: new AbortController().signal,
      meter: new ProgressMeter(() => {}),
      n_workers: before?.n_workers ?? 1,
      parsesHere: before?.parsesHere ?? false,
      chunks: before?.chunks,
      hints: true,
      languages: before?.languages ?? [],
      onWarning: () => {},
    };
    const embeds = this.embeds ?? current.answer("status", {}).embedder !== "";
    return new Updater(this.index.host, context, this.indexed?.opened, embeds);
  }
}
