/** A file of which only what questions ask for is read: a snapshot, or the model. */

import { closeSync, fstatSync, readSync } from "node:fs";

import type { PieceFile } from "../host.js";
import { openRegular } from "./safe-files.js";

/**
 * The buffer for pieces: one for all, as large as the largest. Touching new memory costs more than reading, and memory
 * outside V8's heap triggers its garbage collection.
 */
let shared = new Uint8Array(0);

export class OpenedFile implements PieceFile {
  readonly n_bytes: number;
  private readonly descriptor: number;
  /** Whether pieces can be read from anywhere in it: not of a pipe of the shell. */
  readonly isRegular: boolean;

  constructor(path: string | URL) {
    this.descriptor = openRegular(path, { pipes: true });
    const stats = fstatSync(this.descriptor);
    this.n_bytes = stats.size;
    this.isRegular = stats.isFile();
  }

  /** Returns a piece, which is valid until the next one is read, of this file or another. */
  read(start: number, end: number): Uint8Array<ArrayBuffer> {
    const n_bytes = end - start;
    if (shared.length < n_bytes) shared = new Uint8Array(n_bytes);
    const bytes = shared.subarray(0, n_bytes);
    for (let at = 0; at < n_bytes; ) {
      const n_read = readSync(this.descriptor, bytes, at, n_bytes - at, start + at);
      if (n_read === 0) throw new Error("it has become shorter");
      at += n_read;
    }
    return bytes;
  }

  close(): void {
    closeSync(this.descriptor);
  }
}

/** All of a file, to be used at once: as a piece of it. */
export function readBriefly(path: string | URL): Uint8Array<ArrayBuffer> {
  const file = new OpenedFile(path);
  try {
    return file.read(0, file.n_bytes);
  } finally {
    file.close();
  }
}
