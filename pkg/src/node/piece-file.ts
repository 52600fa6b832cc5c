/** A file of which only what questions ask for is read: a snapshot, or the model. */

import { closeSync, fstatSync, openSync, readSync } from "node:fs";

import type { PieceFile } from "../host.js";

export class OpenedFile implements PieceFile {
  readonly n_bytes: number;
  private readonly descriptor: number;
  /** Whether pieces can be read from anywhere in it: not of a pipe. */
  readonly isRegular: boolean;

  constructor(path: string | URL) {
    this.descriptor = openSync(path, "r");
    const stats = fstatSync(this.descriptor);
    this.n_bytes = stats.size;
    this.isRegular = stats.isFile();
  }

  read(start: number, end: number): Uint8Array {
    const bytes = new Uint8Array(end - start);
    for (let at = 0; at < bytes.length; ) {
      const n_read = readSync(this.descriptor, bytes, at, bytes.length - at, start + at);
      if (n_read === 0) throw new Error("it has become shorter");
      at += n_read;
    }
    return bytes;
  }

  close(): void {
    closeSync(this.descriptor);
  }
}
