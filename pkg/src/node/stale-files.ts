/** Which files have changed since they were indexed, for an index that is a file here. */

import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";

import type { FileList, FileText } from "../answers.js";
import type { IndexedFiles } from "../host.js";
import type { Input, Staleness } from "../types.js";
import { changedSince, lookOf } from "./look.js";
import { rootOfIndex } from "./root.js";
import { StalenessCheck } from "./staleness.js";

/** Maximum time of a check beside an answer; a request for the check itself takes as long as it needs. */
const BESIDE_MS = 60;
const ASKED_MS = 10_000;
const MAX_PATHS = 10;
/** Number of files of which one must be there; otherwise the index is of another folder. */
const MAX_LOOKED_FOR = 100;

/** As much of an index as is asked. */
interface Files {
  files(): Promise<FileList>;
  text(path: string): Promise<FileText>;
}

/**
 * The changed files of the index at `path`, if its files are here; with `isAsked` it takes the time it needs. Never
 * fails: an answer counts more than the note beside it.
 */
export async function staleOf(index: Files, path: string, isAsked: boolean): Promise<Staleness | undefined> {
  try {
    const look = lookOf(path);
    if (look) {
      const { paths, isWhole } = changedSince(look, isAsked ? ASKED_MS : BESIDE_MS);
      return told(await withoutSame(index, look.root, statSync(path).mtimeMs, paths), isWhole);
    }
    // Without a look each file is compared with the index, which takes reading its list of files.
    return isAsked ? await comparedWith(index, path) : undefined;
  } catch {
    return undefined;
  }
}

/** The same for an input that was indexed here. Undefined where it is no folder of the file system. */
export async function staleInput(input: Input, { built_at, ...indexed }: IndexedFiles): Promise<Staleness | undefined> {
  if (typeof input !== "string" || !statSync(input, { throwIfNoEntry: false })?.isDirectory()) return undefined;
  const check = new StalenessCheck({ root: resolve(input), indexed_at: built_at, ...indexed });
  const { changed, isWhole } = await check.compareAll(ASKED_MS);
  return told(changed, isWhole);
}

function told(changed: readonly string[], isWhole: boolean): Staleness {
  return { n_files: changed.length, paths: changed.slice(0, MAX_PATHS), is_whole: isWhole };
}

/** Files that were written again with the same text have not changed. */
async function withoutSame(index: Files, root: string, indexed_at: number, paths: readonly string[]) {
  const files = paths.filter((path) => !path.endsWith("/"));
  const check = checkOf(index, root, Math.min(indexed_at, 0), files);
  const { changed } = await check.compareAll();
  const others = new Set(changed);
  return paths.filter((path) => path.endsWith("/") || others.has(path));
}

async function comparedWith(index: Files, path: string): Promise<Staleness | undefined> {
  const root = rootOfIndex(path);
  const paths = (await index.files()).files.map((file) => file.path);
  if (!paths.slice(0, MAX_LOOKED_FOR).some((file) => existsSync(resolve(root, file)))) return undefined;
  const { changed, isWhole } = await checkOf(index, root, statSync(path).mtimeMs, paths).compareAll(ASKED_MS);
  return told(changed, isWhole);
}

function checkOf(index: Files, root: string, indexed_at: number, paths: readonly string[]): StalenessCheck {
  return new StalenessCheck({ root, indexed_at, paths, text: async (file) => (await index.text(file)).text });
}
