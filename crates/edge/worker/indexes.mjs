// @ts-check
// The snapshots that this isolate keeps open. An isolate has 128 MB for everything, so: bytes go from the bucket straight
// into the wasm's memory, piece by piece, and what no question reads is let go on the way; the least recently asked are
// closed before another is opened; and a snapshot that was replaced is closed before its successor is read.

import { isSealed, passphraseFor, unsealed } from "./sealed.mjs";
import { Failure, Loading, Model, ModelFile } from "./wasm/edge.js";

/**
 * The part of R2 that is used.
 * @typedef {object} Bucket
 * @property {(key: string, options?: object) => Promise<StoredObject | null>} get
 * @property {(options?: object) => Promise<{ objects: { key: string, size: number, uploaded: Date }[], truncated: boolean, cursor?: string }>} [list]
 *
 * @typedef {object} StoredObject
 * @property {string} etag
 * @property {number} size
 * @property {ReadableStream} [body]  absent where the object is still the one named in the options
 */

/**
 * @typedef {object} Open
 * @property {string} etag
 * @property {import("./wasm/edge.js").Index} index
 * @property {number} nBytes
 * @property {number} checkedAt  milliseconds
 * @property {boolean} isNew     nobody has asked it yet
 * @property {boolean} hasModel  the question of vectors is settled, one way or the other
 */

const MAX_SNAPSHOT_BYTES = 64 * 1024 * 1024;
const REFRESH_SECONDS = 60;
/** Read from the bucket in pieces of this size; each is copied into the wasm and may be collected then. */
const PIECE = 1024 * 1024;
const PATIENCE_MILLIS = 20_000;

export class Indexes {
  /** @type {Map<string, Open>} in the order last asked, oldest first */
  #open = new Map();
  /** @type {Map<string, Promise<void>>} */
  #pending = new Map();
  /** @type {Map<string, Model>} by name */
  #models = new Map();

  /**
   * Calls `ask` with the index of `repository`, opened if it is not.
   * @template T
   * @param {string} repository
   * @param {boolean} wantsVector  whether the model of its vectors is needed too
   * @param {import("./index.mjs").Env} env
   * @param {import("./index.mjs").Context} context
   * @param {(open: Open) => T} ask  runs at once: what is open may be closed by another request after it
   * @returns {Promise<T>}
   */
  async use(repository, wantsVector, env, context, ask) {
    for (let attempt = 0; attempt < 3; attempt++) {
      const open = this.#open.get(repository);
      // What this very request waited for is new enough, however short REFRESH_SECONDS is.
      const isFresh = open !== undefined && (attempt > 0 || this.#isFresh(open, env));
      if (isFresh && (open.hasModel || !wantsVector)) {
        this.#open.delete(repository);
        this.#open.set(repository, open);
        const answer = ask(open);
        open.isNew = false;
        return answer;
      }
      await this.#wait(repository, wantsVector, env, context);
    }
    throw new Failure("snapshot.loading", `${repository} is being opened`, "ask again in a second");
  }

  /** Lets go of everything, without a word to the wasm. */
  forget() {
    this.#open.clear();
    this.#pending.clear();
    this.#models.clear();
  }

  /**
   * Opens or refreshes a repository, once for all requests that wait for it.
   * @param {string} repository
   * @param {boolean} wantsVector
   * @param {import("./index.mjs").Env} env
   * @param {import("./index.mjs").Context} context
   */
  async #wait(repository, wantsVector, env, context) {
    let pending = this.#pending.get(repository);
    if (pending === undefined) {
      pending = this.#refresh(repository, wantsVector, env).finally(() => {
        if (this.#pending.get(repository) === pending) this.#pending.delete(repository);
      });
      this.#pending.set(repository, pending);
      // Others wait for this work; it goes on when the client that caused it goes away.
      context.waitUntil(pending.catch(() => {}));
      return pending;
    }
    // A request that was cut off takes its promises with it, so nobody waits for another's for ever.
    let timer;
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => {
        this.#pending.delete(repository);
        reject(new Failure("snapshot.loading", `${repository} is being opened`, "ask again in a second"));
      }, PATIENCE_MILLIS);
    });
    try {
      await Promise.race([pending, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * @param {string} repository
   * @param {boolean} wantsVector
   * @param {import("./index.mjs").Env} env
   */
  async #refresh(repository, wantsVector, env) {
    let open = this.#open.get(repository);
    if (open === undefined || !this.#isFresh(open, env)) open = await this.#openNewest(repository, open, env);
    if (wantsVector && !open.hasModel) await this.#addModel(open, env);
  }

  /**
   * @param {string} repository
   * @param {Open | undefined} known
   * @param {import("./index.mjs").Env} env
   * @returns {Promise<Open>}
   */
  async #openNewest(repository, known, env) {
    const key = `${repository}.portolan`;
    const object = await this.#ask(env, key, known);
    if (known !== undefined && object !== null && object.body === undefined) {
      known.checkedAt = Date.now();
      return known;
    }
    this.#close(repository);
    if (object === null) {
      throw new Failure("snapshot.not-found", `there is no index of ${repository}`, `put its snapshot into the bucket as ${key}`);
    }
    let nBytes = 0;
    const loaded = await snapshot(object, repository, env, (loading) => {
      nBytes = loading.n_bytes;
      this.#makeRoom(repository, nBytes, env);
    });
    const open = { etag: object.etag, index: loaded.open(), nBytes, checkedAt: Date.now(), isNew: true, hasModel: false };
    this.#open.set(repository, open);
    return open;
  }

  /**
   * The object, without a body where it is the one that is known, or where the bucket fails while there is one to answer from.
   * @param {import("./index.mjs").Env} env
   * @param {string} key
   * @param {Open | undefined} known
   * @returns {Promise<StoredObject | null>}
   */
  async #ask(env, key, known) {
    if (known === undefined) return get(env, key);
    try {
      return await get(env, key, { onlyIf: { etagDoesNotMatch: known.etag } });
    } catch (error) {
      console.warn("portolan:", error instanceof Failure ? "the bucket does not answer; an older snapshot does" : error);
      return { etag: known.etag, size: known.nBytes };
    }
  }

  /**
   * @param {Open} open
   * @param {import("./index.mjs").Env} env
   */
  async #addModel(open, env) {
    const name = open.index.embedder;
    const model = name === undefined ? undefined : (this.#models.get(name) ?? (await this.#readModel(name, env)));
    if (model !== undefined) open.index.set_model(model);
    open.hasModel = true;
  }

  /**
   * @param {string} name
   * @param {import("./index.mjs").Env} env
   */
  async #readModel(name, env) {
    const table = await get(env, `models/${name}.onnx`);
    const tokenizer = await get(env, `models/${name}.tokenizer.json`);
    // Without the model the words answer alone.
    if (table === null || tokenizer === null) return undefined;
    const onnx = await read(pieces(table), new ModelFile(table.size));
    const model = new Model(onnx, await read(pieces(tokenizer), new ModelFile(tokenizer.size)));
    this.#models.set(name, model);
    return model;
  }

  /**
   * @param {string} repository
   * @param {number} nBytes
   * @param {import("./index.mjs").Env} env
   */
  #makeRoom(repository, nBytes, env) {
    const most = number(env.MAX_SNAPSHOT_BYTES, MAX_SNAPSHOT_BYTES);
    if (nBytes > most) {
      const message = `the snapshot of ${repository} needs ${nBytes} bytes; this Worker keeps at most ${most}`;
      throw new Failure("snapshot.too-large", message, "index fewer files, or raise MAX_SNAPSHOT_BYTES as far as 128 MB of memory allow");
    }
    for (const [name, open] of this.#open) {
      const total = [...this.#open.values()].reduce((sum, other) => sum + other.nBytes, nBytes);
      if (total <= most) return;
      this.#close(name);
    }
  }

  /** @param {string} repository */
  #close(repository) {
    this.#open.get(repository)?.index.free();
    this.#open.delete(repository);
  }

  /**
   * @param {Open} open
   * @param {import("./index.mjs").Env} env
   */
  #isFresh(open, env) {
    return Date.now() - open.checkedAt <= 1000 * number(env.REFRESH_SECONDS, REFRESH_SECONDS);
  }
}

/**
 * An object of the bucket, or null where there is none.
 * @param {import("./index.mjs").Env} env
 * @param {string} key
 * @param {object} [options]
 * @returns {Promise<StoredObject | null>}
 */
async function get(env, key, options) {
  if (env.SNAPSHOTS === undefined) {
    throw new Failure("worker.bucket", "no bucket is bound as SNAPSHOTS", "add an [[r2_buckets]] table to wrangler.toml");
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
 * A snapshot, opened with the secret where it is encrypted.
 * @param {StoredObject} object
 * @param {string} repository
 * @param {import("./index.mjs").Env} env
 * @param {(loading: Loading) => void} onStart
 * @returns {Promise<Loading>}
 */
async function snapshot(object, repository, env, onStart) {
  const arriving = pieces(object);
  const first = await arriving.next().catch((error) => Promise.reject(unreadable("the whole object", error)));
  const start = first.value ?? new Uint8Array();
  if (!isSealed(start)) return read(after(start, arriving), new Loading(object.size), onStart);
  const passphrase = passphraseFor(repository, object.size, env.PASSPHRASE);
  const file = new Uint8Array(object.size);
  let nRead = 0;
  for await (const piece of after(start, arriving)) {
    file.set(piece.subarray(0, file.length - nRead), nRead);
    nRead += piece.length;
  }
  const bytes = unsealed(file.subarray(0, nRead), passphrase);
  return read(inPieces(bytes), new Loading(bytes.length), onStart);
}

/**
 * The bytes of an object while they arrive; each piece is overwritten when the next is asked for.
 * @param {StoredObject} object
 * @returns {AsyncGenerator<Uint8Array, undefined>}
 */
async function* pieces(object) {
  const reader = /** @type {any} */ (object.body).getReader({ mode: "byob" });
  let piece = new Uint8Array(Math.min(PIECE, Math.max(object.size, 1)));
  for (;;) {
    const { done, value } = await reader.readAtLeast(piece.byteLength, piece);
    if (value !== undefined && value.byteLength > 0) yield value;
    if (done || value === undefined) return undefined;
    piece = new Uint8Array(value.buffer);
  }
}

/**
 * @param {Uint8Array} first
 * @param {AsyncGenerator<Uint8Array, undefined>} rest
 */
async function* after(first, rest) {
  if (first.length > 0) yield first;
  yield* rest;
}

/** @param {Uint8Array} bytes */
async function* inPieces(bytes) {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
}

/**
 * Bytes, laid into the memory of the wasm while they arrive.
 * @template {Loading | ModelFile} T
 * @param {AsyncIterable<Uint8Array>} arriving
 * @param {T} loading
 * @param {(loading: T) => void} [onStart]  after the first piece; its exception ends the reading
 * @returns {Promise<T>}
 */
async function read(arriving, loading, onStart) {
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

/**
 * A var as a number.
 * @param {string | undefined} text
 * @param {number} otherwise
 */
function number(text, otherwise) {
  const value = Number(text);
  return text === undefined || text === "" || Number.isNaN(value) ? otherwise : value;
}
