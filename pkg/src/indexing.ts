/**
 * The flow from files to an index, inside the index worker: walk → read → parse in the pool → build → vectors → build.
 *
 * Words, names and the graph can be asked after the first build; vectors are computed by the embedding worker, which
 * starts while files are still parsed where there are cores to spare, and the index is then replaced by one that has them.
 * Where there is an index already, only what has changed since is read: `refresh`.
 */

import type { Admitted, CodeIndex, CodeIndexBuilder, FileChanges } from "../wasm/engine.js";
import type { ErrorBody } from "../wasm/reader.js";
import type { EmbedWorker } from "./embedding.js";
import { fromThrown, PortolanError, toBody } from "./errors.js";
import { GRAMMAR_HELP } from "./grammars.js";
import type { SessionHost } from "./host.js";
import type { PackingAhead } from "./packing.js";
import { ParsePool, type Batch } from "./parse-pool.js";
import { ProgressMeter } from "./progress.js";
import type { ParseFile, ParseProtocol, ParseResult } from "./protocol.js";
import type { Room } from "./room.js";
import type { Caller } from "./rpc.js";
import type { Sources } from "./sources.js";
import type { LanguageInit } from "./user-grammars.js";
import type { ChunkOptions } from "./types.js";
import { messageOf, type FoundFile, type OnFound } from "./walk.js";

/** What the flow works with. */
export interface IndexingContext {
  readonly host: SessionHost;
  readonly engine: WebAssembly.Module;
  readonly builder: CodeIndexBuilder;
  /** Another one for each round of changes. */
  signal: AbortSignal;
  meter: ProgressMeter;
  readonly n_workers: number;
  /** Whether this thread parses, too, where its host can: it has a core to itself and would wait. */
  readonly parsesHere: boolean;
  readonly chunks?: ChunkOptions | undefined;
  /** Take a file whose size and time are those of the last time for unchanged. */
  readonly hints: boolean;
  /** Languages that the user brings. */
  readonly languages: readonly LanguageInit[];
  readonly onWarning: (warning: ErrorBody) => void;
  /** The builder's memory; absent where little is to come. */
  readonly room?: Room | undefined;
}

/** Large enough that messages cost nothing, small enough that the last batch keeps no worker waiting. */
const BATCH_BYTES = { first: 48 * 1024, min: 24 * 1024, max: 192 * 1024 };
const BATCH_FILES = 48;
/** Batches that a worker is given where the bytes suffice: the first comes soon, the last is short. */
const BATCHES_OF_A_WORKER = 8;
/** Where this thread parses, too, it is soon done with each. */
const SHARED_BATCH_BYTES = { first: 16 * 1024, min: 8 * 1024 };
/** A worker takes as long to come up as this thread to parse so much. */
const BYTES_ALONE = 100_000;
/** Workers have that much to do while files are listed. */
const TURN_MS = 3;
/** Below this the embedding worker would take its core from parsing. */
const CORES_TO_EMBED_EARLY = 4;

/** Reads and parses everything. The builder holds all texts and file units afterwards. */
export async function readAndParse(parsing: Parsing, list: (onFound: OnFound) => Promise<Sources>): Promise<void> {
  const sources = await list((found) => parsing.ahead(found));
  await (sources.kind === "archive" ? parsing.archive(sources.bytes) : parsing.files(sources.files));
  await parsing.finish();
}

/** Brings what the builder holds up to date with the files there are now; only those that have changed are parsed. */
export async function refresh(context: IndexingContext, list: () => Promise<Sources>, parsing = new LazyParsing(context)): Promise<FileChanges> {
  const { builder } = context;
  builder.beginWalk();
  const sources = await list();
  const changed = sources.kind === "archive" ? unpackChanged(context, sources.bytes) : await readChanged(context, sources.files);
  const changes = builder.endRound(true);
  await parsing.parse(changed, changes);
  return changes;
}

/** A file that is new or another than before. */
export interface ChangedFile {
  readonly admitted: Admitted;
  readonly bytes: Uint8Array;
}

function unpackChanged({ builder, meter }: IndexingContext, archive: Uint8Array): ChangedFile[] {
  meter.report("reading", 0, 1);
  const changed = builder.addArchive(archive).map((admitted) => ({ admitted, bytes: builder.bytesOf(admitted.path) }));
  meter.report("reading", 1, 1);
  return changed;
}

async function readChanged(context: IndexingContext, found: readonly FoundFile[]): Promise<ChangedFile[]> {
  const { builder, meter, signal } = context;
  const changed: ChangedFile[] = [];
  let n_read = 0;
  let n_unchanged = 0;
  for (const { path, size, modified, file } of found) {
    signal.throwIfAborted();
    n_read++;
    if (context.hints && modified !== undefined && builder.isStamped(path, size, modified)) {
      n_unchanged++;
      continue;
    }
    const bytes = await readFile(builder, path, file);
    const admitted = bytes && builder.add(path, bytes);
    if (admitted) changed.push({ admitted, bytes });
    else n_unchanged++;
    stamp(builder, path, size, modified);
    meter.report("reading", n_read, found.length, path, n_unchanged);
  }
  meter.report("reading", found.length, found.length, undefined, n_unchanged);
  return changed;
}

/** Lets messages come in, where timers do not make that take milliseconds. */
function turn(): Promise<void> | undefined {
  const { setImmediate } = globalThis as { setImmediate?: (then: () => void) => void };
  return setImmediate && new Promise((resolve) => setImmediate(resolve));
}

async function readFile(builder: CodeIndexBuilder, path: string, file: FoundFile["file"]): Promise<Uint8Array | undefined> {
  try {
    const bytes = file.read();
    return bytes instanceof Uint8Array ? bytes : await bytes;
  } catch (error) {
    builder.skipUnreadable(path, messageOf(error));
    return undefined;
  }
}

/** A file that was written so lately may be written again within the same tick of the disk's clock. */
const TOO_FRESH_MS = 2_000;

function stamp(builder: CodeIndexBuilder, path: string, size: number, modified: number | undefined): void {
  if (modified !== undefined && Date.now() - modified > TOO_FRESH_MS) builder.stamp(path, size, modified);
}

/** Workers that start when there is something to parse, and stay for the next round. */
export class LazyParsing {
  private parsing: Parsing | undefined;

  constructor(private readonly context: IndexingContext) {}

  /** Parses what was added or modified; what was only renamed keeps what was read of it. */
  async parse(files: readonly ChangedFile[], changes: FileChanges): Promise<void> {
    const renamed = new Set(changes.renamed.map(({ to }) => to));
    const rest = files.filter(({ admitted }) => !renamed.has(admitted.path));
    if (rest.length === 0) return;
    const parsing = this.started();
    try {
      await parsing.changed(rest);
      await parsing.finish();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** A worker for what else there is to do. */
  worker(): Caller<ParseProtocol> {
    return this.started().worker();
  }

  private started(): Parsing {
    return (this.parsing ??= new Parsing(this.context, true));
  }

  /** The parser in this thread, where there is one and it was needed. */
  here(): Caller<ParseProtocol> | undefined {
    return this.parsing?.here();
  }

  close(): void {
    this.parsing?.close();
    this.parsing = undefined;
  }
}

/** Takes in what compilers say of the files. What cannot be used costs a warning, not the index. */
export function importScip(context: IndexingContext, indexes: readonly Uint8Array[]): void {
  for (const bytes of indexes) {
    context.signal.throwIfAborted();
    try {
      const { tool, n_documents, n_used, stale, unknown } = context.builder.importScip(bytes);
      const left = [...some(stale.length, "of another text than the file has", stale), ...some(unknown.length, "of files that are not in the index", unknown)];
      if (left.length === 0) continue;
      const message = `${tool || "SCIP"}: ${n_used} of ${n_documents} documents are used; ${left.join("; ")}`;
      context.onWarning(toBody(new PortolanError("scip.stale", message, "make the SCIP index anew from these files")));
    } catch (error) {
      context.onWarning(toBody(fromThrown(error)));
    }
  }
}

function some(n: number, what: string, paths: readonly string[]): string[] {
  return n === 0 ? [] : [`${n} ${what} (${paths.slice(0, 3).join(", ")}${n > 3 ? ", …" : ""})`];
}

/** Freezes what the builder holds. Blocks this worker while it runs. `packing` is handed what can be packed meanwhile. */
export function build(context: IndexingContext, packing?: PackingAhead): CodeIndex {
  context.signal.throwIfAborted();
  context.meter.report("building", 0, 1);
  const index = context.builder.build(Date.now(), packing?.give);
  context.meter.report("building", 1, 1);
  return index;
}

/** Computes the vectors that are missing and gives the index that has them; nothing where there is nothing to embed. */
export async function embedRest(context: IndexingContext, worker: EmbedWorker, n_early: number): Promise<CodeIndex | undefined> {
  const total = n_early + context.builder.pendingCount();
  let done = n_early;
  context.meter.report("embedding", done, total);
  const onDone = (n_texts: number) => context.meter.report("embedding", (done += n_texts), total);
  while (await worker.step(context.builder, context.signal, onDone));
  context.signal.throwIfAborted();
  return done > 0 ? context.builder.attachVectors(Date.now()) : undefined;
}

/** Whether vectors are computed while files are still parsed. */
export function embedsEarly(host: SessionHost): boolean {
  return host.parallelism >= CORES_TO_EMBED_EARLY;
}

/** Workers that parse, and what is on the way to them. */
export class Parsing {
  private readonly pool: ParsePool;
  private readonly grammars = new Map<string, Promise<WebAssembly.Module | undefined>>();
  private readonly running = new Set<Promise<void>>();
  /** Batches being filled, by grammar. */
  private readonly batches = new Map<string | undefined, { files: ParseFile[]; n_bytes: number }>();
  private failure: unknown;
  private batchBytes = BATCH_BYTES.max;
  /** When messages last had their turn. */
  private turnedAt = 0;
  /** Files that were read, of those that are listed. */
  private n_read = 0;
  private n_parsed = 0;
  private n_admitted = 0;
  /** Bytes of the files that there is room for, and those for which there was none. */
  private n_taken = 0;
  private left = { n_files: 0, n_bytes: 0 };
  /** Resolves when the work is cancelled: a grammar that is long in coming keeps nobody waiting. */
  private readonly cancelled: Promise<void>;

  /** Whether this thread parses, too. */
  private readonly isShared: boolean;

  /** @param few whether there is likely so little to parse that no worker is needed. */
  constructor(
    private readonly context: IndexingContext,
    private readonly few = false,
  ) {
    const { signal, host, n_workers, parsesHere } = context;
    const here = few || parsesHere ? host.parserHere : undefined;
    this.isShared = here !== undefined;
    this.cancelled = new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    this.pool = new ParsePool({
      spawn: () => context.host.spawn("parse"),
      here,
      lazy: few,
      size: n_workers,
      engine: context.engine,
      chunks: context.chunks,
      languages: context.languages,
      grammar: (name) => this.grammar(name),
      onResult: (result) => this.take(result),
    });
  }

  async files(found: readonly FoundFile[]): Promise<void> {
    const n_bytes = found.reduce((sum, { size }) => sum + size, 0);
    const caution = this.context.room?.caution(n_bytes);
    if (caution) this.context.onWarning(toBody(caution));
    this.context.room?.forTexts(n_bytes);
    this.plan(n_bytes);
    while (this.n_read < found.length) await this.read(found);
  }

  /** While files are still listed: as many of them as there are workers waiting for. */
  async ahead(found: readonly FoundFile[]): Promise<void> {
    this.batchBytes = (this.isShared ? SHARED_BATCH_BYTES : BATCH_BYTES).first;
    while (this.n_read < found.length && this.pool.hasRoom()) await this.read(found);
    // A walk that never waits would keep what workers answer waiting.
    if (performance.now() < this.turnedAt + TURN_MS) return;
    await turn();
    this.turnedAt = performance.now();
  }

  /** Reads the next file. */
  private async read(found: readonly FoundFile[]): Promise<void> {
    const { path, size, modified, file } = found[this.n_read]!;
    const { builder, meter } = this.context;
    if (!this.hasRoom(path, size)) return meter.report("reading", ++this.n_read, found.length, path);
    const bytes = await readFile(builder, path, file);
    const admitted = bytes && builder.add(path, bytes);
    stamp(builder, path, size, modified);
    meter.report("reading", ++this.n_read, found.length, path);
    if (admitted) await this.enqueue(admitted, bytes);
  }

  async archive(bytes: Uint8Array): Promise<void> {
    const { builder, meter } = this.context;
    meter.report("reading", 0, 1);
    const admitted = builder.addArchive(bytes);
    meter.report("reading", admitted.length, admitted.length);
    for (const file of admitted) {
      const bytes = builder.bytesOf(file.path);
      if (this.hasRoom(file.path, bytes.length)) await this.enqueue(file, bytes);
    }
  }

  async changed(files: readonly ChangedFile[]): Promise<void> {
    this.n_parsed = this.n_admitted = 0;
    this.plan(files.reduce((sum, { bytes }) => sum + bytes.length, 0));
    for (const { admitted, bytes } of files) await this.enqueue(admitted, bytes);
  }

  async finish(): Promise<void> {
    for (const grammar of [...this.batches.keys()]) await this.send(grammar);
    while (this.running.size > 0) {
      await Promise.race([...this.running, this.cancelled]);
      this.check();
    }
    this.check();
    this.context.meter.report("parsing", this.n_parsed, this.n_parsed);
    const { room } = this.context;
    if (room && this.left.n_files > 0) this.context.onWarning(toBody(room.leftOut(this.left.n_files, this.left.n_bytes)));
    this.left = { n_files: 0, n_bytes: 0 };
  }

  close(): void {
    this.pool.close();
  }

  /** The parser in this thread, if there is one. */
  here(): Caller<ParseProtocol> | undefined {
    return this.pool.here();
  }

  /** A worker for what else there is to do. */
  worker(): Caller<ParseProtocol> {
    return this.pool.worker();
  }

  /** When everything is parsed: up to `n` of the workers, one at least, for what is left to do beside building. The others are closed. */
  keep(n: number): Caller<ParseProtocol>[] {
    return this.pool.keep(n);
  }

  /** Whether there is memory for one more file. From the first one on for which there is none, files are left out. */
  private hasRoom(path: string, n_bytes: number): boolean {
    const { room, builder } = this.context;
    if (!room || (this.left.n_files === 0 && room.fits(this.n_taken + n_bytes))) {
      this.n_taken += n_bytes;
      return true;
    }
    builder.leaveOut(path, "memory", "there was no memory for more files");
    this.left.n_files++;
    this.left.n_bytes += n_bytes;
    return false;
  }

  /** Sizes batches by what there is to parse, and starts the workers for them. */
  private plan(n_bytes: number): void {
    const share = n_bytes / ((this.context.n_workers + Number(this.isShared)) * BATCHES_OF_A_WORKER);
    this.batchBytes = Math.min(BATCH_BYTES.max, Math.max((this.isShared ? SHARED_BATCH_BYTES : BATCH_BYTES).min, share));
    if (!this.few || !this.isShared || n_bytes > BYTES_ALONE) this.pool.expect(Math.ceil(n_bytes / this.batchBytes));
  }

  private async enqueue({ path, grammar }: Admitted, bytes: Uint8Array): Promise<void> {
    this.n_admitted++;
    let batch = this.batches.get(grammar);
    if (!batch) this.batches.set(grammar, (batch = { files: [], n_bytes: 0 }));
    batch.files.push({ path, bytes });
    batch.n_bytes += bytes.length;
    if (grammar !== undefined) void this.grammar(grammar); // compiles while the batch fills
    if (batch.n_bytes >= this.batchBytes || batch.files.length >= BATCH_FILES) await this.send(grammar);
  }

  private async send(grammar: string | undefined): Promise<void> {
    this.check();
    const files = this.batches.get(grammar)?.files ?? [];
    this.batches.delete(grammar);
    if (files.length === 0) return;
    const batch: Batch = { files, grammars: new Set(grammar === undefined ? [] : [grammar]) };
    const submitted = this.pool.submit(batch);
    await Promise.race([submitted, this.cancelled]);
    this.check();
    const { done } = await submitted;
    const running = done
      .catch((error: unknown) => void (this.failure ??= error))
      .finally(() => this.running.delete(running));
    this.running.add(running);
  }

  private check(): void {
    this.context.signal.throwIfAborted();
    if (this.failure !== undefined) throw this.failure;
  }

  private take(result: Pick<ParseResult, "units" | "warnings">): void {
    for (const { path, unit } of result.units) this.context.builder.put(path, unit);
    for (const warning of result.warnings) this.warnOnce(warning);
    this.context.room?.keep();
    this.n_parsed += result.units.length;
    this.context.meter.report("parsing", this.n_parsed, this.n_admitted, result.units.at(-1)?.path);
  }

  private readonly warned = new Set<string>();

  private warnOnce(warning: ErrorBody): void {
    if (this.warned.has(warning.message)) return;
    this.warned.add(warning.message);
    this.context.onWarning(warning);
  }

  /** Fetched and compiled once, then posted to each worker that needs it. */
  private grammar(name: string): Promise<WebAssembly.Module | undefined> {
    let module = this.grammars.get(name);
    if (!module) this.grammars.set(name, (module = this.fetchGrammar(name)));
    return module;
  }

  private async fetchGrammar(name: string): Promise<WebAssembly.Module | undefined> {
    try {
      return await this.context.host.assets.grammar(name);
    } catch (error) {
      const message = `the grammar for ${name} could not be loaded: ${messageOf(error)}`;
      this.warnOnce(toBody(new PortolanError("grammar.load", message, GRAMMAR_HELP)));
      return undefined;
    }
  }
}
