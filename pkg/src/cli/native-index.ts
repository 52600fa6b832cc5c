/** Indexing by the native program, where it is there and can do what was asked; else WebAssembly does it. */

import { statSync } from "node:fs";
import { resolve } from "node:path";

import { PortolanError } from "../errors.js";
import type { Differences } from "../indexing/differences.js";
import type { NewFile } from "../node/file-store.js";
import type { Seen } from "../node/look.js";
import {
  differencesNatively,
  isOfProgram,
  nativeProgram,
  runNative,
  runNativeSharded,
  type NativeJob,
  type NativeResult,
  type NativeSharded,
} from "../node/native.js";
import type { WorkOptions } from "../rpc/protocol.js";
import type { Command } from "../commands/options.js";
import { visible } from "../visible.js";
import type { ProgressLine } from "./progress-line.js";
import { packageVersion } from "../node/version.js";

/** An index that the program made. */
export interface NativelyMade extends NativeResult {
  /** The file that it was written to, to be put in its place. */
  readonly file: NewFile | undefined;
}

/**
 * Indexes the folder natively; the index is written to the file that `open` opens, if it opens one. Nothing where WebAssembly is to do it: it was asked for, there is no program, or the program cannot do it.
 * With `--engine native` each of these is an error, `engine.native`.
 */
export async function indexNatively(
  command: Command,
  path: string,
  previous: string | undefined,
  work: WorkOptions,
  line: ProgressLine,
  open: () => NewFile | undefined,
): Promise<NativelyMade | undefined> {
  const program = programFor(command, path, work);
  if (program === undefined) return undefined;
  return orElseInWebAssembly(command, line, async () => {
    const file = open();
    try {
      const job = jobOf(path, previous, work);
      return { ...(await runNative(program, job, (progress) => line.show(progress), file?.descriptor)), file };
    } catch (error) {
      file?.abandon();
      throw error;
    }
  });
}

/** The same for an index in shards, which the program writes. */
export async function shardsNatively(
  command: Command,
  path: string,
  work: WorkOptions,
  sharded: NonNullable<NativeJob["sharded"]>,
  line: Pick<ProgressLine, "show" | "note">,
): Promise<NativeSharded | undefined> {
  const program = programFor(command, path, work);
  if (program === undefined) return undefined;
  const job = { ...jobOf(path, undefined, work), sharded };
  return orElseInWebAssembly(command, line, () => runNativeSharded(program, job, (progress) => line.show(progress)));
}

/** A folder's difference from an index, and how its files looked. */
export interface Compared {
  /** Nothing where not all can be told by a difference. */
  readonly differences: Differences | undefined;
  readonly look: Seen;
  readonly engine: "native" | "wasm";
}

/** Compares a folder with the index of another one natively, in files of at most `maxBytes`. Nothing where WebAssembly is to do it. */
export async function comparedNatively(
  command: Command,
  path: string,
  base: string,
  work: WorkOptions,
  maxBytes: number,
  line: Pick<ProgressLine, "note">,
): Promise<Compared | undefined> {
  const program = programFor(command, path, work);
  if (program === undefined) return undefined;
  return orElseInWebAssembly(command, line, async () => {
    const { differences, walked } = await differencesNatively(program, jobOf(path, base, work), maxBytes);
    return { differences, look: { seen: () => walked }, engine: "native" as const };
  });
}

async function orElseInWebAssembly<T>(
  { options }: Command,
  line: Pick<ProgressLine, "note">,
  run: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await run();
  } catch (error) {
    if (!isOfProgram(error) || options.engine === "native") throw error;
    line.note(`portolan: ${visible(error.message)}; indexing in WebAssembly instead [${error.code}]`);
    return undefined;
  }
}

/** Returns the program that is to do this; nothing where WebAssembly is. */
function programFor(command: Command, path: string, work: WorkOptions): string | undefined {
  const { engine = "auto" } = command.options;
  if (engine === "wasm") return undefined;
  const program = nativeProgram();
  const lack = program === undefined ? "there is none for this system" : cannot(command, path, work);
  if (lack === undefined) return program;
  if (engine !== "native") return undefined;
  throw new PortolanError("engine.native", `the native program cannot index this: ${lack}`, "leave --engine out");
}

/** Returns why the program cannot do this; nothing where it can. */
function cannot({ options }: Command, path: string, work: WorkOptions): string | undefined {
  if (!statSync(path).isDirectory()) return "it reads folders only";
  if (work.model !== undefined) return "it has only the model that ships";
  if ((work.grammars ?? []).length > 0) return "it loads no grammars";
  if ((work.scip ?? []).length > 0) return "it reads no SCIP indexes";
  if (Object.keys(work.chunks ?? {}).length > 0) return "it has only the usual sizes of chunks";
  return options.approximate === true ? "it builds no HNSW graph" : undefined;
}

function jobOf(path: string, previous: string | undefined, work: WorkOptions) {
  const { name, source = {}, workers, embeddings, hints } = work;
  return {
    version: packageVersion(),
    folder: resolve(path),
    ...(name !== undefined && { name }),
    source,
    embeddings: embeddings !== false,
    now: Date.now(),
    ...(workers !== undefined && { threads: workers }),
    ...(previous !== undefined && { previous }),
    reads_all: hints === false,
  };
}
