/** An index on this machine as the one file that a version is: itself, or the root of an index in shards with the shards beside it. */

import { closeSync, fstatSync, readSync } from "node:fs";

import { PortolanError } from "../errors.js";
import { isRootAt, shardPath, shardsBeside } from "../node/index-file.js";
import { openRegular } from "../node/safe-files.js";
import { bundleTable } from "../storage/bundle.js";

/** Files that are read as one. */
export interface JoinedFile {
  readonly n_bytes: number;
  /** The bytes from `at` on, which must be there. */
  read(at: number, n_bytes: number): Uint8Array;
  close(): void;
}

/** Opens an index. Rejects with `input.not-a-file`, `push.too-many-shards`. */
export function openJoined(path: string): JoinedFile {
  const root = opened("", path);
  try {
    return isRootAt(path) ? joinedOf([root, ...openShards(path)]) : joinedOf([root], new Uint8Array());
  } catch (error) {
    closeSync(root.descriptor);
    throw error;
  }
}

interface Opened {
  readonly name: string;
  readonly descriptor: number;
  readonly n_bytes: number;
}

function opened(name: string, path: string): Opened {
  const descriptor = openRegular(path);
  return { name, descriptor, n_bytes: fstatSync(descriptor).size };
}

function openShards(path: string): Opened[] {
  const shards: Opened[] = [];
  try {
    for (const name of shardsBeside(path)) shards.push(opened(name, shardPath(path, name)));
    return shards;
  } catch (error) {
    for (const { descriptor } of shards) closeSync(descriptor);
    throw error;
  }
}

function joinedOf(files: readonly Opened[], table: Uint8Array = bundleTable(files)): JoinedFile {
  const n_bytes = files.reduce((sum, file) => sum + file.n_bytes, table.length);
  return {
    n_bytes,
    read(at, n_wanted) {
      const bytes = new Uint8Array(n_wanted);
      const head = table.subarray(Math.min(at, table.length), Math.min(at + n_wanted, table.length));
      bytes.set(head);
      let n_read = head.length;
      let start = table.length;
      for (const { descriptor, n_bytes: n_own } of files) {
        const from = at + n_read - start;
        const length = Math.min(n_wanted - n_read, n_own - from);
        if (from >= 0 && length > 0) {
          bytes.set(bytesAt(descriptor, from, length), n_read);
          n_read += length;
        }
        start += n_own;
      }
      return bytes;
    },
    close() {
      for (const { descriptor } of files) closeSync(descriptor);
    },
  };
}

function bytesAt(descriptor: number, at: number, n_bytes: number): Uint8Array {
  const bytes = new Uint8Array(n_bytes);
  for (let n_read = 0; n_read < n_bytes; ) {
    const n = readSync(descriptor, bytes, n_read, n_bytes - n_read, at + n_read);
    if (n === 0) throw new PortolanError("storage.failed", "the index became shorter while it was read", "try again");
    n_read += n;
  }
  return bytes;
}
