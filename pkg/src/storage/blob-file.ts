/** A blob as a file that is read in pieces, which only workers can. */

import type { PieceFile } from "../host.js";

/** Whether pieces of a blob can be read synchronously: in workers. */
export const readsPieces = typeof FileReaderSync !== "undefined";

/** Bytes that one read of a blob takes. */
declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}

/** Bytes that one read of a large blob takes: sections that are read one after the other are side by side. */
const WINDOW = 2 << 20;
/** Number of windows kept. */
const N_WINDOWS = 4;

/** A blob that is read in pieces, so that a large file is never in memory as a whole. */
export class BlobFile implements PieceFile {
  private readonly reader = new FileReaderSync();
  /** By their number; the one used last is the last. */
  private readonly windows = new Map<number, Uint8Array>();
  readonly n_bytes: number;

  constructor(private readonly blob: Blob) {
    this.n_bytes = blob.size;
  }

  read(start: number, end: number): Uint8Array {
    const first = Math.floor(start / WINDOW);
    if (end > (first + 2) * WINDOW) return this.slice(start, end);
    const bytes = new Uint8Array(end - start);
    for (let at = start; at < end; ) {
      const number = Math.floor(at / WINDOW);
      const from = at - number * WINDOW;
      const piece = this.window(number).subarray(from, from + end - at);
      if (piece.length === 0) throw new Error("it has become shorter");
      bytes.set(piece, at - start);
      at += piece.length;
    }
    return bytes;
  }

  private window(number: number): Uint8Array {
    const known = this.windows.get(number) ?? this.slice(number * WINDOW, (number + 1) * WINDOW);
    this.windows.delete(number);
    this.windows.set(number, known);
    const [oldest] = this.windows.keys();
    if (oldest !== undefined && this.windows.size > N_WINDOWS) this.windows.delete(oldest);
    return known;
  }

  private slice(start: number, end: number): Uint8Array {
    return new Uint8Array(this.reader.readAsArrayBuffer(this.blob.slice(start, end)));
  }
}
