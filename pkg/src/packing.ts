/**
 * Packing while the index is built: what the builder hands out goes to a worker that has nothing to parse any more, and comes back
 * before the index is saved. What does not come back is packed then.
 */

import type { CodeIndex } from "../wasm/engine.js";
import type { ParseProtocol } from "./protocol.js";
import type { Caller } from "./rpc.js";

/** Copies that lie in messages at once; what is beyond them is packed when the index is saved. */
const MAX_GIVEN_BYTES = 64 * 1024 * 1024;

type Taken = (index: CodeIndex) => void;

export class PackingAhead {
  private n_under_way = 0;
  private readonly taken: Promise<Taken>[] = [];

  constructor(private readonly caller: Caller<ParseProtocol>) {}

  /** As `CodeIndexBuilder.build` calls it: a section by its name, or blocks of texts. */
  readonly give = (name: string, bytes: Uint8Array<ArrayBuffer>, ends?: Uint32Array<ArrayBuffer>, first?: number): void => {
    const n_bytes = bytes.length;
    if (this.n_under_way + n_bytes > MAX_GIVEN_BYTES) return;
    this.n_under_way += n_bytes;
    const packed = ends === undefined ? this.section(name, bytes) : this.texts(bytes, ends, first ?? 0);
    const nothing: Taken = () => {};
    this.taken.push(packed.catch(() => nothing).finally(() => (this.n_under_way -= n_bytes)));
  };

  /** Waits for what is still being packed, and puts everything into the index that was built, or into one that was made of it since. */
  async into(index: CodeIndex): Promise<void> {
    for (const take of await Promise.all(this.taken.splice(0))) take(index);
  }

  private async section(name: string, archive: Uint8Array<ArrayBuffer>): Promise<Taken> {
    const packed = await this.caller.call("packSection", { name, archive }, { transfer: [archive.buffer] });
    return (index) => packed.forEach(([name, bytes]) => index.setPacked(name, bytes));
  }

  private async texts(blocks: Uint8Array<ArrayBuffer>, ends: Uint32Array<ArrayBuffer>, first: number): Promise<Taken> {
    const packed = await this.caller.call("packTexts", { blocks, ends }, { transfer: [blocks.buffer, ends.buffer] });
    return (index) => packed.forEach((block, n) => index.setPackedTexts(first + n, block));
  }
}
