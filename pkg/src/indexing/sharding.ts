/**
 * Makes an index in shards, with one shard in memory at a time: list, parse each group of files, then resolve and write each shard.
 *
 * Between the passes the files of a group wait where the host keeps them, so nothing is read or parsed twice, and a file that changes meanwhile
 * changes nothing. The same number of shards gives the bytes that the native program makes.
 */

import { ShardsBuilder, type CodeIndexBuilder, type InitOutput } from "../../wasm/engine.js";
import { engineInstance } from "../engine/engine-instance.js";
import { ADDRESSABLE, ShardMemory } from "../engine/memory-budget.js";
import { isTrap, PortolanError, toBody } from "../errors.js";
import { UserGrammars } from "../grammars/user-grammars.js";
import type { SessionHost, WaitingFiles, WriteSnapshot } from "../host.js";
import type { WorkOptions } from "../rpc/protocol.js";
import type { Progress } from "../types.js";
import type { ErrorBody } from "../../wasm/reader.js";
import { newBuilder, recipeOf } from "./builders.js";
import { EmbedWorker, sharedThread } from "./embedding.js";
import { PackingAhead } from "./packing.js";
import { Parsing } from "./parsing.js";
import type { IndexingContext } from "./pipeline.js";
import { ProgressMeter } from "./progress.js";
import { listSources, nothingTaken, openInput } from "./sources.js";
import type { FoundFile } from "./walk.js";
import { planWorkers } from "./worker-plan.js";

/** About how large shards are: their number, or the bytes of memory that building may take. */
export interface ShardSize {
  readonly number: number;
  readonly isMemory: boolean;
}

/** A run that makes shards. */
export interface ShardingRequest {
  readonly host: SessionHost & { wait(): WaitingFiles };
  readonly path: string;
  readonly options: WorkOptions;
  readonly size: ShardSize;
  /** Keeps the bytes of a shard under a name; they are valid until it returns. */
  readonly write: (name: string, bytes: Uint8Array) => void;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
  readonly onWarning: (warning: ErrorBody) => void;
}

export interface Sharded {
  /** Passes the bytes of the root on, in pieces. */
  readonly root: WriteSnapshot;
  readonly n_shards: number;
  readonly n_files: number;
  readonly n_skipped: number;
}

/** Indexes a folder in shards. The root is returned: it is to be written when all shards are. */
export async function indexInShards(request: ShardingRequest): Promise<Sharded> {
  const memory = new ShardMemory(
    engineInstance.start(await request.host.assets.module("engine")) as InitOutput,
    ADDRESSABLE,
  );
  try {
    return await new Sharding(request, memory).run();
  } catch (error) {
    const isFull = isTrap(error) && memory.isLikelyOut;
    const caught = engineInstance.caught(error, "to index in shards");
    if (!isFull) throw caught;
    const message = "the engine ran out of memory while the shards were made";
    throw new PortolanError("index.too-large", message, "give more --shards, or leave folders out with --exclude", {
      cause: error,
    });
  }
}

/** Number of groups, about, that are joined into a shard (crates/shards/src/size.rs). */
const GROUPS_OF_SHARD = 4;

/** The files of a group between the passes. */
interface Group {
  readonly waiting: WaitingFiles;
  readonly n_files: number;
}

class Sharding {
  private readonly meter: ProgressMeter;
  private readonly groups: Group[] = [];
  private begin!: () => CodeIndexBuilder;
  private skipped: { path: string; code: string; message: string }[] = [];

  constructor(
    private readonly request: ShardingRequest,
    private readonly memory: ShardMemory,
  ) {
    this.meter = new ProgressMeter(request.onProgress);
  }

  async run(): Promise<Sharded> {
    const { host, options } = this.request;
    const users = new UserGrammars(options.grammars);
    await users.check(host);
    const { found, shards } = await this.list(users);
    const context = await this.context(users, found);
    const parsing = new Parsing(context);
    try {
      await this.parseGroups(context, parsing, found, shards);
      const n_files = this.groups.reduce((sum, group) => sum + group.n_files, 0);
      if (n_files === 0) this.request.onWarning(toBody(nothingTaken(this.skipped)));
      const n_shards = await this.buildShards(context, parsing, shards);
      shards.finish(this.now());
      const root: WriteSnapshot = (give) => shards.root(give);
      return { root, n_shards, n_files, n_skipped: this.skipped.length };
    } finally {
      parsing.close();
      for (const { waiting } of this.groups) waiting.close();
    }
  }

  /** Lists the files that are to be read, by group, without reading them. */
  private async list(users: UserGrammars): Promise<{ found: FoundFile[][]; shards: ShardsBuilder }> {
    const { host, path, options, size, signal } = this.request;
    const opened = await openInput(host, path);
    const recipe = await recipeOf(options);
    this.begin = () => {
      const builder = newBuilder(options.name ?? opened.name, options, users);
      builder.setRecipe(recipe);
      return builder;
    };
    const builder = this.begin();
    if (options.source?.languages) builder.checkLanguages();
    this.meter.report("reading", 0, 0);
    const sources = await listSources(opened, builder, signal, () => {});
    if (sources.kind === "archive")
      throw new PortolanError("input.unsupported", "an archive is not indexed in shards", "unpack it first");
    const sizes = sources.files.map((file) => file.size);
    const n_bytes = sizes.reduce((sum, n) => sum + n, 0);
    const shards = new ShardsBuilder(builder, n_bytes, size.number, size.isMemory);
    this.skipped = builder.skippedFiles().files;
    engineInstance.free(builder);
    const groups = shards.groups(
      sources.files.map((file) => file.path),
      Float64Array.from(sizes),
    );
    const found = Array.from(
      { length: groups.reduce((most, group) => Math.max(most, group + 1), 0) },
      () => [] as FoundFile[],
    );
    for (const [at, file] of sources.files.entries()) found[groups[at] ?? 0]?.push(file);
    return { found, shards };
  }

  private async context(users: UserGrammars, found: readonly FoundFile[][]): Promise<IndexingContext> {
    const { host, options, signal, onWarning } = this.request;
    const n_bytes = found.flat().reduce((sum, { size }) => sum + size, 0);
    const { n_workers, parsesHere } = planWorkers(host, { ...options, saves: true }, n_bytes);
    const largest = Math.max(0, ...found.map((group) => group.reduce((sum, { size }) => sum + size, 0)));
    this.memory.forShards(n_bytes, largest * GROUPS_OF_SHARD);
    return {
      host: users.host(host),
      engine: await host.assets.module("engine"),
      builder: this.begin(),
      signal,
      meter: this.meter,
      n_workers,
      parsesHere,
      chunks: options.chunks,
      hints: false,
      languages: users.languages,
      onWarning,
      budget: this.memory,
    };
  }

  /** The first pass. */
  private async parseGroups(
    context: IndexingContext,
    parsing: Parsing,
    found: readonly FoundFile[][],
    shards: ShardsBuilder,
  ): Promise<void> {
    const all = found.flat();
    let end = 0;
    for (const files of found) {
      end += files.length;
      await parsing.upTo(all, end);
      const waiting = this.request.host.wait();
      const give = (record: Uint8Array) => waiting.write(record);
      const n_files = shards.add(this.groups.length, context.builder, give);
      if (n_files > 0) this.groups.push({ waiting, n_files });
      else waiting.close();
      this.skipped.push(...context.builder.skippedFiles().files);
      this.renew(context);
    }
  }

  /** The second pass; returns the number of shards. */
  private async buildShards(context: IndexingContext, parsing: Parsing, shards: ShardsBuilder): Promise<number> {
    const { host, options, write } = this.request;
    const shardOf = shards.join();
    const n_shards = shardOf.reduce((most, shard) => Math.max(most, shard + 1), 0);
    const embeds = options.embeddings !== false;
    const isShared = embeds && host.assets.own === undefined;
    const helpers = parsing.keep(isShared ? 2 : 1);
    const [first, packer] = [helpers[0], helpers.at(-1)];
    const thread = isShared && first ? sharedThread(first) : undefined;
    const embedder = embeds ? new EmbedWorker(host, context.engine, thread) : undefined;
    try {
      for (let shard = 0; shard < n_shards; shard++) {
        this.meter.report("building", shard, n_shards);
        this.restore(context, (group) => shardOf[group] === shard);
        while (await embedder?.step(context.builder, context.signal, () => {}));
        context.signal.throwIfAborted();
        const packing = packer && new PackingAhead(packer);
        const index = engineInstance.own(shards.build(shard, context.builder, this.now(), packing?.give));
        await packing?.into(index);
        shards.save(shard, index, write);
        engineInstance.free(index);
        this.renew(context);
      }
    } finally {
      embedder?.close();
    }
    this.meter.report("building", n_shards, n_shards);
    return n_shards;
  }

  private restore(context: IndexingContext, isOfShard: (group: number) => boolean): void {
    for (const [at, { waiting }] of this.groups.entries()) {
      if (!isOfShard(at)) continue;
      context.builder.restore(waiting.read());
      waiting.close();
    }
  }

  /** An empty builder in place of the one that the context has. */
  private renew(context: IndexingContext): void {
    engineInstance.free(context.builder);
    context.builder = this.begin();
    this.memory.keep();
  }

  /** All parts of an index have one time. */
  private readonly started = Date.now();

  private now(): number {
    return this.started;
  }
}
