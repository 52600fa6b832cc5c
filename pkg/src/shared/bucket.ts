/**
 * The versions of a store as the bucket that the Worker's handler reads: `NAME.portolan` is the current version of NAME, and
 * `NAME/_v.ID.portolan` any other. Only repositories that the principal may read are in it.
 */

import type { PortolanError } from "../errors.js";
import { isDigest } from "./digest.js";
import { isRepositoryName } from "./names.js";
import { streamOf } from "./serving.js";
import { filesOf, type BundledFile } from "../storage/bundle.js";
import { AT_ONCE, collected, inParallel } from "./store.js";
import type { Versions } from "./versions.js";
import type { VirtualFile } from "./virtual-file.js";

/** An object as the Worker's handler reads it from R2. */
export interface ToolObject {
  readonly key: string;
  readonly etag: string;
  readonly size: number;
  readonly uploaded: Date;
  /** Absent where a condition did not hold. */
  readonly body?: ReadableStream<Uint8Array>;
  /** The same, in pieces. */
  readonly pieces?: () => AsyncIterable<Uint8Array>;
}

interface ToolOptions {
  readonly range?: { offset: number; length: number };
  readonly onlyIf?: { etagMatches?: string; etagDoesNotMatch?: string };
}

/** The part of R2's binding that the handler of tools uses. */
export interface ToolBucket {
  get(key: string, options?: ToolOptions): Promise<ToolObject | null>;
  /** `namesOnly` gives objects of which only the key is right, without a read for each; `most` is the number that is wanted. */
  list(options?: {
    readonly namesOnly?: boolean;
    readonly most?: number;
  }): Promise<{ objects: ToolObject[]; truncated: boolean; cursor?: string }>;
}

const ENDING = ".portolan";
/** A shard of an index in shards, whose version is a bundle: the name of the root, and that of the shard. */
const SHARD = /^(.+)-([0-9a-f]{32})$/;
/** No part of a name begins with `_`. */
const VERSION = /^(.+)\/_v\.([0-9a-f]{64})$/;

/** The repository in a name that may say which version is meant. */
export function splitName(name: string): { repository: string; version?: string } {
  const [, repository, version] = VERSION.exec(name) ?? [];
  return repository !== undefined && isDigest(version) ? { repository, version } : { repository: name };
}

/** The versions as a bucket for the Worker's handler, beside other objects. */
export function bucketOf(
  versions: Versions,
  mayRead: (repository: string) => boolean,
  others: ToolBucket | undefined,
): ToolBucket {
  return {
    async get(key, options = {}) {
      if (!key.endsWith(ENDING)) return key.startsWith("models/") ? ((await others?.get(key, options)) ?? null) : null;
      const name = key.slice(0, -ENDING.length);
      const { repository, version = "current" } = splitName(name);
      if (isRepositoryName(repository) && mayRead(repository)) {
        const object = await objectOf(versions, key, { repository, version }, options);
        if (object) return object;
      }
      const [, root = name, shard] = SHARD.exec(name) ?? [];
      const of = splitName(root);
      if (!isRepositoryName(of.repository) || !mayRead(of.repository)) return null;
      const object = shard === undefined ? undefined : await shardOf(versions, key, { ...of, shard }, options);
      return object ?? (await others?.get(key, options)) ?? null;
    },
    async list({ namesOnly = false, most } = {}) {
      const all = (await versions.repositories()).filter(mayRead);
      const names = all.slice(0, most);
      const truncated = names.length < all.length;
      if (namesOnly) {
        const unread = { etag: "", size: 0, uploaded: new Date(0) };
        return { objects: names.map((name) => ({ key: `${name}${ENDING}`, ...unread })), truncated };
      }
      const objects = await inParallel(names, AT_ONCE, async (name) => {
        const key = `${name}${ENDING}`;
        const wanted = { repository: name, version: "current" };
        const object = await objectOf(versions, key, wanted, { onlyIf: { etagMatches: "none" } });
        return object ? [object] : [];
      });
      return { objects: objects.flat(), truncated };
    },
  };
}

/** The file that is wanted: a version's, or of a bundle the root, or this shard. */
interface Wanted {
  readonly repository: string;
  readonly version: string;
  readonly shard?: string;
}

/** Versions in which a shard is looked for, the newest first. */
const MAX_OLDER = 8;

/** A shard of a version, or of a recent one: the front may have the root of the version before, and a name says what is in the file. */
async function shardOf(
  versions: Versions,
  key: string,
  { repository, version, shard }: { repository: string; version?: string; shard: string },
  options: ToolOptions,
): Promise<ToolObject | undefined> {
  const found = await objectOf(versions, key, { repository, version: version ?? "current", shard }, options);
  if (found || version !== undefined) return found;
  const { versions: all } = await versions.catalogue(repository).catch(() => ({ versions: [] }));
  for (const { id } of all.slice(0, MAX_OLDER)) {
    const older = await objectOf(versions, key, { repository, version: id, shard }, options);
    if (older) return older;
  }
  return undefined;
}

async function objectOf(
  versions: Versions,
  key: string,
  { repository, version, shard }: Wanted,
  { range, onlyIf = {} }: ToolOptions,
): Promise<ToolObject | undefined> {
  const summary = await versions.version(repository, version).catch((error: unknown) => {
    const { code } = error as PortolanError;
    if (code === "repository.unknown" || code === "version.unknown") return undefined;
    throw error;
  });
  if (!summary) return undefined;
  const { id, made_at } = summary;
  const unread = { key, etag: id, size: summary.n_bytes, uploaded: new Date(made_at) };
  const { etagMatches, etagDoesNotMatch } = onlyIf;
  if ((etagMatches !== undefined && etagMatches !== id) || etagDoesNotMatch === id) return unread;
  const file = await versions.file(repository, id);
  const part = await partOf(versions, file, shard);
  if (!part) return undefined;
  const offset = Math.min(range?.offset ?? 0, part.n_bytes);
  const length = Math.min(range?.length ?? part.n_bytes, part.n_bytes - offset);
  const read = () => file.read({ offset: part.offset + offset, length });
  let stream: ReadableStream<Uint8Array> | undefined;
  return {
    ...unread,
    size: part.n_bytes,
    get body() {
      stream ??= streamOf(read());
      return stream;
    },
    pieces: read,
  };
}

/** The tables of bundles by the ids of their versions, which never change. */
const tables = new WeakMap<Versions, Map<string, BundledFile[]>>();
const MAX_TABLES = 64;

/** The place of the root or a shard in the file of a version; of a file that is no bundle all of it. */
async function partOf(
  versions: Versions,
  file: VirtualFile,
  shard: string | undefined,
): Promise<{ offset: number; n_bytes: number } | undefined> {
  const { manifest, n_bytes } = file;
  const isBundled = manifest.sections[1]?.name === "root";
  if (!isBundled) return shard === undefined ? { offset: 0, n_bytes } : undefined;
  const known = tables.get(versions) ?? new Map<string, BundledFile[]>();
  tables.set(versions, known);
  let files = known.get(manifest.id);
  if (!files) {
    const length = manifest.sections[0]?.n_bytes ?? 0;
    files = filesOf(await collected(file.read({ offset: 0, length }), length), n_bytes) ?? [];
    known.set(manifest.id, files);
    const [oldest] = known.keys();
    if (known.size > MAX_TABLES && oldest !== undefined) known.delete(oldest);
  }
  return files.find(({ name }) => name === (shard ?? ""));
}
