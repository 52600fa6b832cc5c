/**
 * Finds the repository that a folder belongs to, and the place of its index: `ROOT/.portolan/index.portolan`.
 *
 * Like git, everything looks upwards from where it is started, so a command means the same in every folder of a repository.
 */

import { statSync, type Stats } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

import { PortolanError } from "../errors.js";
import { INDEX_FILE, INDEX_FOLDER, recordedRoot, requireOwnIndex } from "./own-index.js";

export { INDEX_FILE, INDEX_FOLDER } from "./own-index.js";

/** Names at the top of a work tree. `.git` is a file in a submodule or a second work tree. */
const MARKS = [".git", ".hg", ".jj", "portolan.toml"];

/** The index of a repository whose root is this folder; it need not exist. */
export function indexPathOf(root: string): string {
  return join(root, INDEX_FOLDER, INDEX_FILE);
}

/**
 * The repository that contains `from`: the nearest folder, `from` or above, that has an index already, is the top of a work
 * tree, or has a `portolan.toml`. Without any of them it is `from` itself.
 */
export function findRoot(from = "."): string {
  return (
    nearest(from, (folder) => isFile(indexPathOf(folder)) || MARKS.some((mark) => exists(join(folder, mark)))) ??
    resolve(from)
  );
}

/** The nearest index, of `from` or a folder above. */
export function findIndex(from = "."): string | undefined {
  const root = nearest(from, (folder) => isFile(indexPathOf(folder)));
  return root === undefined ? undefined : indexPathOf(root);
}

/** As `findIndex`; throws `storage.not-found` where there is none, `index.untrusted` where it was not made here. */
export function requireIndex(from = "."): string {
  const index = findIndex(from);
  if (index !== undefined) return requireOwnIndex(index);
  throw new PortolanError(
    "storage.not-found",
    "there is no index in this folder or above it",
    "make one with `portolan index`, or name one with --index",
  );
}

/**
 * The folder that an index is of: the one that contains `.portolan/`; of an index kept elsewhere the one that was indexed, or
 * else the folder of the file.
 */
export function rootOfIndex(index: string): string {
  const folder = dirname(resolve(index));
  return basename(folder) === INDEX_FOLDER ? dirname(folder) : (recordedRoot(resolve(index)) ?? folder);
}

function nearest(from: string, is: (folder: string) => boolean): string | undefined {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    if (is(folder)) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

function isFile(path: string): boolean {
  return stats(path)?.isFile() === true;
}

function exists(path: string): boolean {
  return stats(path) !== undefined;
}

/** A folder above that may not be read is as one without a mark. */
function stats(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
