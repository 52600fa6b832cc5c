/** The file of a version, read by ranges across its pieces. No copy of it exists. */

import { PortolanError } from "../errors.js";
import { AT_ONCE, type ByteRange, type ObjectBody, type ObjectStore } from "./store.js";
import type { VersionManifest } from "./types.js";

/** A range of one piece. */
interface Slice {
  readonly digest: string;
  readonly n_piece: number;
  readonly offset: number;
  readonly length: number;
}

/** A version's file, read across its pieces. */
export class VirtualFile {
  /** Where each piece begins. */
  private readonly starts: number[] = [];
  private readonly pieces: { digest: string; n_bytes: number }[] = [];

  constructor(
    private readonly store: ObjectStore,
    readonly manifest: VersionManifest,
    private readonly keyOf: (digest: string) => string,
  ) {
    let start = 0;
    for (const { pieces } of manifest.sections) {
      for (const piece of pieces) {
        this.starts.push(start);
        this.pieces.push(piece);
        start += piece.n_bytes;
      }
    }
  }

  /** Length in bytes. */
  get n_bytes(): number {
    return this.manifest.n_bytes;
  }

  /**
   * Reads a range, which must be within the file. A few pieces are asked for ahead; their bytes wait at the store. Rejects with
   * `version.gone`, where the version was deleted meanwhile.
   */
  async *read(range: ByteRange = { offset: 0, length: this.n_bytes }): AsyncGenerator<Uint8Array> {
    const slices = this.slices(range);
    const ahead: Promise<ObjectBody>[] = [];
    try {
      for (let next = 0, at = 0; at < slices.length; at++) {
        for (; next < Math.min(at + AT_ONCE, slices.length); next++) {
          const asked = this.open(slices[next] as Slice);
          asked.catch(() => {}); // the one that is awaited rejects
          ahead.push(asked);
        }
        const { body } = await (ahead.shift() as Promise<ObjectBody>);
        let n_rest = (slices[at] as Slice).length;
        for await (const bytes of body) {
          n_rest -= bytes.length;
          yield bytes;
        }
        if (n_rest !== 0) throw gone();
      }
    } finally {
      for (const asked of ahead) asked.then(({ cancel }) => cancel()).catch(() => {});
    }
  }

  private slices({ offset, length }: ByteRange): Slice[] {
    const end = offset + length;
    const slices: Slice[] = [];
    for (let at = this.pieceAt(offset); at < this.pieces.length; at++) {
      const { digest, n_bytes } = this.pieces[at] as { digest: string; n_bytes: number };
      const start = this.starts[at] as number;
      if (start >= end) break;
      const from = Math.max(offset, start) - start;
      slices.push({ digest, n_piece: n_bytes, offset: from, length: Math.min(end, start + n_bytes) - start - from });
    }
    return slices;
  }

  /** The piece that a byte is in, by bisection. */
  private pieceAt(offset: number): number {
    let [low, high] = [0, this.starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.starts[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  private async open({ digest, n_piece, offset, length }: Slice): Promise<ObjectBody> {
    const isWhole = offset === 0 && length === n_piece;
    const found = await this.store.get(this.keyOf(digest), isWhole ? undefined : { offset, length });
    if (!found) throw gone();
    return found;
  }
}

function gone(): PortolanError {
  return new PortolanError("version.gone", "this version was deleted while it was read", "ask for the current one");
}
