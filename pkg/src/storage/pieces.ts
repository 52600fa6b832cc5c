/** A snapshot's file that comes in pieces, put together: in memory, or where the browser keeps blobs. */

import type { WriteSnapshot } from "../host.js";

/** So much is gathered before the browser is given it: of a blob it keeps on disk what is large, and the page has none of it. */
const PART = 4 << 20;

/** All of it in memory. */
export function joined(write: WriteSnapshot): Uint8Array<ArrayBuffer> {
  const pieces: { at: number; piece: Uint8Array }[] = [];
  write((at, piece) => void pieces.push({ at, piece }));
  const bytes = new Uint8Array(pieces.reduce((end, { at, piece }) => Math.max(end, at + piece.length), 0));
  for (const { at, piece } of pieces) bytes.set(piece, at);
  return bytes;
}

/** A blob of it, whose parts leave this memory as they come. */
export function blobOf(write: WriteSnapshot): Blob {
  let head: Uint8Array<ArrayBuffer> | undefined;
  let waiting: Uint8Array<ArrayBuffer>[] = [];
  let n_waiting = 0;
  const parts: Blob[] = [];
  write((at, piece) => {
    if (at === 0) {
      head = piece;
      return;
    }
    waiting.push(piece);
    n_waiting += piece.length;
    if (n_waiting < PART) return;
    parts.push(new Blob(waiting));
    waiting = [];
    n_waiting = 0;
  });
  return new Blob([...(head ? [head] : []), ...parts, ...waiting]);
}
