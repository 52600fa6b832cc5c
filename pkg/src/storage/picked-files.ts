/** The files of a saved index as a page gets them from its user: a snapshot, or the root of an index in shards with the shards. */

import { PortolanError } from "../errors.js";
import type { PieceFile } from "../host.js";
import { BlobFile } from "./blob-file.js";
import { bundledFiles } from "./bundled-index.js";
import { isRoot, N_ROOT_START } from "./root-file.js";

/** The file of a shard: that of the root, and the start of the digest of the shard's bytes. */
const SHARD = /-([0-9a-f]{32})\.portolan$/;

/**
 * The index in these files; nothing of a shard is read before a question needs it. Throws `input.invalid` where there are several files and not
 * exactly one root among them.
 */
export function indexOf(files: readonly File[]): PickedIndex {
  const [only] = files;
  if (only !== undefined && files.length === 1) return bundled(only) ?? new PickedIndex(only, []);
  const roots = files.filter((file) => isRoot(startOf(file)));
  const [root] = roots;
  if (root === undefined || roots.length > 1)
    throw new PortolanError(
      "input.invalid",
      `${files.length} files, of which ${roots.length} are the root of an index in shards`,
      GIVE_ALL,
    );
  return new PickedIndex(root, files);
}

/** Root and shards of a version in shards, which a server of shared indexes sends as one file. */
function bundled(file: File): PickedIndex | undefined {
  const parts = bundledFiles(new BlobFile(file))?.map(
    ({ name, offset, n_bytes }) => new File([file.slice(offset, offset + n_bytes)], `shard-${name}.portolan`),
  );
  const [root, ...shards] = parts ?? [];
  return root && new PickedIndex(root, shards);
}

const GIVE_ALL =
  "give all files that `portolan index --shards` wrote: NAME.portolan and every NAME-….portolan beside it";

function startOf(file: File): Uint8Array {
  return new BlobFile(file).read(0, Math.min(file.size, N_ROOT_START));
}

/** The file of a snapshot or root, and the shards by their names. */
export class PickedIndex extends BlobFile {
  private readonly shards: ReadonlyMap<string, File>;

  constructor(root: File, files: readonly File[]) {
    super(root);
    const named = files.map((file) => [SHARD.exec(file.name)?.[1], file] as const);
    this.shards = new Map(named.filter((entry): entry is readonly [string, File] => entry[0] !== undefined));
  }

  beside(name: string): PieceFile {
    const shard = this.shards.get(name);
    if (!shard) throw new Error(`the file of the shard ${name} was not given`);
    return new BlobFile(shard);
  }

  /** Throws `input.invalid` where there are fewer files than the root has shards: a question would fail when it reaches one. */
  requireShards(n_shards: number): void {
    const n_given = this.shards.size;
    if (n_given < n_shards)
      throw new PortolanError(
        "input.invalid",
        `the index has ${n_shards} shards, of which ${n_given} were given`,
        GIVE_ALL,
      );
  }
}
