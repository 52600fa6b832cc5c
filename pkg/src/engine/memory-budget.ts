/**
 * The memory of an engine: how much of it an index may fill, and room in it made in large steps.
 *
 * The engine's allocator asks for 64 KB more at a time, and every `memory.grow` hands JavaScript a new buffer over the whole memory:
 * from 64 MB on V8 takes each of them for that much new memory and starts to collect garbage, dozens of times a second.
 */

import { PortolanError } from "../errors.js";
import { quantity } from "../quantity.js";

/** The part of an engine's exports that is used. */
export interface Heap {
  readonly memory: WebAssembly.Memory;
  readonly __wbindgen_malloc: (n_bytes: number, alignment: number) => number;
  readonly __wbindgen_free: (address: number, n_bytes: number, alignment: number) => void;
}

const MEGABYTE = 1024 * 1024;
/** Bytes that an engine takes after its first work. */
const START = 16 * MEGABYTE;
/** Bytes that building takes for each byte of text, about. */
const FOR_A_BYTE = 8;
/** Bytes that an update takes for each byte of the index's file, about. */
const UPDATED_FOR_A_BYTE = 16;
/** Bytes that interfaces and the resolver's tables take for each byte of text, about (all of Linux). */
const INTERFACES_FOR_A_BYTE = 2;
/** More is not reserved at once. */
const MOST_RESERVED = 3 / 4;
/** Bytes that WebAssembly can address. */
export const ADDRESSABLE = 4096 * MEGABYTE;
/** Some of it stays free for what questions need. */
const FULL = 0.95;
/** Bytes that an index takes for each byte of text when it is put together, as a million lines of many packages took them. */
const BUILT_FOR_A_BYTE = 12;
/** How much more is taken when everything is put together than when it has been read. */
const BUILT_FOR_READ = 1.7;
/**
 * Bytes that an index takes for each byte of what parsers say of it, above `DENSE_FROM` bytes of that for a byte of text: files of nothing but
 * definitions say twice as much as others, and take three times as much.
 */
const BUILT_FOR_A_UNIT_BYTE = 7;
const DENSE_FROM = 11 / 7;
/** Text that must have been parsed before it tells something of the rest. */
const TELLING = 2 * MEGABYTE;
/** Filled so far, an engine that stopped has likely run out of memory. */
const LIKELY_OUT = 0.4;
const STEP = { share: 1 / 8, min: 4 * MEGABYTE, max: 64 * MEGABYTE };

/** Makes one memory larger before it gets short. */
export class MemoryBudget {
  private n_seen: number;
  /** Bytes that were reserved, used or not. */
  private n_reserved = 0;
  /** Bytes of the texts that were parsed, and of what parsers said of them. */
  private readonly parsed = { n_text: 0, n_unit: 0 };
  private readonly limit: number;

  /** @param limit bytes that the memory may take (default: the address space). */
  constructor(
    private readonly heap: Heap,
    limit = ADDRESSABLE,
  ) {
    this.n_seen = heap.memory.buffer.byteLength;
    this.limit = Math.min(limit, ADDRESSABLE);
  }

  /** Reserves memory for an index of this many bytes of text. Unused parts take addresses, no memory. */
  forTexts(n_bytes: number): void {
    this.reserve(Math.min(START + FOR_A_BYTE * n_bytes, 8 * STEP.max, this.limit / 2));
    this.n_reserved = this.n_seen;
  }

  /** Reserves memory to bring an index up to date whose file has this many bytes: its files are restored in one call. */
  forUpdate(n_bytes: number): void {
    this.reserve(Math.min(START + UPDATED_FOR_A_BYTE * n_bytes, 8 * STEP.max, this.limit / 2));
  }

  /**
   * Returns true if an index of this many bytes of text is likely to fit: by what such indexes took, and by what this
   * one has taken so far.
   */
  fits(n_bytes: number): boolean {
    const now = this.heap.memory.buffer.byteLength;
    const likely = Math.max(this.dense(n_bytes), now > this.n_reserved ? now * BUILT_FOR_READ : 0);
    return this.holds(n_bytes) && likely <= this.limit * FULL;
  }

  /** Whether an index of `n_bytes` bytes of text fits, as most do: where the memory holds one already, its present size says nothing. */
  holds(n_bytes: number): boolean {
    return takes(n_bytes) <= this.limit * FULL;
  }

  /** Notes that a file was parsed: bytes of its text, and of what was read of it. */
  noteParsed(n_text: number, n_unit: number): void {
    this.parsed.n_text += n_text;
    this.parsed.n_unit += n_unit;
  }

  /** Estimates the memory of an index of this many bytes, if all of it is like the files parsed so far. */
  private dense(n_bytes: number): number {
    const { n_text, n_unit } = this.parsed;
    return n_text < TELLING ? 0 : START + BUILT_FOR_A_UNIT_BYTE * (n_unit / n_text - DENSE_FROM) * n_bytes;
  }

  /** Whether an engine that stopped is likely to have run out of memory. */
  get isLikelyOut(): boolean {
    return this.heap.memory.buffer.byteLength > this.limit * LIKELY_OUT;
  }

  /** Returns the warning that everything is read again, to fill less of the memory. */
  again(share: number): PortolanError {
    const message = `the engine ran out of memory while the index was put together; it is made again, with at most ${gigabytes(this.limit * share)}`;
    return new PortolanError("index.too-large", message, HELP);
  }

  /** Returns the warning before this many bytes of text are indexed; nothing if they fit. */
  caution(n_bytes: number): PortolanError | undefined {
    if (this.holds(n_bytes)) return undefined;
    const message = `${gigabytes(n_bytes)} of sources may take ${gigabytes(takes(n_bytes))} of memory, and there is room for ${gigabytes(this.limit)}: what does not fit will be left out`;
    return new PortolanError("index.large", message, HELP);
  }

  /** Returns the warning for the first file that is left out. */
  full(path: string): PortolanError {
    const message = `the index fills the ${gigabytes(this.limit)} of memory that there is room for: ${path} and the files after it are left out`;
    return new PortolanError("index.full", message, HELP);
  }

  /** Returns the warning about the files that were left out. */
  leftOut(n_files: number, n_bytes: number): PortolanError {
    const message = `${quantity(n_files, "file was", "files were")} left out (${gigabytes(n_bytes)}): with them the index would take more than the ${gigabytes(this.limit)} of memory that there is room for`;
    return new PortolanError("index.too-large", message, HELP);
  }

  /** Now and then: memory that had to grow since the last time grows by a step. */
  keep(): void {
    const n_bytes = this.heap.memory.buffer.byteLength;
    if (n_bytes > this.n_seen) this.reserve(Math.min(STEP.max, Math.max(STEP.min, n_bytes * STEP.share)));
  }

  protected reserve(n_bytes: number): void {
    try {
      const size = Math.ceil(n_bytes);
      this.heap.__wbindgen_free(this.heap.__wbindgen_malloc(size, 16), size, 16);
    } catch {
      // There is not as much: then it grows as it is needed, as far as it goes.
    }
    this.n_seen = this.heap.memory.buffer.byteLength;
  }
}

/** The memory of an index that is made shard by shard: it grows in the same steps, and nothing is left out. */
export class ShardMemory extends MemoryBudget {
  /**
   * Reserves memory for the interfaces of files of `n_bytes` with what the resolver knows of them, and for a shard of `n_of_shard`. Each is made in
   * few calls, in which memory would grow thousands of times.
   */
  forShards(n_bytes: number, n_of_shard: number): void {
    const size = START + INTERFACES_FOR_A_BYTE * n_bytes + FOR_A_BYTE * n_of_shard;
    this.reserve(Math.min(size, ADDRESSABLE * MOST_RESERVED));
  }

  override fits(): boolean {
    return true;
  }

  override holds(): boolean {
    return true;
  }
}

const HELP =
  "leave out what need not be searched (`exclude`, `.portolanignore`), or index subfolders apart, as repositories of their own that are asked together";

function takes(n_bytes: number): number {
  return START + BUILT_FOR_A_BYTE * n_bytes;
}

function gigabytes(n_bytes: number): string {
  return n_bytes < 1e8 ? `${(n_bytes / 1e6).toPrecision(2)} MB` : `${(n_bytes / 1e9).toFixed(1)} GB`;
}
