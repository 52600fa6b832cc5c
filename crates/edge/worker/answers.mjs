// @ts-check
// Answers: a request in, one call into the wasm, a response out. Rust (../src) parses requests and builds answers; this script does only
// the platform's part: the bucket, headers, and recovery when the wasm stops. Whoever imports it has started the wasm: in a Worker
// start.mjs, in Node the server of shared indexes.

import { Failure, methods, plan, restart, version } from "./wasm/edge.js";
import { Indexes } from "./indexes.mjs";
import { isMcp, mcp, shapeFault } from "./mcp.mjs";
import { wholeNumbers } from "./numbers.mjs";
import { answerRound, ShardFault } from "./shard-object.mjs";
import { askAll } from "./shards.mjs";
import { allOf, isWhole, searchAll, searchGroup } from "./several.mjs";
import { isStop, Stops } from "./stops.mjs";

/**
 * The bindings of wrangler.toml. Variables are strings.
 * @typedef {object} Env
 * @property {import("./bucket.mjs").Bucket} SNAPSHOTS  NAME.portolan and the models of NAME's vectors
 * @property {string} [DEFAULT_REPOSITORY]  asked where a request names none
 * @property {string} [MAX_SNAPSHOT_BYTES]  kept open at the same time, in bytes; a question that reads more is refused
 * @property {string} [WHOLE_SNAPSHOT_BYTES]  of a snapshot that is larger only what questions read is fetched
 * @property {string} [REFRESH_SECONDS]     how old an answer may be after a snapshot was replaced
 * @property {string} [CACHE_CONTROL]       of answers
 * @property {string} [PASSPHRASE]          a secret: opens the snapshots that are encrypted
 * @property {string} [CORS_ORIGIN]         origins of pages that may ask, separated by commas; `*` is every page, empty none
 * @property {import("./shard-object.mjs").ShardNamespace} [SHARDS]  objects of shards; without it this isolate answers for them
 * @property {string} [SHARD_MILLIS]  how long a shard has for a round of a search
 * @property {string} [ALL_MILLIS]    how long a search of every repository has
 * @property {(repository: string) => boolean} [mayRead]  whether this request may be answered from a repository; absent where all may
 */

/** @typedef {{ waitUntil(promise: Promise<unknown>): void }} Context */

const JSON_TYPE = "application/json; charset=utf-8";
const METHODS = methods();
/** Read no more of a body than any tool takes; one byte too many is enough to be refused. */
const LONGEST_BODY = 1024 * 1024;

/** A client that has not sent its body by then is gone. */
const BODY_MILLIS = 20_000;
/** Bytes of a body that are read and dropped before its connection is given up. */
const MOST_DRAINED = 16 * 1024 * 1024;
const LONGEST_URL = 8192;

/** One per isolate: an opened snapshot is worth keeping for the next request. */
export const indexes = new Indexes();
const stops = new Stops();

export default {
  /**
   * @param {Request} request
   * @param {Env} env
   * @param {Context} context
   * @returns {Promise<Response>}
   */
  async fetch(request, env, context) {
    const headers = new Headers(cors(request, env));
    if (request.method === "OPTIONS") {
      headers.set("allow", METHODS);
      return new Response(null, { status: 204, headers });
    }
    if (isMcp(request)) return withHeaders(await mcp(request, hostParts(env, context)), headers);
    const reply = allOf(request)
      ? await respondForAll(request, env, context, headers)
      : await respond(request, env, context, headers);
    headers.set("content-type", JSON_TYPE);
    headers.set("x-content-type-options", "nosniff");
    if (reply.status === 405) headers.set("allow", METHODS);
    if (reply.status === 503) headers.set("retry-after", "1");
    if (reply.status >= 400) headers.set("cache-control", "no-store");
    const isBare = request.method === "HEAD" || reply.status === 304;
    if (!isBare) headers.set("content-length", String(reply.body.byteLength));
    return new Response(isBare ? null : /** @type {BodyInit} */ (reply.body), { status: reply.status, headers });
  },
};

/**
 * Answer, refusal or failure; never throws.
 * @param {Request} request
 * @param {Env} env
 * @param {Context} context
 * @param {Headers} headers  gets what only an answer has
 * @returns {Promise<{ status: number, body: Uint8Array }>}
 */
async function respond(request, env, context, headers) {
  let repository = "";
  try {
    const posted = request.method === "POST" ? await bodyOf(request) : "";
    refuseWhatIsTooMuch(request, posted);
    const body = wholeNumbers(posted, new URL(request.url).pathname);
    const question = /** @type {const} */ ([request.method, request.url, body, env.DEFAULT_REPOSITORY ?? ""]);
    const { reply, ...asked } = read(question);
    if (reply !== undefined) {
      headers.set("cache-control", "no-store");
      return reply;
    }
    repository = asked.repository;
    // An open index must not be answered from for those who may not read it.
    if (env.mayRead && !env.mayRead(repository))
      throw new Failure("snapshot.not-found", `there is no index of ${repository}`, "");
    stops.check(repository);
    return await indexes.use(asked, env, context, (open) => {
      if (isUnchanged(open, request, env, headers)) return { status: 304, body: new Uint8Array() };
      if (open.isSharded) return overShards(open, question, asked, { env, context, headers });
      const index = /** @type {import("./wasm/edge.js").Index} */ (open.index);
      const answer = unwrap(index.answer(...question));
      // A section that is damaged shows when a question reads it first.
      if (answer.status >= 500) headers.delete("etag");
      return answer;
    });
  } catch (error) {
    headers.delete("etag");
    return unwrap(failure(error, repository).reply());
  }
}

/**
 * Sets the headers of an answer; returns whether the client has it already.
 * @param {import("./indexes.mjs").Open} open
 * @param {Request} request
 * @param {Env} env
 * @param {Headers} headers
 */
function isUnchanged(open, request, env, headers) {
  headers.set("x-portolan-index", open.isNew ? "opened" : "kept");
  if (open.uploaded) headers.set("last-modified", open.uploaded.toUTCString());
  if (request.method === "POST") {
    headers.set("cache-control", "no-store");
    return false;
  }
  const etag = `W/"${open.etag}-${version()}"`;
  headers.set("etag", etag);
  headers.set("cache-control", env.CACHE_CONTROL ?? "public, max-age=60");
  return matches(request.headers.get("if-none-match"), etag);
}

/**
 * The answer of an index in shards. A partial one is not to be cached.
 * @param {import("./indexes.mjs").Open} open
 * @param {readonly [string, string, string, string]} question
 * @param {import("./indexes.mjs").Asked} asked
 * @param {{ env: Env, context: Context, headers: Headers }} host
 */
async function overShards(open, question, { repository, tool }, { env, context, headers }) {
  const { answer, nAbsent } = await askAll(question, {
    root: /** @type {import("./wasm/edge.js").Sharded} */ (open.index),
    repository,
    isSearch: tool === "search",
    env,
    context,
    indexes,
    makeRoom: (nBytes, free) => indexes.grow(open, repository, env, nBytes, free),
  });
  const reply = unwrap(answer);
  if (nAbsent > 0) headers.set("cache-control", "no-store");
  if (nAbsent > 0 || reply.status >= 500) headers.delete("etag");
  return reply;
}

/** A shard of an index, or a group of repositories, in a Durable Object: see shard-object.mjs and several.mjs. */
export class ShardObject {
  /**
   * @param {Context} state
   * @param {Env} env
   */
  constructor(state, env) {
    this.state = state;
    this.env = env;
  }

  /**
   * @param {Request} request
   * @returns {Promise<Response>}
   */
  async fetch(request) {
    if (new URL(request.url).pathname === "/search")
      return Response.json(await groupHere(await request.json(), this.env, this.state));
    const stopped = (/** @type {unknown} */ error) => failure(error, "").free();
    return answerRound(request, { env: this.env, context: this.state, indexes, stopped });
  }
}

/**
 * The answer of every repository in one.
 * @param {Request} request
 * @param {Env} env
 * @param {Context} context
 * @param {Headers} headers
 */
async function respondForAll(request, env, context, headers) {
  headers.set("cache-control", request.method === "POST" ? "no-store" : (env.CACHE_CONTROL ?? "public, max-age=60"));
  try {
    const posted = request.method === "POST" ? await bodyOf(request) : "";
    const { status, json } = await everyRepository(request, posted, env, context);
    if (!isWhole(json)) headers.set("cache-control", "no-store");
    return { status, body: new TextEncoder().encode(JSON.stringify(json)) };
  } catch (error) {
    return unwrap(failure(error, "").reply());
  }
}

/**
 * @param {Request} request
 * @param {string} body
 * @param {Env} env
 * @param {Context} context
 */
function everyRepository(request, body, env, context) {
  return searchAll(request, body, { env, here: (asked) => groupHere(asked, env, context) });
}

/**
 * The answer of a group of repositories.
 * @param {import("./several.mjs").GroupAsked} asked
 * @param {Env} env
 * @param {Context} context
 */
function groupHere(asked, env, context) {
  const { method, body } = asked;
  const ask = (/** @type {string} */ url) =>
    respond(new Request(url, { method, ...(body !== "" && { body }) }), env, context, new Headers());
  return searchGroup(asked, ask, () => indexes.names());
}

/**
 * The host of the MCP server: the same requests as over HTTP, to the same indexes.
 * @param {Env} env
 * @param {Context} context
 * @returns {import("./mcp.mjs").Parts}
 */
function hostParts(env, context) {
  return {
    version: version(),
    defaultRepository: env.DEFAULT_REPOSITORY ?? "",
    bucket: env.SNAPSHOTS,
    async ask(repository, tool, request) {
      const url = `/v1/${tool}?repo=${encodeURIComponent(repository)}`;
      const { status, body } = await respond(
        new Request(`https://worker${url}`, { method: "POST", body: JSON.stringify(request) }),
        env,
        context,
        new Headers(),
      );
      return { isAnswer: status === 200, json: JSON.parse(new TextDecoder().decode(body)) };
    },
    async askAll(request) {
      const body = JSON.stringify(request);
      const asked = new Request("https://worker/v1/search?repo=*", { method: "POST", body });
      const { status, json } = await everyRepository(asked, body, env, context);
      return { isAnswer: status === 200, json };
    },
  };
}

/**
 * @param {Response} response
 * @param {Headers} headers  added to its own
 */
function withHeaders(response, headers) {
  const all = new Headers(response.headers);
  for (const [name, value] of headers) all.set(name, value);
  all.set("x-content-type-options", "nosniff");
  return new Response(response.body, { status: response.status, headers: all });
}

/**
 * Reads the posted body as text, of a body that is too long little more than the limit. The rest of it is read and dropped:
 * workerd closes the connection of a body that was not read to its end, and the client's next request would be lost with it.
 * @param {Request} request
 */
async function bodyOf(request) {
  const pieces = [];
  let nBytes = 0;
  const reader = /** @type {ReadableStreamDefaultReader<Uint8Array> | undefined} */ (request.body?.getReader());
  const late = after(BODY_MILLIS);
  try {
    for (;;) {
      const { done, value } = (await Promise.race([reader?.read(), late.promise])) ?? { done: true, value: undefined };
      if (done || value === undefined) break;
      if (nBytes <= LONGEST_BODY) pieces.push(value);
      nBytes += value.byteLength;
      if (nBytes > MOST_DRAINED) break;
    }
  } catch (error) {
    reader?.cancel().catch(() => {});
    throw error;
  } finally {
    late.end();
  }
  return await new Blob(/** @type {BlobPart[]} */ (pieces)).text();
}

/**
 * A promise that is rejected after a time, unless it is ended before.
 * @param {number} millis
 */
function after(millis) {
  let timer = /** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined);
  /** @type {Promise<never>} */
  const promise = new Promise((_, reject) => {
    const fault = () => new Failure("request.timeout", "the body takes too long", "send it again, at once");
    timer = setTimeout(() => reject(fault()), millis);
  });
  return { promise, end: () => clearTimeout(timer) };
}

/**
 * Refuses what no tool takes, before it goes into the wasm.
 * @param {Request} request
 * @param {string} body
 */
function refuseWhatIsTooMuch({ url }, body) {
  if (url.length > LONGEST_URL) {
    const message = `the address has ${url.length} characters; ${LONGEST_URL} are read`;
    throw new Failure("request.too-large", message, "put the request into the body of a POST");
  }
  // Rust refuses a body that is too long, with the tool's limit.
  const fault = shapeFault(body);
  if (fault?.code === "request.depth") throw new Failure(fault.code, fault.message, fault.help);
}

/**
 * The parts of a request, as plain values.
 * @param {readonly [string, string, string, string]} question
 */
function read(question) {
  const needs = plan(...question);
  const { repository, tool, wants_vector: wantsVector } = needs;
  const reply = repository === undefined ? unwrap(/** @type {any} */ (needs.reply())) : undefined;
  needs.free();
  return { repository: repository ?? "", tool, wantsVector, reply };
}

/**
 * Converts an exception into a failure.
 * @param {unknown} error
 * @param {string} repository
 * @returns {Failure}
 */
function failure(error, repository) {
  if (error instanceof Failure) return error;
  if (error instanceof ShardFault) return new Failure(error.code, error.message, "ask again in a second");
  console.error("portolan:", error);
  if (isStop(error)) {
    stops.note(repository);
    // The wasm stopped in the middle of something, so nothing in its memory can be trusted. The new instance is made by the
    // next call; one without arguments, since strings would still be written into the old memory.
    indexes.forget();
    restart();
    version();
    return new Failure(
      "internal.stopped",
      "the engine stopped while it answered",
      "ask again; if it stops again, report the request",
    );
  }
  return new Failure("internal.error", error instanceof Error ? error.message : String(error), "");
}

/**
 * A reply as plain values; its wasm memory is given back.
 * @param {import("./wasm/edge.js").Answer} answer
 */
function unwrap(answer) {
  const { status } = answer;
  return { status, body: answer.into_body() };
}

/**
 * Whether a client holds this answer already. Weak comparison, as for GET.
 * @param {string | null} header
 * @param {string} etag
 */
function matches(header, etag) {
  if (header === null) return false;
  const plain = (/** @type {string} */ tag) => tag.trim().replace(/^W\//, "");
  return header.trim() === "*" || header.split(",").some((tag) => plain(tag) === plain(etag));
}

/**
 * Headers that let a page read the answer, where it is of an origin that may ask.
 * @param {Request} request
 * @param {Env} env
 * @returns {Record<string, string>}
 */
export function cors(request, env) {
  const allowed = (env.CORS_ORIGIN ?? "*").split(",").map((one) => one.trim());
  if (allowed.includes("*")) return { ...CORS, "access-control-allow-origin": "*" };
  const origin = request.headers.get("origin");
  if (allowed.every((one) => one === "")) return {};
  return {
    vary: "origin",
    ...(origin !== null && allowed.includes(origin) && { ...CORS, "access-control-allow-origin": origin }),
  };
}

const CORS = {
  "access-control-allow-methods": METHODS,
  "access-control-allow-headers":
    "content-type, if-none-match, accept, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name",
  "access-control-expose-headers": "etag, x-portolan-index, mcp-session-id, mcp-protocol-version",
  "access-control-max-age": "86400",
};
