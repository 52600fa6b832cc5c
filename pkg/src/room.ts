/**
 * Room in an engine's memory, made in large steps.
 *
 * The engine's allocator asks for 64 KB more at a time, and every `memory.grow` hands JavaScript a new buffer over the whole memory:
 * from 64 MB on V8 takes each of them for that much new memory and starts to collect garbage, dozens of times a second.
 */

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
