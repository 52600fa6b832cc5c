//! The README of an archive, read before anything is indexed: of a zip by its list of contents, of a tar by its first entries. Only for a first
//! sight: what is odd is left to the index, which reads archives with all their limits.

import type { EarlyText } from "./early.ts";
import { readmeAmong } from "./links.ts";

const largest = 1_000_000;
/** A tar whose README comes later is not searched to its end, nor is the list of a zip that is longer. */
const mostRead = 48_000_000;

/** Reads it; nothing where there is none in the top folder. */
export async function readmeOfArchive(archive: Blob): Promise<EarlyText | undefined> {
  const start = new Uint8Array(await archive.slice(0, 4).arrayBuffer());
  if (start[0] === 0x50 && start[1] === 0x4b) return ofZip(archive);
  const isPacked = start[0] === 0x1f && start[1] === 0x8b;
  return ofTar(isPacked ? archive.stream().pipeThrough(new DecompressionStream("gzip")) : archive.stream());
}

interface Entry {
  readonly path: string;
  readonly at: number;
  /** Bytes in the archive, and unpacked. */
  readonly size: number;
  readonly plain: number;
  readonly method: number;
}

async function ofZip(archive: Blob): Promise<EarlyText | undefined> {
  const entries = await zipEntries(archive);
  const top = sharedTop(entries.map(({ path }) => path));
  const path = readmeAmong(entries.map((entry) => entry.path.slice(top.length)));
  const entry = entries.find((one) => path !== undefined && one.path === top + path);
  if (path === undefined || !entry || Math.max(entry.size, entry.plain) > largest) return undefined;
  const head = await viewOf(archive, entry.at, 30);
  const from = entry.at + 30 + head.getUint16(26, true) + head.getUint16(28, true);
  const body = archive.slice(from, from + entry.size);
  if (entry.method === 0) return { path, text: await body.text() };
  if (entry.method !== 8) return undefined;
  const plain = new Pieces(body.stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader());
  try {
    // The size that the list gives, however much more there is.
    return { path, text: new TextDecoder().decode(await plain.take(entry.plain)) };
  } finally {
    await plain.end();
  }
}

/** The list of contents at the end of a zip (APPNOTE 4.3.12); empty where it is not found. */
async function zipEntries(archive: Blob): Promise<readonly Entry[]> {
  const tailAt = Math.max(0, archive.size - 65_557);
  const tail = await viewOf(archive, tailAt, archive.size - tailAt);
  let end = tail.byteLength - 22;
  while (end >= 0 && tail.getUint32(end, true) !== 0x06054b50) end -= 1;
  if (end < 0) return [];
  const list = await viewOf(
    archive,
    tail.getUint32(end + 16, true),
    Math.min(tail.getUint32(end + 12, true), mostRead),
  );
  const found: Entry[] = [];
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

async function viewOf(archive: Blob, at: number, length: number): Promise<DataView> {
  return new DataView(await archive.slice(at, at + length).arrayBuffer());
}

/** The folder that all paths are in, with its slash; empty where there is none. */
function sharedTop(paths: readonly string[]): string {
  const [first = ""] = paths;
  const top = first.slice(0, first.indexOf("/") + 1);
  return paths.every((path) => path.startsWith(top)) ? top : "";
}

async function ofTar(stream: ReadableStream<Uint8Array>): Promise<EarlyText | undefined> {
  const source = new Pieces(stream.getReader());
  const tops = new Set<string>();
  const texts = new TextDecoder();
  const field = (head: Uint8Array, from: number, to: number) =>
    texts.decode(head.subarray(from, to)).replace(/\0.*$/s, "");
  try {
    while (source.gone < mostRead) {
      const head = await source.take(512);
      const size = Number.parseInt(field(head, 124, 136).trim(), 8);
      if (!(size >= 0)) return undefined;
      const full = [field(head, 345, 500), field(head, 0, 100)].filter(Boolean).join("/");
      const padded = Math.ceil(size / 512) * 512;
      const isFile = head[156] === 0x30 || head[156] === 0;
      if (isFile) tops.add(full.slice(0, full.indexOf("/") + 1));
      const path = full.slice(full.indexOf("/") + 1);
      if (isFile && tops.size === 1 && size <= largest && readmeAmong([path]) !== undefined)
        return { path, text: texts.decode(await source.take(size)) };
      await source.skip(padded);
    }
  } finally {
    await source.end();
  }
  return undefined;
}

/** Takes a stream piece by piece; bytes are copied only where a piece is in several of its chunks. */
class Pieces {
  /** Bytes taken or skipped so far. */
  gone = 0;
  #rest = new Uint8Array(0);

  constructor(private readonly source: ReadableStreamDefaultReader<Uint8Array>) {}

  /** Exactly `length` bytes; throws at the end. */
  async take(length: number): Promise<Uint8Array> {
    if (this.#rest.length < length) {
      const all = new Uint8Array(length);
      for (let have = 0; have < length; ) {
        if (this.#rest.length === 0) await this.#more();
        const part = this.#rest.subarray(0, length - have);
        all.set(part, have);
        this.#pass(part.length);
        have += part.length;
      }
      return all;
    }
    const piece = this.#rest.subarray(0, length);
    this.#pass(length);
    return piece;
  }

  async skip(length: number): Promise<void> {
    for (let left = length; left > 0 && this.gone < mostRead; ) {
      if (this.#rest.length === 0) await this.#more();
      const part = Math.min(left, this.#rest.length);
      this.#pass(part);
      left -= part;
    }
  }

  end(): Promise<void> {
    return this.source.cancel().catch(() => {}); // nothing more is read in any case
  }

  #pass(length: number): void {
    this.#rest = this.#rest.subarray(length);
    this.gone += length;
  }

  async #more(): Promise<void> {
    const { done, value } = await this.source.read();
    if (done) throw new Error("the archive ends early");
    this.#rest = value as Uint8Array<ArrayBuffer>;
  }
}
