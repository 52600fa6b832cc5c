//! A stream taken piece by piece; bytes are copied only where a piece is in several of its chunks.

export class Pieces {
  /** Bytes taken or skipped so far. */
  gone = 0;
  #rest = new Uint8Array(0);

  /** Reads at most `most` bytes of `source`, then skips nothing more. */
  constructor(
    private readonly source: ReadableStreamDefaultReader<Uint8Array>,
    private readonly most = Number.POSITIVE_INFINITY,
  ) {}

  /** Exactly `length` bytes; throws at the end. */
  async take(length: number): Promise<Uint8Array<ArrayBuffer>> {
    if (this.#rest.length < length) {
      const all = new Uint8Array(length);
      for (let have = 0; have < length; ) {
        if (this.#rest.length === 0) await this.#more();
        const part = this.#rest.subarray(0, length - have);
        all.set(part, have);
        this.#pass(part.length);
        have += part.length;
      }
      return all;
    }
    const piece = this.#rest.subarray(0, length);
    this.#pass(length);
    return piece;
  }

  async skip(length: number): Promise<void> {
    for (let left = length; left > 0 && this.gone < this.most; ) {
      if (this.#rest.length === 0) await this.#more();
      const part = Math.min(left, this.#rest.length);
      this.#pass(part);
      left -= part;
    }
  }

  end(): Promise<void> {
    return this.source.cancel().catch(() => {}); // nothing more is read in any case
  }

  #pass(length: number): void {
    this.#rest = this.#rest.subarray(length);
    this.gone += length;
  }

  async #more(): Promise<void> {
    const { done, value } = await this.source.read();
    if (done) throw new Error("the archive ends early");
    this.#rest = value as Uint8Array<ArrayBuffer>;
  }
}
