/** The files of a folder that differ from those of an index, found by their digests: nothing is parsed, and of the index only its list of files is read. */

import { CodeIndex, CodeIndexBuilder } from "../../wasm/engine.js";
import { engineInstance } from "../engine/engine-instance.js";
import type { PieceFile, SessionHost } from "../host.js";
import type { SourceOptions } from "../types.js";
import { readFile } from "./parsing.js";
import { recipeOf } from "./builders.js";
import { listSources, openInput } from "./sources.js";

/** How a folder differs from an index. */
export interface Differences {
  /** Files that are new or have another text. */
  readonly files: readonly { readonly path: string; readonly bytes: Uint8Array }[];
  readonly deleted: readonly string[];
  /** All files that were left out, and why. */
  readonly skipped: readonly { readonly path: string; readonly code: string; readonly message: string }[];
  readonly n_unchanged: number;
}

/**
 * Reads every file of the folder at `input`. Nothing where the index was made by another version, where the files that differ have more than
 * `maxBytes`, or where the number of files is at its limit: then not all can be told by differences.
 */
export async function differences(
  host: SessionHost,
  base: PieceFile,
  input: string,
  source: SourceOptions,
  maxBytes: number,
): Promise<Differences | undefined> {
  const { signal } = new AbortController();
  engineInstance.start(await host.assets.module("engine"));
  const read = (start: number, end: number) => base.read(start, end);
  const index = engineInstance.own(CodeIndex.openFrom(base.n_bytes, read, []));
  const builder = engineInstance.own(CodeIndexBuilder.ofDigests(index, source));
  try {
    if (!builder.isMadeBy(await recipeOf({ source }))) return undefined;
    builder.beginWalk();
    const sources = await listSources(await openInput(host, input), builder, signal, () => {});
    if (sources.kind !== "files") return undefined;
    const files: { path: string; bytes: Uint8Array }[] = [];
    let n_bytes = 0;
    for (const { path, file } of sources.files) {
      const bytes = await readFile(builder, path, file);
      const admitted = bytes && builder.add(path, bytes);
      if (!admitted) continue;
      files.push({ path: admitted.path, bytes });
      n_bytes += bytes.length;
      if (n_bytes > maxBytes) return undefined;
    }
    const { deleted, renamed, n_unchanged } = builder.endRound(true);
    const skipped = builder.skippedFiles().files;
    if (skipped.some(({ code }) => code === "file-limit")) return undefined;
    return { files, deleted: [...deleted, ...renamed.map(({ from }) => from)], skipped, n_unchanged };
  } finally {
    engineInstance.free(builder);
    engineInstance.free(index);
  }
}
