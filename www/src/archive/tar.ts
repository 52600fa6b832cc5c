//! The entries of a tar, gzipped or not, in their order: names of any length, sizes, and where their bytes begin.

import { Pieces } from "./pieces.ts";

/** A file of a tar. */
export interface TarEntry {
  readonly path: string;
  /** Offset of its bytes in the unpacked archive. */
  readonly at: number;
  readonly size: number;
}

/** Bytes of a header with a name that are read: the index refuses names of more than 4,096. */
const longestName = 8_192;
/** Digits of the length of a record. */
const mostDigits = 9;

/**
 * Walks the files of a tar until `visit` returns false, the end, or `most` unpacked bytes. While `visit` runs, `source` is at the bytes of
 * its entry; it may take some of them. Understands names in pax headers and in those of GNU.
 */
export async function walkTar(
  archive: Blob,
  most: number,
  visit: (entry: TarEntry, source: Pieces) => Promise<boolean> | boolean,
): Promise<void> {
  const source = new Pieces((await plainStream(archive)).getReader(), most);
  let longName: string | undefined;
  try {
    while (source.gone < most) {
      const head = await source.take(512);
      const size = Number.parseInt(field(head, 124, 136).trim(), 8);
      if (!(size >= 0)) return;
      const at = source.gone;
      const type = head[156];
      const end = at + Math.ceil(size / 512) * 512;
      if (type === 0x78 || type === 0x4c) {
        // A name that is too long to be read belongs to a file that the index left out for it.
        const bytes = await source.take(Math.min(size, longestName));
        longName = type === 0x4c ? field(bytes, 0, bytes.length) : (paxPath(bytes) ?? longName);
      } else if (type !== 0x67) {
        const short = [field(head, 345, 500), field(head, 0, 100)].filter(Boolean).join("/");
        const path = longName ?? short;
        longName = undefined;
        if ((type === 0x30 || type === 0) && !(await visit({ path, at, size }, source))) return;
      }
      await source.skip(end - source.gone);
    }
  } finally {
    await source.end();
  }
}

/** The first `most` bytes of a file; `entry` comes from a walk of the same archive. */
export async function tarBytes(archive: Blob, { at, size }: TarEntry, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const source = new Pieces((await plainStream(archive)).getReader());
  try {
    await source.skip(at);
    return await source.take(Math.min(size, most));
  } finally {
    await source.end();
  }
}

async function plainStream(archive: Blob): Promise<ReadableStream<Uint8Array>> {
  const start = new Uint8Array(await archive.slice(0, 2).arrayBuffer());
  const isPacked = start[0] === 0x1f && start[1] === 0x8b;
  return isPacked ? archive.stream().pipeThrough(new DecompressionStream("gzip")) : archive.stream();
}

const texts = new TextDecoder();

function field(bytes: Uint8Array, from: number, to: number): string {
  return texts.decode(bytes.subarray(from, to)).replace(/\0.*$/s, "");
}

/** The record `path` of a pax header: `27 path=a/long/name.txt\n`, whose number counts all its bytes. */
function paxPath(bytes: Uint8Array): string | undefined {
  let found: string | undefined;
  for (let at = 0; at < bytes.length; ) {
    const [digits = ""] = /^\d*/.exec(texts.decode(bytes.subarray(at, at + mostDigits))) ?? [];
    const space = at + digits.length;
    const length = Number(digits);
    if (bytes[space] !== 0x20 || length <= digits.length) return found;
    const [, path] = /^path=(.*)\n$/s.exec(texts.decode(bytes.subarray(space + 1, at + length))) ?? [];
    found = path ?? found;
    at += length;
  }
  return found;
}
