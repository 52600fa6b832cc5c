/**
 * An index in shards as one file, so that a version of it is pushed, stored, switched and pulled like any other: a table, the root, then
 * the shards. It exists as a version only; on disk and for whoever asks, root and shards are files of their own.
 *
 * | bytes | content |
 * |---|---|
 * | 8 | `PTLNBNDL` |
 * | 4 | version |
 * | 4 | number of files |
 * | 40 each | name of a shard (32 hexadecimal digits; zeros for the root, which is first), number of bytes (8) |
 * | … | the files, one after another |
 */

import { PortolanError } from "../errors.js";

const MAGIC = "PTLNBNDL";
const VERSION = 1;
const HEADER = 16;
const ENTRY = 40;
/** Maximum number of files: the table is within the bytes that a server reads of any file first. */
export const MAX_FILES = 250;
/** Number of bytes that hold any table. */
export const MAX_TABLE = HEADER + ENTRY * MAX_FILES;

/** A file of a bundle, and its place. */
export interface BundledFile {
  /** Of a shard: 32 hexadecimal digits; empty for the root. */
  readonly name: string;
  readonly offset: number;
  readonly n_bytes: number;
}

/** Whether a file begins as a bundle does. */
export function isBundle(start: Uint8Array): boolean {
  return textOf(start, 0, MAGIC.length) === MAGIC;
}

/** The table of a bundle of these files, the root first. Throws `push.too-many-shards`. */
export function bundleTable(files: readonly { readonly name: string; readonly n_bytes: number }[]): Uint8Array {
  if (files.length > MAX_FILES)
    throw new PortolanError(
      "push.too-many-shards",
      `the index has ${files.length - 1} shards, and a version at most ${MAX_FILES - 1}`,
      "make fewer of them: `portolan index --shards N`",
    );
  const table = new Uint8Array(HEADER + ENTRY * files.length);
  const view = new DataView(table.buffer);
  const put = (text: string, at: number) => table.set(new TextEncoder().encode(text), at);
  put(MAGIC, 0);
  view.setUint32(8, VERSION, true);
  view.setUint32(12, files.length, true);
  for (const [n, { name, n_bytes }] of files.entries()) {
    put(name, HEADER + ENTRY * n);
    view.setBigUint64(HEADER + ENTRY * n + 32, BigInt(n_bytes), true);
  }
  return table;
}

/**
 * The files of a bundle of `n_bytes`, from its first bytes; they follow each other without gaps. Returns undefined for what is none: another
 * version, a table that is cut off, names that are none, files that do not add up.
 */
export function filesOf(start: Uint8Array, n_bytes: number): BundledFile[] | undefined {
  if (!isBundle(start) || start.length < HEADER) return undefined;
  const view = new DataView(start.buffer, start.byteOffset, start.byteLength);
  const n_files = view.getUint32(12, true);
  if (view.getUint32(8, true) !== VERSION || n_files === 0 || n_files > MAX_FILES) return undefined;
  let offset = HEADER + ENTRY * n_files;
  if (start.length < offset) return undefined;
  const files: BundledFile[] = [];
  for (let n = 0; n < n_files; n++) {
    const at = HEADER + ENTRY * n;
    const name = textOf(start, at, 32);
    const length = Number(view.getBigUint64(at + 32, true));
    const isNamed = n === 0 ? name === "" : /^[0-9a-f]{32}$/.test(name);
    if (!isNamed || length < 1 || length > n_bytes - offset) return undefined;
    files.push({ name, offset, n_bytes: length });
    offset += length;
  }
  const isOnce = new Set(files.map(({ name }) => name)).size === n_files;
  return isOnce && offset === n_bytes ? files : undefined;
}

/** ASCII up to the first zero. */
function textOf(bytes: Uint8Array, at: number, length: number): string {
  const end = bytes.subarray(at, at + length).indexOf(0);
  return String.fromCharCode(...bytes.subarray(at, end === -1 ? at + length : at + end));
}
