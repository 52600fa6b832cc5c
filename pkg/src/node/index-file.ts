/**
 * The file of an index, and where it is the root of an index in shards those of its shards, which are beside it: `index.portolan` and
 * `index-NAME.portolan`.
 */

import { readdirSync, rmSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";

import { isRoot, N_ROOT_START } from "../storage/root-file.js";
import { isOwnIndex, requireOwnIndex } from "./own-index.js";
import { OpenedFile } from "./piece-file.js";

const ENDING = ".portolan";
/** The name of a shard: the start of the digest of its bytes. */
const NAME = /^[0-9a-f]{32}$/;

/** A file of an index that is read in pieces. A shard beside a root that was made here must have been made here, too. */
export class IndexFile extends OpenedFile {
  private readonly shards = new Map<string, OpenedFile>();
  private isOwn: boolean | undefined;

  constructor(private readonly path: string) {
    super(path);
  }

  /** Whether it begins as a root does. */
  get isRoot(): boolean {
    return this.isRegular && isRoot(this.read(0, Math.min(this.n_bytes, N_ROOT_START)));
  }

  beside(name: string): OpenedFile {
    let shard = this.shards.get(name);
    if (!shard) {
      const path = shardPath(this.path, name);
      this.isOwn ??= isOwnIndex(this.path);
      shard = new OpenedFile(this.isOwn ? requireOwnIndex(path) : path);
      this.shards.set(name, shard);
    }
    return shard;
  }

  override close(): void {
    for (const shard of this.shards.values()) shard.close();
    this.shards.clear();
    super.close();
  }
}

/** Whether the file at a path begins as a root does; false where none can be read. */
export function isRootAt(path: string): boolean {
  const file = attempt(() => new IndexFile(path));
  try {
    return file !== undefined && attempt(() => file.isRoot) === true;
  } finally {
    file?.close();
  }
}

/** The file of a shard. */
export function shardPath(root: string, name: string): string {
  if (!NAME.test(name)) throw new Error(`a shard cannot be named ${JSON.stringify(name)}`);
  return join(dirname(root), `${stemOf(root)}-${name}${ENDING}`);
}

/** The names of the shards beside a root, sorted: of the files that are named as one. */
export function shardsBeside(root: string): string[] {
  const start = `${stemOf(root)}-`;
  return namesIn(dirname(root))
    .flatMap((file) => {
      const name = file.startsWith(start) && file.endsWith(ENDING) ? file.slice(start.length, -ENDING.length) : "";
      return NAME.test(name) ? [name] : [];
    })
    .sort();
}

/** Removes the shards of earlier indexes beside a root: those whose files are not among these. */
export function removeOtherShards(root: string, kept: readonly string[]): void {
  const files = new Set(kept.map((path) => basename(path)));
  for (const name of shardsBeside(root)) {
    const file = shardPath(root, name);
    if (files.has(basename(file))) continue;
    // One that cannot be removed is in nobody's way.
    for (const path of [file, `${file}.mac`]) attempt(() => rmSync(path, { force: true }));
  }
}

function stemOf(root: string): string {
  return basename(root, extname(root));
}

function namesIn(folder: string): string[] {
  return attempt(() => readdirSync(folder)) ?? [];
}

function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
