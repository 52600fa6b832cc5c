/** Bytes that arrive in pieces, and those that nobody reads any more. */

/** A copy of all pieces in order, as one array. */
export function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(pieces.reduce((n_bytes, piece) => n_bytes + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/** A port that leads nowhere. */
let nowhere: MessagePort | undefined;

/**
 * Frees the memory of arrays that nobody reads any more; they are empty afterwards. V8 counts memory outside of its heap and collects it late:
 * tens of megabytes of messages wait for that in each thread.
 */
export function release(arrays: readonly Uint8Array[] | readonly Uint32Array[] | readonly Int8Array[]): void {
  const buffers = new Set<ArrayBuffer>();
  for (const { buffer } of arrays) if (buffer instanceof ArrayBuffer && buffer.byteLength > 0) buffers.add(buffer);
  if (buffers.size === 0) return;
  if (!nowhere) {
    nowhere = new MessageChannel().port1;
    nowhere.close();
  }
  // A buffer that is passed to a closed port is freed at once.
  nowhere.postMessage(null, [...buffers]);
}
