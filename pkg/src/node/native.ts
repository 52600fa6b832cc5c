/**
 * The native program, an optional accelerator: the same engine, compiled for this machine, indexes with all cores and makes the same
 * file. It comes as an optional package for each system; PORTOLAN_NATIVE names another one. Nothing of a repository can name it.
 */

import { spawn, type ChildProcess } from "node:child_process";
import { statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, isAbsolute, join } from "node:path";
import type { Readable } from "node:stream";

import type { ErrorBody } from "../../wasm/reader.js";
import type { Status } from "../answers.js";
import { PortolanError } from "../errors.js";
import type { Differences } from "../indexing/differences.js";
import type { FileChanges, Progress, SourceOptions } from "../types.js";
import type { SeenFolder } from "./look.js";

/** Codes of an error that says nothing about the files. */
const OF_THE_PROGRAM = ["engine.native", "job.invalid"];
const PROGRAM = process.platform === "win32" ? "portolan.exe" : "portolan";

/** Returns the path of the program; nothing where there is none for this system. */
export function nativeProgram(): string | undefined {
  const named = process.env.PORTOLAN_NATIVE;
  // A relative path would mean another program in each folder; a word such as `no` means none.
  if (named !== undefined && named !== "") return isAbsolute(named) && isFile(named) ? named : undefined;
  try {
    const { resolve } = createRequire(import.meta.url);
    const path = join(dirname(resolve(`${packageOf(process.platform, process.arch)}/package.json`)), PROGRAM);
    return isFile(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

/** The optional package that has the program for a system, such as `portolan-linux-x64`. */
export function packageOf(platform: string, arch: string): string {
  return `portolan-${platform}-${arch}`;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** One run from a folder to an index, as `crates/portolan/src/program/job.rs` reads it. */
export interface NativeJob {
  readonly version: string;
  readonly folder: string;
  readonly name?: string;
  readonly source: SourceOptions;
  readonly embeddings: boolean;
  /** The time of the index, in milliseconds since 1970. */
  readonly now: number;
  readonly threads?: number;
  /** The file of the index to bring up to date. */
  readonly previous?: string;
  readonly reads_all: boolean;
  /** Make an index in shards, and write it. */
  readonly sharded?: {
    /** The file of the root. */
    readonly output: string;
    /** Below these no link is followed. */
    readonly repositories: readonly string[];
    /** The number of shards, or bytes of memory. */
    readonly size: number;
    readonly is_memory: boolean;
    /** Parse every file, also those that the index there has facts of. */
    readonly is_full: boolean;
  };
  /** Find the difference from the earlier index: the maximum size of the files that differ, in bytes. */
  readonly differs?: number;
  /** Make the index of the earlier one and this difference. */
  readonly replay?: NativeDifference;
}

/** A difference from an index, without the bytes of its files. */
export interface NativeDifference {
  readonly files: readonly (readonly [path: string, n_bytes: number])[];
  readonly deleted: readonly string[];
  readonly skipped: Differences["skipped"];
}

/** The difference of a folder from an index. */
export interface NativelyFound {
  /** Nothing where not all can be told by a difference. */
  readonly differences: Differences | undefined;
  /** How the folders looked; nothing where the system does not tell. */
  readonly walked: readonly SeenFolder[] | undefined;
}

/** The summary of an index in shards that a job made. */
export interface NativeSharded {
  readonly summary: {
    readonly index: string;
    /** Of the root and its shards. */
    readonly n_bytes: number;
    readonly n_root_bytes: number;
    readonly n_shards: number;
    readonly n_files: number;
    /** Files whose facts were taken from the earlier index. In WebAssembly all are parsed. */
    readonly n_unchanged: number;
    readonly seconds: number;
  };
  /** How the folders looked; nothing where the system does not tell. */
  readonly walked: readonly SeenFolder[] | undefined;
}

export interface NativeResult {
  /** The pieces of the index, where it was not written to a descriptor. */
  readonly pieces: readonly Uint8Array<ArrayBuffer>[];
  readonly status: Status;
  readonly changes: FileChanges | undefined;
  /** How the folders looked; nothing where the system does not tell. */
  readonly walked: readonly SeenFolder[] | undefined;
}

type NativeEvent =
  | { readonly type: "progress"; readonly progress: Progress }
  | { readonly type: "error"; readonly error: ErrorBody }
  | {
      readonly type: "sharded";
      readonly summary: NativeSharded["summary"];
      readonly walked: readonly SeenFolder[] | null;
    }
  | {
      readonly type: "differs";
      readonly found: {
        readonly difference: NativeDifference;
        readonly n_unchanged: number;
        readonly walked: readonly SeenFolder[] | null;
      } | null;
    }
  | {
      readonly type: "done";
      readonly status: Status;
      readonly changes: FileChanges | null;
      readonly walked: readonly SeenFolder[] | null;
    };

type Done<Type> = Extract<NativeEvent, { type: Type }>;

/**
 * Runs a job; the index is written to `output`, or returned. Resolves when the program says that it is done: it ends beside what follows.
 * Rejects with the program's own error, or with `engine.native` where it ended without a word: WebAssembly can do the job then.
 */
export async function runNative(
  program: string,
  job: NativeJob,
  onProgress: (progress: Progress) => void,
  output?: number,
): Promise<NativeResult> {
  const { pieces, done } = await run(program, job, "done", onProgress, output);
  return { pieces, status: done.status, changes: done.changes ?? undefined, walked: done.walked ?? undefined };
}

/** Runs a job that makes an index in shards and writes it. Rejects as {@link runNative} does. */
export async function runNativeSharded(
  program: string,
  job: NativeJob,
  onProgress: (progress: Progress) => void,
): Promise<NativeSharded> {
  const { done } = await run(program, job, "sharded", onProgress);
  return { summary: done.summary, walked: done.walked ?? undefined };
}

/** Finds how the folder of a job differs from its earlier index, in files of at most `maxBytes`. Rejects as {@link runNative} does. */
export async function differencesNatively(program: string, job: NativeJob, maxBytes: number): Promise<NativelyFound> {
  const { pieces, done } = await run(program, { ...job, differs: maxBytes }, "differs", () => {});
  if (done.found === null) return { differences: undefined, walked: undefined };
  const { difference, n_unchanged, walked } = done.found;
  const bytes = Buffer.concat(pieces);
  let at = 0;
  const files = difference.files.map(([path, n_bytes]) => {
    at += n_bytes;
    return { path, bytes: bytes.subarray(at - n_bytes, at) };
  });
  return { differences: { ...difference, files, n_unchanged }, walked: walked ?? undefined };
}

/** Makes the index of a job's earlier one and a difference, and writes it to `output`. Rejects as {@link runNative} does. */
export async function replayNatively(
  program: string,
  job: NativeJob,
  { files, deleted, skipped }: Omit<Differences, "n_unchanged">,
  output: number,
): Promise<Status> {
  const lengths = files.map(({ path, bytes }) => [path, bytes.length] as const);
  const replay = { files: lengths, deleted, skipped };
  const texts = files.map(({ bytes }) => bytes);
  const { done } = await run(program, { ...job, replay }, "done", () => {}, output, texts);
  return done.status;
}

/** Whether an error says nothing about the files: the program itself does not fit, or ended without a word. WebAssembly can do the job then. */
export function isOfProgram(error: unknown): error is PortolanError {
  return error instanceof PortolanError && OF_THE_PROGRAM.includes(error.code);
}

async function run<Type extends "done" | "sharded" | "differs">(
  program: string,
  job: NativeJob,
  type: Type,
  onProgress: (progress: Progress) => void,
  output?: number,
  texts: readonly Uint8Array[] = [],
): Promise<{ pieces: Uint8Array<ArrayBuffer>[]; done: Done<Type> }> {
  const child = spawn(program, ["job"], { stdio: ["pipe", "pipe", "pipe", output ?? "pipe"], env: process.env });
  const ended = exitOf(child);
  // A program that ends before it has read all of it says why below.
  child.stdin?.on("error", () => {});
  child.stdin?.write(`${JSON.stringify(job)}\n`);
  for (const bytes of texts) child.stdin?.write(bytes);
  child.stdin?.end();
  const complaint = collected(child.stderr);
  const pieces = collected(output === undefined ? (child.stdio[3] as Readable) : null);
  const last = await lastEventOf(child.stdout as Readable, onProgress);
  if (last?.type === type) return { pieces: await pieces, done: last as Done<Type> };
  const code = await ended;
  if (last?.type === "error") throw new PortolanError(last.error.code, last.error.message, last.error.help);
  const said = Buffer.concat(await complaint)
    .toString("utf8")
    .trim()
    .slice(-500);
  throw new PortolanError("engine.native", `${program} ended with ${code}${said === "" ? "" : `: ${said}`}`);
}

function exitOf(child: ChildProcess): Promise<number | string> {
  return new Promise((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code, signal) => resolve(code ?? signal ?? "no code"));
  });
}

async function collected(stream: Readable | null): Promise<Buffer<ArrayBuffer>[]> {
  const pieces: Buffer<ArrayBuffer>[] = [];
  try {
    for await (const piece of stream ?? []) pieces.push(piece as Buffer<ArrayBuffer>);
  } catch {
    // A program that could not be started has no output.
  }
  return pieces;
}

/** The event that ends a job, as soon as it is there; nothing where the program ends without one. Those of progress are passed on at once. */
function lastEventOf(stream: Readable, onProgress: (progress: Progress) => void): Promise<NativeEvent | undefined> {
  let rest = "";
  stream.setEncoding("utf8");
  return new Promise((resolve, reject) => {
    stream.on("data", (piece: string) => {
      const lines = (rest + piece).split("\n");
      rest = lines.pop() ?? "";
      try {
        for (const line of lines) {
          const event = JSON.parse(line) as NativeEvent;
          if (event.type === "progress") onProgress(event.progress);
          else resolve(event);
        }
      } catch (error) {
        reject(error as Error);
      }
    });
    // The exit code says the rest.
    stream.on("error", () => resolve(undefined));
    stream.on("close", () => resolve(undefined));
  });
}
