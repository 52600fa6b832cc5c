/**
 * The file of an overlay: an index that is told by its difference from another one, its base. It has the texts of the files that differ, the paths
 * that are gone and the files that were left out; from the base and these the index is made that a run over all files would make.
 *
 * An overlay is in the place of an index. It names its base by digest and never by place, and counts only where it was made here: see
 * `overlay.ts`.
 */

import { createRequire } from "node:module";
import { closeSync, readSync } from "node:fs";
import type * as Zlib from "node:zlib";

import { PortolanError } from "../errors.js";
import type { SourceOptions } from "../types.js";
import { openRegular, readRegular } from "./safe-files.js";

/** How the file begins. An index begins with `PORTOLAN`. */
const MAGIC = "PORTOVL1";
/** Bytes of an overlay that are read, as they are and inflated: larger ones are whole indexes. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_INFLATED = 256 * 1024 * 1024;

/** A file that was left out. */
export interface Skipped {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** The header of an overlay. */
export interface OverlayHead {
  /** SHA-256 of the base. */
  readonly base: string;
  /** Number of files of the whole index. */
  readonly n_files: number;
  /** Name of the index. */
  readonly name: string;
  readonly embeddings: boolean;
  readonly source: SourceOptions;
  /** Paths of the base that are gone. */
  readonly deleted: readonly string[];
  readonly skipped: readonly Skipped[];
}

export interface Overlay extends OverlayHead {
  /** Files that are new or differ from the base. */
  readonly files: readonly { readonly path: string; readonly bytes: Uint8Array }[];
}

/** Whether the file at a path begins as an overlay does. */
export function isOverlay(path: string): boolean {
  let descriptor: number | undefined;
  try {
    descriptor = openRegular(path);
    const start = Buffer.alloc(MAGIC.length);
    return readSync(descriptor, start, 0, start.length, 0) === start.length && startsAsOverlay(start);
  } catch {
    return false;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

export function startsAsOverlay(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, MAGIC.length)).toString("latin1") === MAGIC;
}

/** The bytes of an overlay. */
export function overlayBytes({ files, ...head }: Overlay): Uint8Array {
  const lengths = files.map(({ path, bytes }) => [path, bytes.length]);
  const json = Buffer.from(JSON.stringify({ ...head, files: lengths }));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  const content = Buffer.concat([length, json, ...files.map(({ bytes }) => bytes)]);
  return Buffer.concat([Buffer.from(MAGIC), zlib().deflateRawSync(content)]);
}

/** Reads an overlay. Throws `overlay.damaged`. */
export function readOverlay(path: string): Overlay {
  try {
    const bytes = readRegular(path);
    if (bytes.length > MAX_BYTES || !startsAsOverlay(bytes)) throw new Error("it is no overlay");
    const content = zlib().inflateRawSync(bytes.subarray(MAGIC.length), { maxOutputLength: MAX_INFLATED });
    return parsed(content);
  } catch (error) {
    const message = `${path}: the overlay cannot be read: ${(error as Error).message}`;
    throw new PortolanError("overlay.damaged", message, "make it anew with `portolan index`", { cause: error });
  }
}

function parsed(content: Buffer): Overlay {
  const start = 4 + content.readUInt32LE(0);
  const { files, ...head } = JSON.parse(content.toString("utf8", 4, start)) as OverlayHead & {
    files: [string, number][];
  };
  let at = start;
  const placed = files.map(([path, n_bytes]) => {
    const bytes = content.subarray(at, at + n_bytes);
    if (typeof path !== "string" || bytes.length !== n_bytes) throw new Error("a file is cut off");
    at += n_bytes;
    return { path, bytes };
  });
  const isRight =
    /^[0-9a-f]{64}$/.test(head.base) &&
    Array.isArray(head.deleted) &&
    Array.isArray(head.skipped) &&
    at === content.length;
  if (!isRight) throw new Error("its header is not that of an overlay");
  return { ...head, files: placed };
}

/** Loaded when it is needed: questions to whole indexes do without. */
function zlib(): typeof Zlib {
  return createRequire(import.meta.url)("node:zlib") as typeof Zlib;
}
