// @ts-check
// Reads objects of the bucket: requests them, receives pieces, and writes them into the memory of the wasm. A missing
// or unreadable object is a `Failure` that names it.

import { Failure } from "./wasm/edge.js";

/**
 * The part of R2 that is used.
 * @typedef {object} Bucket
 * @property {(key: string, options?: object) => Promise<StoredObject | null>} get
 * @property {(options?: object) => Promise<{ objects: { key: string, size: number, uploaded: Date }[], truncated: boolean, cursor?: string }>} [list]
 *
 * @typedef {object} StoredObject
 * @property {string} etag
 * @property {number} size
 * @property {Date} [uploaded]
 * @property {ReadableStream} [body]  of the range that was asked for; absent where the object is still the one named in the options
 * @property {() => AsyncIterable<Uint8Array>} [pieces]  the same in pieces, of a bucket that has no streams of its own
 */

/** Read from the bucket in pieces of this size; each is copied into the wasm and may be collected then. */
const PIECE = 1024 * 1024;

/**
 * An object with its first bytes. An empty one has no range, which the bucket takes amiss.
 * @param {import("./answers.mjs").Env} env
 * @param {string} key
 * @param {object} [options]
 * @returns {Promise<StoredObject | null>}
 */
export async function getStart(env, key, options = {}) {
  try {
    return await get(env, key, { ...options, range: { offset: 0, length: PIECE } });
  } catch (error) {
    const object = await get(env, key, options);
    if (object === null || object.size > 0) throw error;
    return object;
  }
}

/**
 * An object of the bucket, or null where there is none.
 * @param {import("./answers.mjs").Env} env
 * @param {string} key
 * @param {object} [options]
 * @returns {Promise<StoredObject | null>}
 */
export async function get(env, key, options) {
  if (env.SNAPSHOTS === undefined) {
    throw new Failure(
      "worker.bucket",
      "no bucket is bound as SNAPSHOTS",
      "add an [[r2_buckets]] table to wrangler.toml",
    );
  }
  try {
    return await env.SNAPSHOTS.get(key, options);
  } catch (error) {
    throw unreadable(key, error);
  }
}

/**
 * @param {string} key
 * @param {unknown} error
 */
function unreadable(key, error) {
  const why = error instanceof Error ? error.message : String(error);
  return new Failure("snapshot.unreadable", `the bucket did not give ${key}: ${why}`, "ask again in a second");
}

/**
 * The bytes of an object from its first ones on.
 * @param {StoredObject} object
 * @param {Uint8Array} start
 * @param {string} repository
 * @param {import("./answers.mjs").Env} env
 * @returns {AsyncGenerator<Uint8Array, undefined>}
 */
export async function* arriving(object, start, repository, env) {
  if (start.length > 0) yield start;
  const nRest = object.size - start.length;
  if (nRest <= 0) return undefined;
  const range = { offset: start.length, length: nRest };
  const rest = await get(env, `${repository}.portolan`, { range, onlyIf: { etagMatches: object.etag } });
  if (rest?.body === undefined)
    throw new Failure("snapshot.loading", `${repository} was replaced while it was opened`, "ask again in a second");
  yield* pieces(rest);
  return undefined;
}

/**
 * Pieces side by side, as far as there is room for them.
 * @param {AsyncIterable<Uint8Array>} arriving
 * @param {number} nBytes
 */
export async function joined(arriving, nBytes) {
  const bytes = new Uint8Array(nBytes);
  let nRead = 0;
  for await (const piece of arriving) {
    bytes.set(piece.subarray(0, nBytes - nRead), nRead);
    nRead += piece.length;
  }
  return bytes.subarray(0, nRead);
}

/**
 * All bytes of what the bucket gave.
 * @param {StoredObject} object
 */
export async function whole(object) {
  try {
    return new Uint8Array(await new Response(object.body).arrayBuffer());
  } catch (error) {
    throw unreadable("the object", error);
  }
}

/**
 * The bytes of an object while they arrive; each piece is overwritten when the next is asked for.
 * @param {StoredObject} object
 * @returns {AsyncGenerator<Uint8Array, undefined>}
 */
export async function* pieces(object) {
  if (object.pieces) return yield* object.pieces();
  const reader = /** @type {any} */ (object.body).getReader({ mode: "byob" });
  let piece = new Uint8Array(Math.min(PIECE, Math.max(object.size, 1)));
  for (;;) {
    const { done, value } = await reader.readAtLeast(piece.byteLength, piece);
    if (value !== undefined && value.byteLength > 0) yield value;
    if (done || value === undefined) return undefined;
    piece = new Uint8Array(value.buffer);
  }
}

/** @param {Uint8Array} bytes */
export async function* inPieces(bytes) {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
}

/**
 * Bytes, laid into the memory of the wasm while they arrive.
 * @template {import("./wasm/edge.js").Loading | import("./wasm/edge.js").ModelFile} T
 * @param {AsyncIterable<Uint8Array>} arriving
 * @param {T} loading
 * @param {(loading: T) => void} [onStart]  after the first piece; its exception ends the reading
 * @returns {Promise<T>}
 */
export async function read(arriving, loading, onStart) {
  try {
    for await (const piece of arriving) {
      loading.push(piece);
      onStart?.(loading);
      onStart = undefined;
    }
    return loading;
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) throw error;
    loading.free();
    if (error instanceof Failure) throw error;
    throw unreadable("the whole object", error);
  }
}
