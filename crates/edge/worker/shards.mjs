// @ts-check
// Questions to an index in shards: what they lack is fetched from the files of shards, and both rounds of their searches are asked of the
// shards' Durable Objects. A shard that is late or cannot be read is named in the answer of the tool `search`; other tools need all
// that they reach and search.

import { get, getStart, whole } from "./bucket.mjs";
import { within } from "./deadline.mjs";
import { fetchRanges } from "./ranges.mjs";
import { askShard, refusalOf, ShardFault } from "./shard-object.mjs";
import { Failure } from "./wasm/edge.js";

/**
 * @typedef {import("./wasm/edge.js").Sharded} Sharded
 * @typedef {import("./wasm/edge.js").Asked} Asked
 * @typedef {{ starts: number[], pieces: [number, string, number, number][], surveys: number[], parts: number[] }} Lacking
 *
 * The host of one question.
 * @typedef {object} Host
 * @property {Sharded} root
 * @property {string} repository
 * @property {boolean} isSearch  the tool is `search`, which goes on without shards that fail
 * @property {import("./answers.mjs").Env} env
 * @property {import("./answers.mjs").Context} context
 * @property {import("./indexes.mjs").Indexes} indexes
 * @property {(nBytes: number, free: () => number) => void} makeRoom  makes room for `nBytes` more; `free` frees what this question does not need
 */

/** Maximum number of rounds of a question; an answer that still lacks something then has failed. */
const MOST_ROUNDS = 256;
/** A shard has this long for a round, opening included. */
const SHARD_MILLIS = 5_000;
/** How many shards are read from at once; the platform allows six connections. */
const AT_ONCE = 4;
/** Approximate memory of a section for each of its bytes in the object. */
const UNPACKED = 4;

/**
 * The answer of all shards.
 * @param {readonly [string, string, string, string]} question
 * @param {Host} host
 * @returns {Promise<{ answer: import("./wasm/edge.js").Answer, nAbsent: number }>}
 */
export async function askAll(question, host) {
  const asked = host.root.begin(...question);
  const names = /** @type {string[]} */ (JSON.parse(host.root.names()));
  try {
    for (let n = 0; n < MOST_ROUNDS; n++) {
      const answer = host.root.answer(asked);
      const lacking = /** @type {Lacking} */ (JSON.parse(host.root.wanted(asked)));
      if (Object.values(lacking).every((list) => list.length === 0)) return { answer, nAbsent: asked.n_absent };
      answer.free();
      const round = lacking.parts.length > 0 ? "part" : "survey";
      const shards = [...lacking.parts, ...lacking.surveys];
      await Promise.all([fetchAll(lacking, names, asked, host), askRound(round, shards, names, asked, host)]);
      if (asked.n_absent === names.length) throw allAbsent(names.length);
    }
    throw new Failure("snapshot.loading", `${host.repository} is being opened`, "ask again in a second");
  } finally {
    asked.free();
  }
}

/** @param {number} n */
function allAbsent(n) {
  return new Failure("shard.failed", `none of the ${n} shards answered`, "ask again in a second");
}

/**
 * Asks shards for their part of a round, all at once.
 * @param {"survey" | "part"} round
 * @param {number[]} shards
 * @param {string[]} names
 * @param {Asked} asked
 * @param {Host} host
 */
async function askRound(round, shards, names, asked, host) {
  const millis = Number(host.env.SHARD_MILLIS || SHARD_MILLIS);
  await Promise.all(
    shards.map(async (shard) => {
      const key = fileOf(host.repository, names[shard]);
      try {
        const asking = askShard({ key, round, body: asked.message(shard) }, host);
        const late = () => new ShardFault("shard.late", `shard ${shard} did not answer within ${millis} ms`);
        asked.take(shard, await within(millis, asking, late));
      } catch (error) {
        lose(shard, error, asked, host);
      }
    }),
  );
}

/**
 * Fetches what the last answer lacked of the files of shards.
 * @param {Lacking} lacking
 * @param {string[]} names
 * @param {Asked} asked
 * @param {Host} host
 */
async function fetchAll({ starts, pieces }, names, asked, host) {
  const nWanted = pieces.reduce((sum, [, , start, end]) => sum + end - start, 0);
  if (nWanted > 0)
    host.makeRoom(UNPACKED * nWanted, () => {
      host.root.forget_but_met(asked);
      return host.root.n_bytes;
    });
  /** @type {Map<number, import("./ranges.mjs").Wanted[]>} */
  const ofShards = new Map(starts.map((shard) => [shard, []]));
  for (const [shard, ...piece] of pieces) ofShards.set(shard, [...(ofShards.get(shard) ?? []), piece]);
  const waiting = [...ofShards];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [shard, wanted] = next;
      try {
        await fetchOf(shard, wanted, fileOf(host.repository, names[shard]), host);
      } catch (error) {
        lose(shard, error, asked, host);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/**
 * Fetches the start of a shard's file, or pieces of it. Its name says what is in it, so it is never replaced by another.
 * @param {number} shard
 * @param {import("./ranges.mjs").Wanted[]} wanted  nothing where the start is wanted
 * @param {string} name
 * @param {Host} host
 */
async function fetchOf(shard, wanted, name, { root, env }) {
  const key = `${name}.portolan`;
  if (wanted.length === 0) {
    const object = await getStart(env, key);
    if (object === null) throw missing(key);
    root.start(shard, await whole(object), object.size);
    return;
  }
  const fetched = await fetchRanges(async (range) => {
    const object = await get(env, key, { range });
    if (object === null) throw missing(key);
    return whole(object);
  }, wanted);
  for (const { name, bytes } of fetched) root.provide(shard, name, bytes);
}

/** @param {string} key */
function missing(key) {
  return new Failure("snapshot.not-found", `there is no shard ${key}`, "put all shards into the bucket, then the root");
}

/**
 * Goes on without a shard where a search may, and throws otherwise.
 * @param {number} shard
 * @param {unknown} error
 * @param {Asked} asked
 * @param {Host} host
 */
function lose(shard, error, asked, host) {
  const refusal = refusalOf(error);
  // A fault of the request is the same in every shard.
  if (!host.isSearch || refusal === undefined || /^(request|query|glob)\./.test(refusal.code)) throw error;
  host.root.lose(asked, shard, refusal.code, refusal.message);
}

/**
 * The name of a shard's file, beside that of its root.
 * @param {string} repository
 * @param {string | undefined} name
 */
function fileOf(repository, name) {
  return `${repository}-${name}`;
}
