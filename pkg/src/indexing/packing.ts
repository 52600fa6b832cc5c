/**
 * Compression while the index is built: finished sections go to an idle parsing worker, and come back before the index
 * is saved. Sections that do not come back are compressed then.
 */

import { packSection, type CodeIndex } from "../../wasm/engine.js";
import { release } from "../bytes.js";
import type { ParseProtocol } from "../rpc/protocol.js";
import type { Caller } from "../rpc/rpc.js";

/** Maximum bytes of copies in messages at once; the rest is compressed when the index is saved. */
const MAX_GIVEN_BYTES = 64 * 1024 * 1024;

/** The section that takes longest; a large one of a large index is packed here, while the embedding worker packs the rest. */
const OWN_SECTION = { name: "lexical", min: 4 * 1024 * 1024 };

type Taken = (index: CodeIndex) => void;

export class PackingAhead {
  private n_under_way = 0;
  private readonly taken: Promise<Taken>[] = [];

  private own: Uint8Array<ArrayBuffer> | undefined;
  private ownPacked: Packed | undefined;

  /** @param isShared whether the worker has vectors to compute, too. */
  constructor(
    private readonly caller: Caller<ParseProtocol>,
    private readonly isShared = false,
  ) {}

  /** As `CodeIndexBuilder.build` calls it: a section by its name, or blocks of texts. */
  readonly give = (
    name: string,
    bytes: Uint8Array<ArrayBuffer>,
    ends?: Uint32Array<ArrayBuffer>,
    first?: number,
  ): void => {
    const n_bytes = bytes.length;
    if (this.n_under_way + n_bytes > MAX_GIVEN_BYTES) return;
    this.n_under_way += n_bytes;
    if (this.isShared && name === OWN_SECTION.name && n_bytes >= OWN_SECTION.min) {
      this.own = bytes;
      return;
    }
    const packed = ends === undefined ? this.section(name, bytes) : this.texts(bytes, ends, first ?? 0);
    const nothing: Taken = () => {};
    this.taken.push(packed.catch(() => nothing).finally(() => (this.n_under_way -= n_bytes)));
  };

  /** Packs in this thread what is left to it, when the worker has something to do. */
  readonly packOwn = (): void => {
    if (!this.own) return;
    this.ownPacked = sectionsOf(packSection(OWN_SECTION.name, this.own));
    release([this.own]);
    this.own = undefined;
  };

  /** Waits for sections that are still being packed, and puts all of them into the index that was built, or into one that was made of it since. */
  async into(index: CodeIndex): Promise<void> {
    this.packOwn();
    if (this.ownPacked) takeSections(index, this.ownPacked);
    this.ownPacked = undefined;
    for (const take of await Promise.all(this.taken.splice(0))) take(index);
  }

  private async section(name: string, archive: Uint8Array<ArrayBuffer>): Promise<Taken> {
    const packed = await this.caller.call("packSection", { name, archive }, { transfer: [archive.buffer] });
    return (index) => takeSections(index, packed);
  }

  private async texts(blocks: Uint8Array<ArrayBuffer>, ends: Uint32Array<ArrayBuffer>, first: number): Promise<Taken> {
    const packed = await this.caller.call("packTexts", { blocks, ends }, { transfer: [blocks.buffer, ends.buffer] });
    return (index) => {
      for (const [n, block] of packed.entries()) index.setPackedTexts(first + n, block);
      release(packed);
    };
  }
}

/** Packed sections by their names. */
type Packed = [string, Uint8Array<ArrayBuffer>][];

/** The result of `packSection`: names and bytes in turn. */
export function sectionsOf(flat: unknown[]): Packed {
  const pairs: Packed = [];
  for (let n = 0; n < flat.length; n += 2) pairs.push([flat[n] as string, flat[n + 1] as Uint8Array<ArrayBuffer>]);
  return pairs;
}

function takeSections(index: CodeIndex, packed: Packed): void {
  for (const [name, bytes] of packed) index.setPacked(name, bytes);
  release(packed.map(([, bytes]) => bytes));
}
