/** Files that wait between the passes of sharding, in a file that nobody else can open by a name. */

import { closeSync, constants, fstatSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { WaitingFiles } from "../host.js";
import { unwritable } from "./safe-files.js";

const { O_CREAT, O_EXCL, O_RDWR, O_NOFOLLOW = 0 } = constants;
/** Records are small: so much is written at once. */
const N_BUFFER = 64 * 1024;

export class WaitingFile implements WaitingFiles {
  private readonly descriptor: number;
  private readonly path = join(tmpdir(), `.portolan-${crypto.randomUUID()}.tmp`);
  private readonly buffer = new Uint8Array(N_BUFFER);
  private n_buffered = 0;
  private isOpen = true;

  constructor() {
    this.descriptor = attempt(this.path, () => openSync(this.path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600));
    // Where a name cannot be taken from an open file, it is removed when it is closed.
    this.unlink();
  }

  write(bytes: Uint8Array): void {
    if (this.n_buffered + bytes.length > N_BUFFER) this.flush();
    if (bytes.length > N_BUFFER) this.put(bytes);
    else {
      this.buffer.set(bytes, this.n_buffered);
      this.n_buffered += bytes.length;
    }
  }

  read(): Uint8Array {
    this.flush();
    const bytes = new Uint8Array(fstatSync(this.descriptor).size);
    for (let at = 0; at < bytes.length; ) {
      const n_read = readSync(this.descriptor, bytes, at, bytes.length - at, at);
      if (n_read === 0) throw new Error(`${this.path} has become shorter`);
      at += n_read;
    }
    return bytes;
  }

  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    closeSync(this.descriptor);
    this.unlink();
  }

  private flush(): void {
    const { n_buffered } = this;
    this.n_buffered = 0;
    this.put(this.buffer.subarray(0, n_buffered));
  }

  private put(bytes: Uint8Array): void {
    attempt(this.path, () => {
      for (let at = 0; at < bytes.length; ) at += writeSync(this.descriptor, bytes, at);
    });
  }

  private unlink(): void {
    try {
      unlinkSync(this.path);
    } catch {
      // It is gone already, or goes with the folder.
    }
  }
}

function attempt<T>(path: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw unwritable(path, error);
  }
}
