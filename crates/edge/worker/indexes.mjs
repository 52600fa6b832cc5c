// @ts-check
// The snapshots that this isolate keeps open. An isolate has 128 MB for everything. So a small snapshot goes from the
// bucket straight into the wasm's memory, piece by piece, without the sections that no query reads; of a large one only
// the sections and blocks that queries read are fetched. The least recently used snapshots are closed before another is
// opened, and a replaced snapshot is closed before its successor is read.

import { JoinedWork } from "portolan/shared";

import { arriving, get, getStart, inPieces, joined, pieces, read, whole } from "./bucket.mjs";
import { fetchRanges, missing, missingBlocks, openStart } from "./ranges.mjs";
import { isSealed, passphraseFor, unsealed } from "./sealed.mjs";
import { Failure, is_root as isRoot, Loading, Model, ModelFile, Sharded } from "./wasm/edge.js";

/**
 * @typedef {object} Open
 * @property {string} etag
 * @property {import("./wasm/edge.js").Index | import("./wasm/edge.js").Sharded} index
 * @property {boolean} isSharded  the index is a root
 * @property {number} nUsers      questions that are being put to it
 * @property {boolean} isClosed   to be freed by the last of them
 * @property {number} nBytes
 * @property {number} checkedAt  milliseconds
 * @property {Date | undefined} uploaded
 * @property {boolean} isNew     nobody has asked it yet
 * @property {boolean} hasModel  the question of vectors is settled, one way or the other
 * @property {boolean} isPartial what questions read is fetched when they are asked
 */

/**
 * A request to one index.
 * @typedef {object} Asked
 * @property {string} repository
 * @property {string} tool         the tool that answers
 * @property {boolean} wantsVector whether the model of the index's vectors is needed too
 */

const MAX_SNAPSHOT_BYTES = 64 * 1024 * 1024;
/** A snapshot with more bytes than this in the sections that queries read is read by ranges. */
const WHOLE_SNAPSHOT_BYTES = 16 * 1024 * 1024;
/**
 * Approximate memory of a section for each of its bytes in the object, also in a snapshot that is read whole: after a search one of
 * 8.3 MB takes 29 MB of the wasm's memory. A section that is too large is refused before it is fetched.
 */
export const UNPACKED = 4;
/** A query whose blocks are still missing after this many rounds has failed. */
const MOST_ROUNDS = 64;
const REFRESH_SECONDS = 60;
const PATIENCE_MILLIS = 20_000;

export class Indexes {
  /** @type {Map<string, Open>} in the order last asked, oldest first */
  #open = new Map();
  /** @type {JoinedWork<void>} */
  #work = new JoinedWork(PATIENCE_MILLIS);
  /** @type {Map<string, Model>} by name */
  #models = new Map();

  /**
   * Calls `ask` with the index of a repository, opened if it is not, with what the question reads; again where it met what is still
   * to be fetched.
   * @template T
   * @param {Asked} asked
   * @param {import("./answers.mjs").Env} env
   * @param {import("./answers.mjs").Context} context
   * @param {(open: Open) => T | Promise<T>} ask  runs at once, but over an index in shards, which stays open until it is done
   * @returns {Promise<T>}
   */
  async use(asked, env, context, ask) {
    const { repository, tool, wantsVector } = asked;
    let isAsked = false;
    for (let n_opened = 0, n_rounds = 0; n_opened < 3 && n_rounds < MOST_ROUNDS; ) {
      const open = this.#open.get(repository);
      // The snapshot that this very request waited for is fresh, even if REFRESH_SECONDS is very short.
      const isFresh = open !== undefined && (isAsked || this.#isFresh(open, env));
      isAsked = true;
      if (!isFresh || (wantsVector && !open.hasModel)) {
        n_opened++;
        await this.#once(repository, repository, context, () => this.#refresh(repository, wantsVector, env));
        continue;
      }
      this.#open.delete(repository);
      this.#open.set(repository, open);
      if (!open.isPartial || open.isSharded) return await this.#answered(open, ask);
      const index = /** @type {import("./wasm/edge.js").Index} */ (open.index);
      const needs = { ...asked, wantsVector: wantsVector && index.has_model };
      let wanted = missing(index, tool, needs.wantsVector);
      if (wanted.length === 0) {
        const answer = this.#answered(open, ask);
        wanted = missingBlocks(index);
        if (wanted.length === 0) return answer;
      }
      // One after the other: what one lets go of may be what another was given.
      const isOwn = await this.#once(`${repository} parts`, repository, context, () =>
        this.#provide(needs, open, wanted, env),
      );
      if (isOwn) n_rounds++;
    }
    throw new Failure("snapshot.loading", `${repository} is being opened`, "ask again in a second");
  }

  /**
   * Makes room for more of what is open; `free` frees some of it first where both do not fit, and returns what is left.
   * @param {Open} open
   * @param {string} repository
   * @param {import("./answers.mjs").Env} env
   * @param {number} nWanted  bytes more
   * @param {() => number} free
   */
  grow(open, repository, env, nWanted, free) {
    open.nBytes = open.index.n_bytes;
    if (open.nBytes + nWanted > mostBytes(env)) open.nBytes = free();
    this.#makeRoom(repository, open.nBytes + nWanted, env);
  }

  /**
   * The answer of an index.
   * @template T
   * @param {Open} open
   * @param {(open: Open) => T} ask
   * @returns {T}
   */
  #answered(open, ask) {
    open.nUsers += 1;
    const done = () => {
      open.nUsers -= 1;
      if (open.isClosed && open.nUsers === 0) open.index.free();
    };
    let answer;
    try {
      answer = ask(open);
    } catch (error) {
      done();
      throw error;
    }
    open.isNew = false;
    if (answer instanceof Promise) return /** @type {T} */ (answer.finally(done));
    done();
    return answer;
  }

  /** Names of what is open, the least recently used first. */
  names() {
    return [...this.#open.keys()];
  }

  /** Lets go of everything, without a word to the wasm. */
  forget() {
    this.#open.clear();
    this.#work.clear();
    this.#models.clear();
  }

  /**
   * Does something once for all requests that wait for it.
   * @param {string} key  what it is
   * @param {string} repository
   * @param {import("./answers.mjs").Context} context
   * @param {() => Promise<void>} work
   * @returns {Promise<boolean>}  whether it was done for this request
   */
  async #once(key, repository, context, work) {
    const late = () => new Failure("snapshot.loading", `${repository} is being opened`, "ask again in a second");
    const kept = () => {
      const done = work();
      // Others wait for this work; it goes on when the client that caused it goes away.
      context.waitUntil(done.catch(() => {}));
      return done;
    };
    return (await this.#work.run(key, kept, late)).isOwn;
  }

  /**
   * Fetches pieces of a snapshot. Evicts other pieces if there is no memory for both.
   * @param {Asked} asked
   * @param {Open} open
   * @param {import("./ranges.mjs").Wanted[]} wanted
   * @param {import("./answers.mjs").Env} env
   */
  async #provide({ repository, tool, wantsVector }, open, wanted, env) {
    const index = /** @type {import("./wasm/edge.js").Index} */ (open.index);
    const most = mostBytes(env);
    const nWanted = UNPACKED * wanted.reduce((sum, [, start, end]) => sum + end - start, 0);
    if (open.nBytes + nWanted > most) {
      index.forget_but(tool, wantsVector);
      open.nBytes = index.n_bytes;
    }
    this.#makeRoom(repository, open.nBytes + nWanted, env);
    if (await this.#fetch(index, wanted, open.etag, repository, env)) open.nBytes = index.n_bytes;
    else if (this.#open.get(repository) === open) this.#close(repository);
  }

  /**
   * Fetches pieces of the object of this version into its index. Returns false if the object was replaced, or the index
   * was closed meanwhile.
   * @param {import("./wasm/edge.js").Index} index
   * @param {import("./ranges.mjs").Wanted[]} wanted
   * @param {string} etag
   * @param {string} repository
   * @param {import("./answers.mjs").Env} env
   * @param {Uint8Array} [start]  the first bytes of the object, if they were read already
   */
  async #fetch(index, wanted, etag, repository, env, start = new Uint8Array()) {
    let isThere = true;
    const pieces = await fetchRanges(async ({ offset, length }) => {
      if (offset + length <= start.length) return start.subarray(offset, offset + length);
      const range = { offset, length };
      const object = await get(env, `${repository}.portolan`, { range, onlyIf: { etagMatches: etag } });
      isThere &&= object?.body !== undefined;
      return object?.body === undefined ? new Uint8Array(length) : whole(object);
    }, wanted);
    const open = this.#open.get(repository);
    if (!isThere || (start.length === 0 && open?.index !== index)) return false;
    for (const { name, bytes } of pieces) index.provide(name, bytes);
    return true;
  }

  /**
   * @param {string} repository
   * @param {boolean} wantsVector
   * @param {import("./answers.mjs").Env} env
   */
  async #refresh(repository, wantsVector, env) {
    let open = this.#open.get(repository);
    if (open === undefined || !this.#isFresh(open, env)) open = await this.#openNewest(repository, open, env);
    if (wantsVector && !open.hasModel) await this.#addModel(open, env);
  }

  /**
   * @param {string} repository
   * @param {Open | undefined} known
   * @param {import("./answers.mjs").Env} env
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
      throw new Failure(
        "snapshot.not-found",
        `there is no index of ${repository}`,
        `put its snapshot into the bucket as ${key}`,
      );
    }
    const open = {
      etag: object.etag,
      uploaded: object.uploaded,
      checkedAt: Date.now(),
      isNew: true,
      isClosed: false,
      nUsers: 0,
      hasModel: false,
      ...(await this.#read(object, repository, env)),
    };
    this.#open.set(repository, open);
    return open;
  }

  /**
   * A small snapshot whole, of a large one the start.
   * @param {import("./bucket.mjs").StoredObject} object
   * @param {string} repository
   * @param {import("./answers.mjs").Env} env
   */
  async #read(object, repository, env) {
    const start = await whole(object);
    const nBytes = object.size;
    if (isSealed(start)) {
      const passphrase = passphraseFor(repository, nBytes, env.PASSPHRASE);
      const bytes = unsealed(await joined(arriving(object, start, repository, env), nBytes), passphrase);
      return this.#whole(inPieces(bytes), bytes.length, repository, env);
    }
    if (isRoot(start)) {
      this.#makeRoom(repository, UNPACKED * nBytes, env);
      const root = Sharded.open(await joined(arriving(object, start, repository, env), nBytes));
      return { index: root, nBytes: root.n_bytes, isPartial: true, isSharded: true };
    }
    const probe = new Loading(nBytes);
    probe.push(start);
    const nKept = probe.n_bytes;
    probe.free();
    const most = Math.min(number(env.WHOLE_SNAPSHOT_BYTES, WHOLE_SNAPSHOT_BYTES), mostBytes(env) / UNPACKED);
    if (nKept > most) {
      const index = openStart(start, nBytes);
      // The index's info and its model are known from now on.
      await this.#fetch(index, missing(index, "name", false), object.etag, repository, env, start);
      return { index, nBytes: index.n_bytes, isPartial: true, isSharded: false };
    }
    return this.#whole(arriving(object, start, repository, env), nBytes, repository, env);
  }

  /**
   * @param {AsyncIterable<Uint8Array>} arriving
   * @param {number} nBytes
   * @param {string} repository
   * @param {import("./answers.mjs").Env} env
   */
  async #whole(arriving, nBytes, repository, env) {
    let nNeeded = 0;
    const loaded = await read(arriving, new Loading(nBytes), (loading) => {
      nNeeded = UNPACKED * loading.n_bytes;
      this.#makeRoom(repository, nNeeded, env);
    });
    return { index: loaded.open(), nBytes: nNeeded, isPartial: false, isSharded: false };
  }

  /**
   * The object, without a body where it is the one that is known, or where the bucket fails while there is one to answer from.
   * @param {import("./answers.mjs").Env} env
   * @param {string} key
   * @param {Open | undefined} known
   * @returns {Promise<import("./bucket.mjs").StoredObject | null>}
   */
  async #ask(env, key, known) {
    if (known === undefined) return getStart(env, key);
    try {
      return await getStart(env, key, { onlyIf: { etagDoesNotMatch: known.etag } });
    } catch (error) {
      console.warn(
        "portolan:",
        error instanceof Failure ? "the bucket does not answer; an older snapshot does" : error,
      );
      return { etag: known.etag, size: known.nBytes };
    }
  }

  /**
   * @param {Open} open
   * @param {import("./answers.mjs").Env} env
   */
  async #addModel(open, env) {
    const name = open.index.embedder;
    const model = name === undefined ? undefined : (this.#models.get(name) ?? (await this.#readModel(name, env)));
    if (model !== undefined) open.index.set_model(model);
    open.hasModel = true;
  }

  /**
   * @param {string} name
   * @param {import("./answers.mjs").Env} env
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
   * @param {import("./answers.mjs").Env} env
   */
  #makeRoom(repository, nBytes, env) {
    const most = mostBytes(env);
    if (nBytes > most) {
      const message = `what is read of ${repository} needs ${nBytes} bytes; this Worker keeps at most ${most}`;
      throw new Failure(
        "snapshot.too-large",
        message,
        "index fewer files, or raise MAX_SNAPSHOT_BYTES as far as 128 MB of memory allow",
      );
    }
    for (const name of [...this.#open.keys()].filter((name) => name !== repository)) {
      const others = [...this.#open].filter(([name]) => name !== repository);
      const total = others.reduce((sum, [, other]) => sum + other.nBytes, nBytes);
      if (total <= most) return;
      this.#close(name);
    }
  }

  /** @param {string} repository */
  #close(repository) {
    const open = this.#open.get(repository);
    this.#open.delete(repository);
    if (open === undefined) return;
    open.isClosed = true;
    if (open.nUsers === 0) open.index.free();
  }

  /**
   * @param {Open} open
   * @param {import("./answers.mjs").Env} env
   */
  #isFresh(open, env) {
    return Date.now() - open.checkedAt <= 1000 * number(env.REFRESH_SECONDS, REFRESH_SECONDS);
  }
}

/**
 * The memory limit of this isolate's snapshots.
 * @param {import("./answers.mjs").Env} env
 */
export function mostBytes(env) {
  return number(env.MAX_SNAPSHOT_BYTES, MAX_SNAPSHOT_BYTES);
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
