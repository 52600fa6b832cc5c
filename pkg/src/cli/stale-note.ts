/** Says with an answer which files have changed since they were indexed. */

import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";

import type { CodeIndex } from "../code-index.js";
import { changedSince, lookOf } from "../node/look.js";
import { rootOfIndex } from "../node/root.js";
import { StalenessCheck } from "../node/staleness.js";
import { quantity } from "../quantity.js";
import { visible } from "../visible.js";

/** Files that were changed, added or removed since the index was built; folders end with `/` where names were added or removed. */
export interface Stale {
  readonly n_files: number;
  readonly paths: readonly string[];
  /** False where not all files were looked at. */
  readonly is_whole: boolean;
}

/** Looking takes no longer after an answer; `status` takes the time it needs. */
const NOTE_MS = 60;
const STATUS_MS = 10_000;
const MAX_PATHS = 10;
const MAX_NAMED = 3;

/** The changed files, where the index tells of files that are here. Never fails: an answer counts more than the note beside it. */
export async function staleOf(index: CodeIndex, path: string, isStatus: boolean): Promise<Stale | undefined> {
  try {
    const look = lookOf(path);
    if (look) {
      const { paths, isWhole } = changedSince(look, isStatus ? STATUS_MS : NOTE_MS);
      const changed = await withoutSame(index, look.root, statSync(path).mtimeMs, paths);
      return { n_files: changed.length, paths: changed.slice(0, MAX_PATHS), is_whole: isWhole };
    }
    // Without a look each file is compared with the index, which takes reading its list of files.
    return isStatus ? await comparedWith(index, path) : undefined;
  } catch {
    return undefined;
  }
}

/** Writes the note; nothing where nothing has changed. */
export function noteStale({ n_files, paths, is_whole }: Stale): void {
  if (n_files === 0) return;
  const named = paths.slice(0, MAX_NAMED).join(", ");
  const more = n_files > MAX_NAMED ? ", …" : "";
  const least = is_whole ? "" : "at least ";
  process.stderr.write(
    `portolan: ${least}${quantity(n_files, "path has", "paths have")} changed since the index was built: ${visible(named)}${more}; \`portolan index\` updates it\n`,
  );
}

/** Files that were written anew with the same text are the same. */
async function withoutSame(index: CodeIndex, root: string, indexed_at: number, paths: readonly string[]) {
  const files = paths.filter((path) => !path.endsWith("/"));
  const check = checkOf(index, root, Math.min(indexed_at, 0), files);
  const { changed } = await check.compareAll();
  const others = new Set(changed);
  return paths.filter((path) => path.endsWith("/") || others.has(path));
}

async function comparedWith(index: CodeIndex, path: string): Promise<Stale | undefined> {
  const root = rootOfIndex(path);
  const paths = (await index.files()).files.map((file) => file.path);
  if (!paths.slice(0, 100).some((file) => existsSync(resolve(root, file)))) return undefined;
  const { changed } = await checkOf(index, root, statSync(path).mtimeMs, paths).compareAll(STATUS_MS);
  return { n_files: changed.length, paths: changed.slice(0, MAX_PATHS), is_whole: true };
}

function checkOf(index: CodeIndex, root: string, indexed_at: number, paths: readonly string[]): StalenessCheck {
  return new StalenessCheck({ root, indexed_at, paths, text: async (file) => (await index.text(file)).text });
}
