/**
 * Cuts a file into pieces: at the borders of its sections, and within those that are made of blocks where their content says so. Two files that
 * agree in most of such a section share most of its pieces, even if bytes were inserted before them. Other sections are compressed as a
 * whole, so one changed file changes all of their bytes: they are cut at the largest size only.
 *
 * The cuts are those of FastCDC (Xia et al., "FastCDC: a Fast and Efficient Content-Defined Chunking Approach for Data Deduplication", 2016)
 * without its normalisation: a gear hash over the last 32 bytes, a cut where its upper bits are zero. A server never depends on where a
 * client cuts; it checks each piece by its digest.
 */

import { joined } from "../bytes.js";
import type { Bytes } from "./store.js";
import { layoutOf, N_START, type Layout } from "./layout.js";

/** Sizes of pieces in bytes. */
export const PIECE = { least: 16 * 1024, most: 4 * 1024 * 1024 } as const;
/** Fifteen upper bits: on average a cut 32 KiB after the least size. */
const MASK = 0xfffe0000 | 0;
/** Sections of blocks that are compressed one by one: texts, and facts of files. */
const IN_BLOCKS = ["blocks", "facts"];

/** A random number for each value of a byte, the same in every program. */
const GEAR = gearTable();

/** A piece of a file, and the part that it belongs to. */
export interface CutPiece {
  /** Place in `Layout.parts`. */
  readonly part: number;
  readonly bytes: Bytes;
}

/** Cuts a file of a known length that arrives in chunks of any size. Holds one piece in memory, and the first 10 KB. */
export class Cutter {
  private start: Uint8Array[] = [];
  private n_start = 0;
  private found: Layout | undefined;
  private readonly piece = new Uint8Array(PIECE.most);
  private n_piece = 0;
  private part = 0;
  private n_of_part = 0;
  private hash = 0;

  /** @param n_bytes length of the file. */
  constructor(private readonly n_bytes: number) {}

  /** The layout; undefined until the first 10 KB have arrived. */
  get layout(): Layout | undefined {
    return this.found;
  }

  /** Yields the pieces that are complete with this chunk. Throws `version.invalid`. */
  *push(chunk: Uint8Array): Generator<CutPiece> {
    if (this.found) return yield* this.cut(chunk);
    this.start.push(chunk);
    this.n_start += chunk.length;
    if (this.n_start < Math.min(N_START, this.n_bytes)) return;
    const start = joined(this.start);
    this.start = [];
    this.found = layoutOf(start.subarray(0, N_START), this.n_bytes);
    yield* this.cut(start);
  }

  private *cut(chunk: Uint8Array): Generator<CutPiece> {
    for (let at = 0; at < chunk.length; ) {
      const part = this.found?.parts[this.part];
      // More than was announced: the caller counts, too.
      if (part === undefined) return;
      const room = Math.min(chunk.length - at, PIECE.most - this.n_piece, part.n_bytes - this.n_of_part);
      const isInBlocks = IN_BLOCKS.includes(part.name);
      const { n_taken, isCut } = isInBlocks ? this.scan(chunk, at, room) : { n_taken: room, isCut: false };
      this.piece.set(chunk.subarray(at, at + n_taken), this.n_piece);
      this.n_piece += n_taken;
      this.n_of_part += n_taken;
      at += n_taken;
      const isEnd = this.n_of_part === part.n_bytes;
      if (!isCut && !isEnd && this.n_piece < PIECE.most) continue;
      yield { part: this.part, bytes: this.piece.slice(0, this.n_piece) };
      this.n_piece = 0;
      this.hash = 0;
      if (!isEnd) continue;
      this.part++;
      this.n_of_part = 0;
    }
  }

  /** Looks for a cut in the next bytes of a chunk. */
  private scan(chunk: Uint8Array, at: number, n_bytes: number): { n_taken: number; isCut: boolean } {
    let hash = this.hash;
    const n_skipped = Math.min(n_bytes, Math.max(0, PIECE.least - this.n_piece));
    for (let n = n_skipped; n < n_bytes; n++) {
      hash = ((hash << 1) + (GEAR[chunk[at + n] as number] as number)) | 0;
      if ((hash & MASK) !== 0) continue;
      return { n_taken: n + 1, isCut: true };
    }
    this.hash = hash;
    return { n_taken: n_bytes, isCut: false };
  }
}

/** SplitMix32 (Vigna), from a fixed seed. */
function gearTable(): Int32Array {
  let state = 0x9e3779b9;
  return Int32Array.from({ length: 256 }, () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return mixed ^ (mixed >>> 15);
  });
}
