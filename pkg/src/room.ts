/**
 * Room in an engine's memory, made in large steps.
 *
 * The engine's allocator asks for 64 KB more at a time, and every `memory.grow` hands JavaScript a new buffer over the whole memory:
 * from 64 MB on V8 takes each of them for that much new memory and starts to collect garbage, dozens of times a second.
 */

import { PortolanError } from "./errors.js";

/** What is used of an engine's exports. */
export interface Heap {
  readonly memory: WebAssembly.Memory;
  readonly __wbindgen_malloc: (n_bytes: number, alignment: number) => number;
  readonly __wbindgen_free: (address: number, n_bytes: number, alignment: number) => void;
}

const MEGABYTE = 1024 * 1024;
/** What an engine takes when it has done something. */
const START = 16 * MEGABYTE;
/** Bytes that building takes for each byte of text, about. */
const FOR_A_BYTE = 8;
/** What WebAssembly can address. */
const LIMIT = 4096 * MEGABYTE;
/** What is left then is needed to put the index together. */
const FULL = LIMIT * 0.85;
/** Bytes at most for each byte of text until the index is saved, as a million lines of many packages took them. */
const LIKELY_FOR_A_BYTE = 16;
const STEP = { share: 1 / 8, min: 4 * MEGABYTE, max: 64 * MEGABYTE };

/** Makes one memory larger before it gets short. */
export class Room {
  private n_seen: number;

  constructor(private readonly heap: Heap) {
    this.n_seen = heap.memory.buffer.byteLength;
  }

  /** Before an index is built of so many bytes of text. What is not used takes addresses, no memory. */
  forTexts(n_bytes: number): void {
    this.reserve(Math.min(START + FOR_A_BYTE * n_bytes, 8 * STEP.max));
  }

  /** What to tell the user before so many bytes of text are indexed; nothing where there is room enough. */
  static caution(n_bytes: number): PortolanError | undefined {
    const likely = START + LIKELY_FOR_A_BYTE * n_bytes;
    if (likely <= FULL) return undefined;
    const message = `${gigabytes(n_bytes)} of sources may take ${gigabytes(likely)} of memory, and WebAssembly can address ${gigabytes(LIMIT)}: this may fail`;
    return new PortolanError("index.large", message, HELP);
  }

  /** Ends what cannot be finished, before the memory itself does. */
  check(n_files: number): void {
    const n_bytes = this.heap.memory.buffer.byteLength;
    if (n_bytes <= FULL) return;
    const message = `after ${n_files} files the index has taken ${gigabytes(n_bytes)} of the ${gigabytes(LIMIT)} that WebAssembly can address`;
    throw new PortolanError("index.too-large", message, HELP);
  }

  /** Now and then: memory that had to grow since the last time grows by a step. */
  keep(): void {
    const n_bytes = this.heap.memory.buffer.byteLength;
    if (n_bytes > this.n_seen) this.reserve(Math.min(STEP.max, Math.max(STEP.min, n_bytes * STEP.share)));
  }

  private reserve(n_bytes: number): void {
    try {
      const size = Math.ceil(n_bytes);
      this.heap.__wbindgen_free(this.heap.__wbindgen_malloc(size, 16), size, 16);
    } catch {
      // There is not as much: then it grows as it is needed, as far as it goes.
    }
    this.n_seen = this.heap.memory.buffer.byteLength;
  }
}

const HELP = "leave out what need not be searched (`exclude`, `.portolanignore`), or index parts of the repository apart";

function gigabytes(n_bytes: number): string {
  return `${(n_bytes / 1e9).toFixed(1)} GB`;
}
