/** `portolan index --shards` and `--memory-budget`: an index in several files, for folders that one memory does not hold. */

import type { ErrorBody } from "../../wasm/reader.js";
import { UsageError, wholeNumber, type Command } from "../commands/options.js";
import { PortolanError } from "../errors.js";
import { indexInShards, type ShardSize } from "../indexing/sharding.js";
import { bindIndex } from "../node/bind-index.js";
import { writeSnapshot, type SnapshotTarget } from "../node/file-store.js";
import { openPath as openHere } from "../node/files.js";
import { isRootAt, removeOtherShards, shardPath, shardsBeside } from "../node/index-file.js";
import { LookRecorder, lookOf, type Seen } from "../node/look.js";
import type { NativeSharded } from "../node/native.js";
import { isOwnIndex } from "../node/own-index.js";
import { hostOfCommand } from "../node/tiering.js";
import { WaitingFile } from "../node/waiting-file.js";
import type { WorkOptions } from "../rpc/protocol.js";
import { visible } from "../visible.js";
import { shardsNatively } from "./native-index.js";
import type { ProgressLine } from "./progress-line.js";

/** Megabytes of a budget: the least, and a terabyte. */
const BUDGET = { min: 64, max: 1 << 20 };
const MEGABYTE = 1_000_000;

/** The summary of a run. */
export type ShardedSummary = NativeSharded["summary"] & {
  readonly engine: "native" | "wasm";
  /** Where nothing had changed: there is no other kind of update. */
  readonly changes?: FileChangeCounts;
};

type FileChangeCounts = Readonly<Record<"added" | "modified" | "deleted" | "renamed" | "unchanged", number>>;

/** The size of shards that the command line asks for; nothing where the index is to be in one piece. */
export function shardSize({ options }: Command): ShardSize | undefined {
  const number = wholeNumber(options.shards, "shards", 1);
  const budget = wholeNumber(options["memory-budget"], "memory-budget", BUDGET.min);
  if (number !== undefined && budget !== undefined)
    throw new UsageError("index: give --shards or --memory-budget, not both");
  if (budget !== undefined && budget > BUDGET.max)
    throw new UsageError(`--memory-budget is ${BUDGET.min} to ${BUDGET.max} megabytes`);
  if (number !== undefined) return { number, isMemory: false };
  return budget === undefined ? undefined : { number: budget * MEGABYTE, isMemory: true };
}

/**
 * The size that the index at `target` was made with, or the number of its shards; nothing where that is in one piece, or was not
 * made here: it is replaced then.
 */
export function sizeAt(target: string): ShardSize | undefined {
  if (!isRootAt(target) || !isOwnIndex(target)) return undefined;
  const kept = lookOf(target)?.summary as { readonly size?: ShardSize } | undefined;
  // The number that was asked for is about the number that was made.
  return kept?.size ?? { number: Math.max(1, shardsBeside(target).length), isMemory: false };
}

/** A run of the command. */
export interface ShardedRun {
  readonly command: Command;
  readonly path: string;
  readonly folder: string;
  readonly target: string;
  readonly size: ShardSize;
  readonly work: WorkOptions;
  readonly written: Required<SnapshotTarget>;
  readonly line: Pick<ProgressLine, "show" | "note" | "end">;
}

/** Indexes a folder in shards: by the native program where there is one, else in WebAssembly. The look is that of its files before they were read. */
export async function shardedIndex(run: ShardedRun): Promise<{ summary: ShardedSummary; look: Seen }> {
  const { command, path, target, size, written, work, line } = run;
  if ((work.scip ?? []).length > 0)
    throw new PortolanError(
      "query.unsupported",
      "an index in shards cannot take in a compiler's index",
      "index without it",
    );
  const { repositories } = written;
  const is_full = command.options.full === true;
  const sharded = { output: target, repositories, size: size.number, is_memory: size.isMemory, is_full };
  const made = await shardsNatively(command, path, work, sharded, line);
  if (!made) return inWebAssembly(run);
  line.end();
  return { summary: { ...made.summary, engine: "native" }, look: { seen: () => made.walked } };
}

async function inWebAssembly({ path, folder, target, size, work, written, line }: ShardedRun) {
  const started = performance.now();
  const look = new LookRecorder();
  const openPath = async (place: string) => openHere(place, look);
  const files: string[] = [];
  let n_bytes = 0;
  let empty: ErrorBody | undefined;
  const made = await indexInShards({
    host: { ...hostOfCommand(), openPath, wait: () => new WaitingFile() },
    path,
    options: work,
    size,
    signal: new AbortController().signal,
    onProgress: (progress) => line.show(progress),
    onWarning(warning) {
      if (warning.code === "index.empty") empty = warning;
      else line.note(`portolan: ${visible(warning.message)} [${warning.code}]`);
    },
    write(name, bytes) {
      const file = shardPath(target, name);
      n_bytes += writeSnapshot(file, bytes, written);
      bindIndex(file, folder);
      files.push(file);
    },
  });
  // Until here a reader has the old index, whose shards are all there.
  const n_root_bytes = writeSnapshot(target, made.root, written);
  bindIndex(target, folder);
  removeOtherShards(target, files);
  line.end();
  if (empty) throw new PortolanError(empty.code, empty.message, empty.help);
  const seconds = Number(((performance.now() - started) / 1000).toFixed(3));
  const { n_shards, n_files } = made;
  const sizes = { n_bytes: n_bytes + n_root_bytes, n_root_bytes, n_shards, n_files, n_unchanged: 0 };
  const summary: ShardedSummary = { index: target, ...sizes, seconds, engine: "wasm" };
  return { summary, look };
}

/** The summary for a person. */
export function shardedText(summary: ShardedSummary): string {
  const { index, n_files, n_shards, n_bytes, n_root_bytes, changes, seconds } = summary;
  const megabytes = (n: number) => (n / 1e6).toFixed(1);
  const what = changes ? "nothing has changed\n" : "";
  return `${what}${n_files} files in ${n_shards} shards, ${seconds.toFixed(1)} s\n${index} (${megabytes(n_root_bytes)} MB, and ${megabytes(n_bytes - n_root_bytes)} MB of shards beside it)\n`;
}
