/**
 * The flow from files to an index, inside the index worker: walk → read → parse in the pool → build → vectors → build.
 *
 * Words, names and the graph can be asked after the first build; vectors are computed by the embedding worker, which
 * starts while files are still parsed where there are cores to spare, and the index is then replaced by one that has them.
 * Where there is an index already, only what has changed since is read: `refresh`.
 */

import type { CodeIndex, CodeIndexBuilder, FileChanges } from "../../wasm/engine.js";
import type { ErrorBody } from "../../wasm/reader.js";
import type { EmbedWorker } from "./embedding.js";
import { fromThrown, isTrap, PortolanError, toBody } from "../errors.js";
import type { SessionHost } from "../host.js";
import type { PackingAhead } from "./packing.js";
import { LeftOut } from "./left-out.js";
import { LazyParsing, readFile, stamp, type ChangedFile, type Parsing } from "./parsing.js";
import type { ProgressMeter } from "./progress.js";
import type { MemoryBudget } from "../engine/memory-budget.js";
import type { Sources } from "./sources.js";
import type { LanguageInit, Replay } from "../rpc/protocol.js";
import type { ChunkOptions, FileInput } from "../types.js";
import { bytesOf, type FoundFile, type OnFound } from "./walk.js";

/** The state that the steps of the flow share. */
export interface IndexingContext {
  readonly host: SessionHost;
  readonly engine: WebAssembly.Module;
  /** Another one for each group of files, where an index is made in shards. */
  builder: CodeIndexBuilder;
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
  readonly budget?: MemoryBudget | undefined;
}

/** Below this the embedding worker would take its core from parsing. */
const CORES_TO_EMBED_EARLY = 4;

/** Reads and parses everything. The builder holds all texts and file units afterwards. */
export async function readAndParse(parsing: Parsing, list: (onFound: OnFound) => Promise<Sources>): Promise<void> {
  const sources = await list((found) => parsing.ahead(found));
  await (sources.kind === "archive" ? parsing.archive(sources.bytes) : parsing.files(sources.files));
  await parsing.finish();
}

/** Brings what the builder holds up to date with the files there are now; only those that have changed are parsed. */
export async function refresh(
  context: IndexingContext,
  list: () => Promise<Sources>,
  parsing = new LazyParsing(context),
): Promise<FileChanges> {
  const { builder } = context;
  builder.beginWalk();
  const sources = await list();
  const changed =
    sources.kind === "archive" ? unpackChanged(context, sources.bytes) : await readChanged(context, sources.files);
  const changes = builder.endRound(true);
  await parsing.parse(changed, changes);
  return changes;
}

/** Brings what the builder holds to a state that is told by its difference from it; all files that differ are given. */
export async function replayed(
  { builder }: IndexingContext,
  files: readonly FileInput[],
  { deleted, skipped }: Replay,
  parsing: LazyParsing,
): Promise<FileChanges> {
  builder.beginWalk();
  for (const { path, code, message } of skipped) builder.leaveOut(path, code, message);
  for (const path of deleted) builder.removeFile(path);
  const changed: ChangedFile[] = [];
  for (const file of files) {
    const bytes = "bytes" in file ? file.bytes : await bytesOf(file.file);
    const admitted = builder.add(file.path, bytes);
    if (admitted) changed.push({ admitted, bytes });
  }
  const changes = builder.endRound(false);
  await parsing.parse(changed, changes);
  return changes;
}

function unpackChanged({ builder, meter }: IndexingContext, archive: Uint8Array): ChangedFile[] {
  meter.report("reading", 0, 1);
  const changed = builder.addArchive(archive).map((admitted) => ({ admitted, bytes: builder.bytesOf(admitted.path) }));
  meter.report("reading", 1, 1);
  return changed;
}

async function readChanged(context: IndexingContext, found: readonly FoundFile[]): Promise<ChangedFile[]> {
  const { builder, meter, signal, budget } = context;
  const changed: ChangedFile[] = [];
  const left = new LeftOut(context);
  let n_read = 0;
  let n_unchanged = 0;
  let n_taken = 0;
  for (const { path, size, modified, file } of found) {
    signal.throwIfAborted();
    n_read++;
    n_taken += size;
    if (context.hints && modified !== undefined && builder.isStamped(path, size, modified)) {
      n_unchanged++;
      continue;
    }
    if (left.isAny || budget?.holds(n_taken) === false) {
      left.add(path, size);
      n_taken -= size;
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
  left.tell();
  return changed;
}

/** Imports compilers' indexes. An unusable one costs a warning, not the index. */
export function importScip(context: IndexingContext, indexes: readonly Uint8Array[]): void {
  for (const bytes of indexes) {
    context.signal.throwIfAborted();
    try {
      const { tool, n_documents, n_used, stale, unknown } = context.builder.importScip(bytes);
      const left = [
        ...some(stale.length, "of another text than the file has", stale),
        ...some(unknown.length, "of files that are not in the index", unknown),
      ];
      if (left.length === 0) continue;
      const message = `${tool || "SCIP"}: ${n_used} of ${n_documents} documents are used; ${left.join("; ")}`;
      context.onWarning(toBody(new PortolanError("scip.stale", message, "make the SCIP index anew from these files")));
    } catch (error) {
      if (isTrap(error)) throw error; // the builder went with it
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

/**
 * Computes the vectors that are missing and gives the index that has them; nothing where there is nothing to embed. `beside` is called when
 * the other thread has texts to embed.
 */
export async function embedRest(
  context: IndexingContext,
  worker: EmbedWorker,
  n_early: number,
  beside?: () => void,
): Promise<CodeIndex | undefined> {
  const total = n_early + context.builder.pendingCount();
  let done = n_early;
  context.meter.report("embedding", done, total);
  const onDone = (n_texts: number) => {
    done += n_texts;
    context.meter.report("embedding", done, total);
  };
  while (await worker.step(context.builder, context.signal, onDone, beside));
  context.signal.throwIfAborted();
  return done > 0 ? context.builder.attachVectors(Date.now()) : undefined;
}

/** Whether vectors are computed while files are still parsed. */
export function embedsEarly(host: SessionHost): boolean {
  return host.parallelism >= CORES_TO_EMBED_EARLY;
}
