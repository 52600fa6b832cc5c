/**
 * The versions of a store as the bucket that the Worker's handler reads: `NAME.portolan` is the current version of NAME, and
 * `NAME/_v.ID.portolan` any other. Only repositories that the principal may read are in it.
 */

import type { PortolanError } from "../errors.js";
import { isDigest } from "./digest.js";
import { isRepositoryName } from "./names.js";
import { streamOf } from "./serving.js";
import { AT_ONCE, inParallel } from "./store.js";
import type { Versions } from "./versions.js";

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
  /** `namesOnly` gives objects of which only the key is right, without a read for each. */
  list(options?: {
    readonly namesOnly?: boolean;
  }): Promise<{ objects: ToolObject[]; truncated: boolean; cursor?: string }>;
}

const ENDING = ".portolan";
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
      const { repository, version = "current" } = splitName(key.slice(0, -ENDING.length));
      if (!isRepositoryName(repository) || !mayRead(repository)) return null;
      return (await objectOf(versions, key, repository, version, options)) ?? (await others?.get(key, options)) ?? null;
    },
    async list({ namesOnly = false } = {}) {
      const names = (await versions.repositories()).filter(mayRead);
      if (namesOnly) {
        const unread = { etag: "", size: 0, uploaded: new Date(0) };
        return { objects: names.map((name) => ({ key: `${name}${ENDING}`, ...unread })), truncated: false };
      }
      const objects = await inParallel(names, AT_ONCE, async (name) => {
        const key = `${name}${ENDING}`;
        const object = await objectOf(versions, key, name, "current", { onlyIf: { etagMatches: "none" } });
        return object ? [object] : [];
      });
      return { objects: objects.flat(), truncated: false };
    },
  };
}

async function objectOf(
  versions: Versions,
  key: string,
  repository: string,
  version: string,
  { range, onlyIf = {} }: ToolOptions,
): Promise<ToolObject | undefined> {
  const summary = await versions.version(repository, version).catch((error: unknown) => {
    const { code } = error as PortolanError;
    if (code === "repository.unknown" || code === "version.unknown") return undefined;
    throw error;
  });
  if (!summary) return undefined;
  const { id, n_bytes, made_at } = summary;
  const object = { key, etag: id, size: n_bytes, uploaded: new Date(made_at) };
  const { etagMatches, etagDoesNotMatch } = onlyIf;
  if ((etagMatches !== undefined && etagMatches !== id) || etagDoesNotMatch === id) return object;
  const file = await versions.file(repository, id);
  const offset = Math.min(range?.offset ?? 0, n_bytes);
  const length = Math.min(range?.length ?? n_bytes, n_bytes - offset);
  const read = () => file.read({ offset, length });
  let stream: ReadableStream<Uint8Array> | undefined;
  return {
    ...object,
    get body() {
      stream ??= streamOf(read());
      return stream;
    },
    pieces: read,
  };
}
