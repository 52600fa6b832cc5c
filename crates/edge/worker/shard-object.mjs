// @ts-check
// A shard in a Durable Object: it keeps the sections of its snapshot that searches read, and answers both rounds of a search. The
// object of a shard is found by the name of its file, which is made of its content, so an object never has to change.

import { Failure } from "./wasm/edge.js";

/**
 * The part of a namespace of Durable Objects that is used.
 * @typedef {object} ShardNamespace
 * @property {(name: string) => unknown} idFromName
 * @property {(id: any) => { fetch(url: string, init?: object): Promise<Response> }} get
 *
 * A round of a search, for one shard.
 * @typedef {object} Round
 * @property {string} key  name of the shard's file, without `.portolan`
 * @property {"survey" | "part"} round
 * @property {Uint8Array} body
 *
 * @typedef {object} Here
 * @property {import("./answers.mjs").Env} env
 * @property {import("./answers.mjs").Context} context
 * @property {import("./indexes.mjs").Indexes} indexes
 * @property {(error: unknown) => void} [stopped]  an error that nobody foresaw, such as a trap of the wasm
 */

/** Longer bodies are read by nobody. */
const MOST_BYTES = 8 * 1024 * 1024;

/** A refusal of a shard that is elsewhere. */
export class ShardFault extends Error {
  /**
   * @param {string} code
   * @param {string} message
   */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/**
 * Code and message of a refusal; none for an error that nobody foresaw.
 * @param {unknown} error
 * @returns {{ code: string, message: string } | undefined}
 */
export function refusalOf(error) {
  if (error instanceof ShardFault) return error;
  if (!(error instanceof Failure)) return undefined;
  const reply = error.reply();
  return JSON.parse(new TextDecoder().decode(reply.into_body()));
}

/**
 * Asks a shard: its object, or this isolate where no namespace is bound.
 * @param {Round} round
 * @param {Here} here
 * @returns {Promise<Uint8Array>}
 */
export async function askShard(round, here) {
  const { SHARDS } = here.env;
  if (SHARDS === undefined) return answerHere(round, here);
  const url = `https://shard/${round.round}?key=${encodeURIComponent(round.key)}`;
  let response;
  try {
    response = await SHARDS.get(SHARDS.idFromName(round.key)).fetch(url, { method: "POST", body: round.body });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ShardFault("shard.failed", `its object does not answer: ${why}`);
  }
  if (response.status === 200) return new Uint8Array(await response.arrayBuffer());
  const { code, message } = /** @type {{ code: string, message: string }} */ (await response.json());
  throw new ShardFault(code, message);
}

/**
 * Answers a round from the shard's snapshot.
 * @param {Round} round
 * @param {Here} here
 * @returns {Promise<Uint8Array>}
 */
async function answerHere({ key, round, body }, { env, context, indexes }) {
  const asked = { repository: key, tool: "shard", wantsVector: false };
  return indexes.use(asked, env, context, ({ index, isSharded }) => {
    if (isSharded) throw new ShardFault("snapshot.foreign", `${key} is a root where a shard should be`);
    const shard = /** @type {import("./wasm/edge.js").Index} */ (index);
    return round === "survey" ? shard.survey(new TextDecoder().decode(body)) : shard.part(body);
  });
}

/**
 * Answers `askShard` of another isolate, in a Durable Object.
 * @param {Request} request
 * @param {Here} here
 * @returns {Promise<Response>}
 */
export async function answerRound(request, here) {
  const { pathname, searchParams } = new URL(request.url);
  try {
    const body = new Uint8Array(await request.arrayBuffer());
    if (body.length > MOST_BYTES) throw new ShardFault("shard.message", "the question to the shard is too long");
    const round = pathname === "/survey" ? "survey" : "part";
    return new Response(
      /** @type {BodyInit} */ (await answerHere({ key: searchParams.get("key") ?? "", round, body }, here)),
    );
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === undefined) here.stopped?.(error);
    const { code, message } = refusal ?? { code: "shard.failed", message: "the engine of the shard stopped" };
    return Response.json({ code, message }, { status: 500 });
  }
}
