//! The list of a zip and the bytes of one of its files, read from where they are: nothing else is unpacked.

import { Pieces } from "./pieces.ts";

/** A file of a zip, as its list of contents has it. */
export interface ZipEntry {
  readonly path: string;
  readonly at: number;
  /** Bytes in the archive, and unpacked. */
  readonly size: number;
  readonly plain: number;
  readonly method: number;
}

/** A list that is longer is read no further. */
const longestList = 48_000_000;

/** The list of contents at the end of a zip (APPNOTE 4.3.12); empty where it is not found. */
export async function zipEntries(archive: Blob): Promise<readonly ZipEntry[]> {
  const tailAt = Math.max(0, archive.size - 65_557);
  const tail = await viewOf(archive, tailAt, archive.size - tailAt);
  let end = tail.byteLength - 22;
  while (end >= 0 && tail.getUint32(end, true) !== 0x06054b50) end -= 1;
  if (end < 0) return [];
  const list = await viewOf(
    archive,
    tail.getUint32(end + 16, true),
    Math.min(tail.getUint32(end + 12, true), longestList),
  );
  const found: ZipEntry[] = [];
  const names = new TextDecoder();
  for (let at = 0; at + 46 <= list.byteLength && list.getUint32(at, true) === 0x02014b50; ) {
    const length = list.getUint16(at + 28, true);
    const path = names.decode(new Uint8Array(list.buffer, at + 46, Math.min(length, list.byteLength - at - 46)));
    found.push({
      path,
      at: list.getUint32(at + 42, true),
      size: list.getUint32(at + 20, true),
      plain: list.getUint32(at + 24, true),
      method: list.getUint16(at + 10, true),
    });
    at += 46 + length + list.getUint16(at + 30, true) + list.getUint16(at + 32, true);
  }
  return found;
}

/** The first `most` bytes of a file, unpacked, and never more than the list says; nothing for a method other than stored and deflated. */
export async function zipBytes(
  archive: Blob,
  entry: ZipEntry,
  most: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const head = await viewOf(archive, entry.at, 30);
  const from = entry.at + 30 + head.getUint16(26, true) + head.getUint16(28, true);
  const wanted = Math.min(entry.plain, most);
  if (entry.method === 0)
    return new Uint8Array(await archive.slice(from, from + Math.min(entry.size, wanted)).arrayBuffer());
  if (entry.method !== 8) return undefined;
  const body = archive.slice(from, from + entry.size).stream();
  const plain = new Pieces(body.pipeThrough(new DecompressionStream("deflate-raw")).getReader());
  try {
    return await plain.take(wanted);
  } finally {
    await plain.end();
  }
}

async function viewOf(archive: Blob, at: number, length: number): Promise<DataView> {
  return new DataView(await archive.slice(at, at + length).arrayBuffer());
}
