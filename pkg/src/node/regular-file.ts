/** Files that settings and options name, read as data: regular ones, of a bounded size. A pipe, a device or a folder is refused before it is read. */

import { closeSync, createReadStream, fstatSync, readSync } from "node:fs";

import { PortolanError } from "../errors.js";
import { openRegular, readRegular } from "./safe-files.js";

const PIECE = 1024 * 1024;

/** All bytes of a file. Throws `input.unreadable`. */
export function readBounded(path: string, maxBytes: number): Uint8Array<ArrayBuffer> {
  return opened(path, maxBytes, (descriptor, size) => {
    const bytes = new Uint8Array(size);
    for (let at = 0; at < size; ) {
      const n_bytes = readSync(descriptor, bytes, at, Math.min(PIECE, size - at), at);
      if (n_bytes === 0) return bytes.slice(0, at); // it has become shorter
      at += n_bytes;
    }
    return bytes;
  });
}

/** As `readBounded`; nothing where there is no such file. */
export function readIfThere(path: string, maxBytes: number): Uint8Array<ArrayBuffer> | undefined {
  try {
    return readBounded(path, maxBytes);
  } catch (error) {
    const { code = "" } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
    if (["ENOENT", "ENOTDIR"].includes(code)) return undefined;
    throw error;
  }
}

/** As `readBounded`, piece by piece, in constant memory. */
export function eachPiece(path: string, maxBytes: number, take: (piece: Uint8Array) => void): void {
  opened(path, maxBytes, (descriptor, size) => {
    const piece = new Uint8Array(PIECE);
    for (let at = 0; at < size; ) {
      const n_bytes = readSync(descriptor, piece, 0, Math.min(PIECE, size - at), at);
      if (n_bytes === 0) return;
      take(piece.subarray(0, n_bytes));
      at += n_bytes;
    }
  });
}

/**
 * The bytes of a file that may be compressed by gzip. It is inflated twice, the first time only to be counted, piece by piece: what would
 * become too large costs time, and no memory. Pipes of the shell are read as they come.
 */
export async function readInflated(path: string, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  if (PIPE_OF_SHELL.test(path)) return fromPipe(path, maxBytes);
  const [first, second] = opened(path, maxBytes, (descriptor) => {
    const start = new Uint8Array(2);
    readSync(descriptor, start, 0, 2, 0);
    return start;
  });
  if (first !== 0x1f || second !== 0x8b) return readBounded(path, maxBytes);
  let n_bytes = 0;
  await inflate(path, (piece) => {
    n_bytes += piece.length;
    if (n_bytes > maxBytes) throw unreadable(path, `it unpacks to more than ${megabytes(maxBytes)}`);
  });
  const bytes = new Uint8Array(n_bytes);
  let at = 0;
  await inflate(path, (piece) => {
    if (at + piece.length > n_bytes) throw unreadable(path, "it has changed while it was read");
    bytes.set(piece, at);
    at += piece.length;
  });
  return bytes;
}

const PIPE_OF_SHELL = /^\/(?:dev|proc\/\w+)\/(?:fd\/\d+|stdin)$/;

async function fromPipe(path: string, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = readRegular(path, { pipes: true });
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const { gunzipSync } = await import("node:zlib");
  return new Uint8Array(gunzipSync(bytes, { maxOutputLength: maxBytes }));
}

async function inflate(path: string, take: (piece: Uint8Array) => void): Promise<void> {
  const { createGunzip } = await import("node:zlib");
  const packed = createReadStream(path);
  const unpacked = createGunzip();
  packed.on("error", (error) => unpacked.destroy(error));
  try {
    for await (const piece of packed.pipe(unpacked)) take(piece as Uint8Array);
  } catch (error) {
    throw error instanceof PortolanError ? error : unreadable(path, (error as Error).message, error);
  } finally {
    packed.destroy();
    unpacked.destroy();
  }
}

function opened<T>(path: string, maxBytes: number, read: (descriptor: number, size: number) => T): T {
  let descriptor: number | undefined;
  try {
    descriptor = openRegular(path);
    const stats = fstatSync(descriptor);
    if (stats.size > maxBytes)
      throw unreadable(path, `it has ${megabytes(stats.size)}, and may have ${megabytes(maxBytes)}`);
    return read(descriptor, stats.size);
  } catch (error) {
    throw error instanceof PortolanError ? error : unreadable(path, (error as Error).message, error);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function megabytes(n_bytes: number): string {
  return n_bytes < 1e5 ? `${n_bytes} bytes` : `${Number((n_bytes / 1e6).toPrecision(3))} MB`;
}

function unreadable(path: string, reason: string, cause?: unknown): PortolanError {
  return new PortolanError("input.unreadable", `${path}: ${reason}`, "", { cause });
}
