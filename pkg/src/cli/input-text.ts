/** The text of a file that an option names, or of stdin. */

import { readFileSync, readSync } from "node:fs";

import { PortolanError } from "../errors.js";

const PIECE = 64 * 1024;
/** No issue, diff or list of queries has more. */
const MAX_STDIN = 256 * 1024 * 1024;
const PAUSE_MS = 10;

/** Reads a file whole; `-` is stdin. Throws `input.unreadable`. */
export function inputText(file: string): string {
  try {
    return file === "-" ? stdinText() : readFileSync(file, "utf8");
  } catch (error) {
    throw new PortolanError("input.unreadable", `${file}: ${(error as Error).message}`, "", { cause: error });
  }
}

/**
 * Reads stdin to its end. Programs such as npm set the pipe that they share to non-blocking; a read then fails with EAGAIN until more is
 * there, and is tried again.
 */
function stdinText(): string {
  const pieces: Buffer[] = [];
  let n_bytes = 0;
  for (;;) {
    const piece = Buffer.allocUnsafe(PIECE);
    const n_read = readPiece(piece);
    if (n_read === 0) return Buffer.concat(pieces).toString("utf8");
    if (n_read === undefined) continue;
    pieces.push(piece.subarray(0, n_read));
    n_bytes += n_read;
    if (n_bytes > MAX_STDIN) throw new RangeError(`more than ${MAX_STDIN / 2 ** 20} MiB`);
  }
}

/** Bytes that were read, 0 at the end; undefined after a pause, where there are none yet. */
function readPiece(into: Buffer): number | undefined {
  try {
    return readSync(0, into);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EOF") return 0;
    if (code !== "EAGAIN") throw error;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    return undefined;
  }
}
