/**
 * Storage of shared indexes: objects that are written once, and small documents that are replaced in one step. R2, a folder and S3 have both
 * (`r2-store.ts`, `folder-store.ts`, `s3-store.ts`); everything above this interface is the same for them.
 *
 * An object's name contains the digest of its content, so writing it twice is harmless. A document is replaced only by a caller that has
 * read its present content: that is the one place where writers meet.
 */

import { joined } from "../bytes.js";
import { PortolanError } from "../errors.js";

export type Bytes = Uint8Array<ArrayBuffer>;

/** An object without its content. */
export interface ObjectHead {
  readonly key: string;
  readonly n_bytes: number;
  /** Milliseconds since 1970: when it was written last. */
  readonly written_at: number;
}

/** An object, or a range of it, as it arrives. */
export interface ObjectBody extends ObjectHead {
  readonly body: AsyncIterable<Uint8Array>;
  /** Says that the body is not read. One that is read ends by itself. */
  cancel(): void;
}

/** Bytes of an object: from `offset`, `length` of them. */
export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

/** A document and the mark of this content, by which a writer says what it has read. */
export interface StoredDocument {
  readonly bytes: Uint8Array;
  readonly etag: string;
}

/** A page of a listing. */
export interface ObjectPage {
  readonly objects: readonly ObjectHead[];
  /** Give it to get the next page; absent at the end. */
  readonly cursor?: string | undefined;
}

/**
 * A place for objects. Keys are `/`-separated parts of `A-Z a-z 0-9 . _ -`; no part begins with a dot. Methods reject with `store.failed`
 * where the place does not answer.
 */
export interface ObjectStore {
  /** Returns size and time of an object; undefined where there is none. */
  head(key: string): Promise<ObjectHead | undefined>;
  /** Returns the content of an object, or a range of it; undefined where there is none. */
  get(key: string, range?: ByteRange): Promise<ObjectBody | undefined>;
  /** Writes an object: whole or not at all. One that exists is written again, with the time of now. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Deletes objects; those that do not exist are passed over. */
  delete(keys: readonly string[]): Promise<void>;
  /** Lists objects (never documents) whose keys begin with `prefix`, in pages. */
  list(prefix: string, cursor?: string): Promise<ObjectPage>;
  /** Returns a document; undefined where there is none. */
  readDocument(key: string): Promise<StoredDocument | undefined>;
  /**
   * Replaces the document that has this mark; without a mark it creates one. Rejects with `store.conflict` where another content is there.
   * Returns the new mark.
   */
  writeDocument(key: string, bytes: Uint8Array, etag: string | undefined): Promise<string>;
  deleteDocument(key: string): Promise<void>;
  /** Lists keys of documents that begin with `prefix`. No document is in a folder beside another one. */
  listDocuments(prefix: string): Promise<string[]>;
}

/** Objects of a page of a list. */
export const PAGE = 1000;
/** Maximum size of a document in bytes. */
export const MAX_DOCUMENT = 16 * 1024 * 1024;

const PART = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;
const MAX_KEY = 900;

/** Returns the parts of a key. Throws `store.key` for one that no store has. */
export function partsOf(key: string): string[] {
  const parts = key.split("/");
  if (key.length > MAX_KEY || !parts.every((part) => PART.test(part)))
    throw new PortolanError("store.key", `${JSON.stringify(key.slice(0, 100))} is no key of an object`);
  return parts;
}

/** The error of a document that another writer replaced. */
export function conflict(key: string): PortolanError {
  return new PortolanError("store.conflict", `${key} was changed by another writer`, "read it and try again");
}

/** The error of a place that does not answer. The message of the cause names no credentials: callers see to that. */
export function storeFailed(doing: string, cause: unknown): PortolanError {
  if (cause instanceof PortolanError) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new PortolanError("store.failed", `${doing}: ${reason}`, "try again in a second", { cause });
}

/** All bytes of an object, of `maximum` at most. Rejects with `store.failed` where there are more. */
export async function collected(body: AsyncIterable<Uint8Array>, maximum: number): Promise<Bytes> {
  const pieces: Uint8Array[] = [];
  let n_bytes = 0;
  for await (const piece of body) {
    n_bytes += piece.length;
    if (n_bytes > maximum) throw new PortolanError("store.failed", `an object has more than ${maximum} bytes`);
    pieces.push(piece);
  }
  return joined(pieces);
}

/** Runs `work` for each item, `n_at_once` at the same time; results are in the order of the items. */
export async function inParallel<T, R>(
  items: readonly T[],
  n_at_once: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length);
  let next = 0;
  const run = async () => {
    for (let at = next++; at < items.length; at = next++) results[at] = await work(items[at] as T);
  };
  await Promise.all(Array.from({ length: Math.min(n_at_once, items.length) }, run));
  return results;
}

/** Requests to a store at the same time: a Worker has six connections. */
export const AT_ONCE = 6;
