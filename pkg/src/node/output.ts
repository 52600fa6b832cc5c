/**
 * Standard output for a process that answers and ends. `process.stdout` brings sockets and streams along, some forty modules of Node: a
 * file or a pipe is written to by its number.
 */

import { fstatSync, writeSync } from "node:fs";

const STDOUT = 1;

/** Whether somebody is looking at it. */
export const output = {
  get isTTY(): boolean {
    return !isPlain() && process.stdout.isTTY === true;
  },
};

/** Writes all of a text, or throws what the system says. */
export function writeAll(text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(STDOUT, bytes, at);
    } catch (error) {
      // A pipe that is not blocking and is full.
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
}

/** Resolves when a text is out: a pipe that is closed early must not lose what fits. */
export function writeOut(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (error?: unknown) => (error ? reject(error as Error) : resolve());
    if (!isPlain()) {
      process.stdout.once("error", end);
      process.stdout.write(text, end);
      return;
    }
    writeAll(text);
    end();
  });
}

/** Whether it is a file, a pipe or a socket. */
function isPlain(): boolean {
  try {
    const stats = fstatSync(STDOUT);
    return stats.isFile() || stats.isFIFO() || stats.isSocket();
  } catch {
    return false; // it is closed: Node reports that itself
  }
}
