/** A version in shards as a server sends it, one file (`bundle.ts`): its root, which is read in pieces, with the shards beside it. */

import { PortolanError } from "../errors.js";
import type { PieceFile } from "../host.js";
import { filesOf, isBundle, MAX_TABLE, type BundledFile } from "./bundle.js";

/** The files of a bundle, the root first; undefined where this is none. Throws `snapshot.damaged` where they do not fill the file. */
export function bundledFiles(whole: PieceFile): readonly BundledFile[] | undefined {
  const start = whole.read(0, Math.min(whole.n_bytes, MAX_TABLE));
  if (!isBundle(start)) return undefined;
  const files = filesOf(start, whole.n_bytes);
  if (files) return files;
  throw new PortolanError(
    "snapshot.damaged",
    "the table of root and shards does not fit the file",
    "fetch the version again: `portolan pull --at VERSION -o FILE`",
  );
}

/** The index in these bytes as a root with its shards; undefined where they are no bundle. Throws `snapshot.damaged`. */
export function bundledIndex(bytes: Uint8Array): PieceFile | undefined {
  const whole = part(bytes, 0, bytes.length);
  const [root, ...shards] = bundledFiles(whole) ?? [];
  if (root === undefined) return undefined;
  const named = new Map(shards.map((shard) => [shard.name, shard]));
  const beside = (name: string) => {
    const shard = named.get(name);
    if (!shard) throw new Error(`the version has no shard ${name}`);
    return part(bytes, shard.offset, shard.n_bytes);
  };
  return { ...part(bytes, root.offset, root.n_bytes), beside };
}

function part(bytes: Uint8Array, offset: number, n_bytes: number): PieceFile {
  const end = offset + n_bytes;
  return { n_bytes, read: (from, to) => bytes.subarray(Math.min(offset + from, end), Math.min(offset + to, end)) };
}
