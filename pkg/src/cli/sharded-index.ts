/** `portolan index --shards` and `--memory-budget`: an index in several files, for folders that one memory does not hold. */

import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { resolve } from "node:path";

import type { ErrorBody } from "../../wasm/reader.js";
import { UsageError, wholeNumber, type Command } from "../commands/options.js";
import { PortolanError } from "../errors.js";
import { indexInShards, type ShardSize } from "../indexing/sharding.js";
import { bindIndex } from "../node/bind-index.js";
import { writeSnapshot, type SnapshotTarget } from "../node/file-store.js";
import { removeOtherShards, shardPath } from "../node/index-file.js";
import { nativeProgram } from "../node/native.js";
import { hostOfCommand } from "../node/tiering.js";
import { WaitingFile } from "../node/waiting-file.js";
import type { WorkOptions } from "../rpc/protocol.js";
import { visible } from "../visible.js";
import { cannot } from "./native-index.js";
import type { ProgressLine } from "./progress-line.js";

/** Megabytes of a budget: the least, and a terabyte. */
const BUDGET = { min: 64, max: 1 << 20 };
const MEGABYTE = 1_000_000;

/** The summary of a run, as the native program prints it. */
export interface ShardedSummary {
  readonly index: string;
  /** Of the root and its shards. */
  readonly n_bytes: number;
  readonly n_root_bytes: number;
  readonly n_shards: number;
  readonly n_files: number;
  readonly seconds: number;
  readonly engine: "native" | "wasm";
}

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

/** Options of the command line that say what to index and where, as the native program takes them, too. */
const PASSED = [
  "shards",
  "memory-budget",
  "name",
  "include",
  "exclude",
  "only-language",
  "max-file-bytes",
  "max-files",
];

/** A run of the command. */
export interface ShardedRun {
  readonly command: Command;
  readonly path: string;
  readonly folder: string;
  readonly target: string;
  readonly size: ShardSize;
  readonly work: WorkOptions;
  readonly written: SnapshotTarget;
  readonly line: ProgressLine;
}

/** Indexes a folder in shards: by the native program where there is one, else in WebAssembly. */
export async function shardedIndex(run: ShardedRun): Promise<ShardedSummary> {
  const { command, path } = run;
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new PortolanError("input.unsupported", `${path} is no folder, and shards are made of folders`);
  if ((run.work.scip ?? []).length > 0)
    throw new PortolanError(
      "query.unsupported",
      "an index in shards cannot take in a compiler's index",
      "index without it",
    );
  const { engine = "auto" } = command.options;
  const program = engine === "wasm" ? undefined : nativeProgram();
  const lack = program === undefined ? "there is none for this system" : cannot(command, path, run.work);
  if (program !== undefined && lack === undefined) return natively(run, program);
  if (engine === "native")
    throw new PortolanError("engine.native", `the native program cannot index this: ${lack}`, "leave --engine out");
  return inWebAssembly(run);
}

async function inWebAssembly({ path, folder, target, size, work, written, line }: ShardedRun): Promise<ShardedSummary> {
  const started = performance.now();
  const files: string[] = [];
  let n_bytes = 0;
  let empty: ErrorBody | undefined;
  const made = await indexInShards({
    host: { ...hostOfCommand(), wait: () => new WaitingFile() },
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
  return { index: target, n_bytes: n_bytes + n_root_bytes, n_root_bytes, n_shards, n_files, seconds, engine: "wasm" };
}

async function natively({ command, path, target, work, line }: ShardedRun, program: string): Promise<ShardedSummary> {
  const options = command.options as Readonly<Record<string, unknown>>;
  const passed = PASSED.flatMap((name) =>
    [options[name]].flat().flatMap((value) => (value === undefined ? [] : [`--${name}`, String(value)])),
  );
  const args = ["index", resolve(path), "--output", target, "--json", ...passed];
  if (work.embeddings === false) args.push("--no-embeddings");
  if (work.workers !== undefined) args.push("--threads", String(work.workers));
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], env: process.env });
  const said = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (said.out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said.err += text));
  const code = await new Promise<number | string>((done) => {
    child.on("error", (error) => done(error.message));
    child.on("close", (code, signal) => done(code ?? signal ?? "no code"));
  });
  line.end();
  if (code !== 0)
    throw new PortolanError("engine.native", `${program} ended with ${code}: ${visible(said.err.trim().slice(-500))}`);
  return { ...(JSON.parse(said.out) as ShardedSummary), engine: "native" };
}

/** The summary for a person. */
export function shardedText({ index, n_files, n_shards, n_bytes, n_root_bytes, seconds }: ShardedSummary): string {
  const megabytes = (n: number) => (n / 1e6).toFixed(1);
  return `${n_files} files in ${n_shards} shards, ${seconds.toFixed(1)} s\n${index} (${megabytes(n_root_bytes)} MB, and ${megabytes(n_bytes - n_root_bytes)} MB of shards beside it)\n`;
}
