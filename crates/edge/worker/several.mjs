// @ts-check
// `repo=*`: the same search in every repository, the hits in one list. Repositories are dealt to groups (groups.mjs); each group is
// asked in a Durable Object, which keeps open as many as fit, and all of them at once. A deadline bounds the whole: repositories
// that were not reached are counted and named.

import { mergedSearches } from "portolan/mcp";
import { within } from "./deadline.mjs";
import { groupsOf, Turns } from "./groups.mjs";
import { mostBytes, UNPACKED } from "./indexes.mjs";
import { known } from "./mcp.mjs";

/** Hits where the request says nothing. */
const DEFAULT_LIMIT = 10;
/** Repositories that one request asks at most. */
const MOST_REPOSITORIES = 10_000;
/** Names in a list of what is missing. */
const MOST_NAMED = 100;
/** The whole search has this long. */
const ALL_MILLIS = 10_000;
/** Longer for a repository that a group has begun with. */
const OVERTIME_MILLIS = 250;
/** Longer for that, and for the way to a group and back. */
const WAY_MILLIS = 500;
/** Recent answers, and how long they are given again. */
const MOST_KEPT = 64;
const REFRESH_SECONDS = 60;

/**
 * @typedef {{ repo: string, answer?: any, message?: string }} Answered
 *
 * The question to a group, and its answer.
 * @typedef {{ group: string, repositories: string[], method: string, url: string, body: string, limit: number, millis: number }} GroupAsked
 * @typedef {{ status: number, json: any, late: string[] }} GroupAnswer
 *
 * The names of the repositories, the bytes of some, and whether there are more.
 * @typedef {{ at: number, names: string[], sizes: Map<string, number>, isCut: boolean }} Listed
 *
 * @typedef {object} Parts
 * @property {import("./answers.mjs").Env} env
 * @property {(asked: GroupAsked) => Promise<GroupAnswer>} here  asks a group in this isolate
 */

/** @type {Map<string, { at: number, json: object }>} in the order last given, oldest first */
const kept = new Map();
/** @type {WeakMap<object, Listed>} */
const lists = new WeakMap();
const turns = new Turns();

/**
 * Whether a request asks every repository. Only searches can.
 * @param {Request} request
 */
export function allOf({ url, method }) {
  const { pathname, searchParams } = new URL(url);
  return ["GET", "POST"].includes(method) && pathname === "/v1/search" && searchParams.get("repo") === "*";
}

/**
 * @param {Request} request
 * @param {string} body  what was posted
 * @param {Parts} parts
 * @returns {Promise<{ status: number, json: object }>}
 */
export async function searchAll({ url, method }, body, { env, here }) {
  const address = new URL(url);
  const { limit, offset, query } = askedOf(address, body);
  if (offset > 0)
    return refused("offset: there is no paging over all repositories", "raise `limit`, or name one repository");
  const { names, sizes, isCut } = await namesIn(env);
  // Who may read other repositories has answers of its own.
  const key = JSON.stringify([address.search, body, isCut, await digestOf(names)]);
  const recent = recentAnswer(key, env);
  if (recent) return { status: 200, json: recent };
  const millis = Number(env.ALL_MILLIS || ALL_MILLIS);
  const room = env.SHARDS === undefined ? Number.POSITIVE_INFINITY : mostBytes(env);
  const groups = groupsOf(names, (name) => UNPACKED * (sizes.get(name) ?? 0), room);
  const asked = [...groups].map(async ([group, repositories]) => {
    const question = { group, repositories, method, url, body, limit, millis };
    const late = /** @type {GroupAnswer} */ ({ status: 200, json: undefined, late: repositories });
    if (env.SHARDS === undefined || groups.size === 1) return here(question);
    return within(millis + WAY_MILLIS, askGroup(group, question, env.SHARDS), () => new Error(group)).catch(() => late);
  });
  const answers = await Promise.all(asked);
  // A fault of the request is the same everywhere.
  const wrong = answers.find(({ status }) => status !== 200);
  if (wrong) return wrong;
  const json = joined(answers, { limit, query, nRepositories: names.length, isCut });
  if (isWhole(json)) keep(key, json);
  return { status: 200, json };
}

/**
/**
 * Whether every repository and every shard answered.
 * @param {object} json
 */
export function isWhole(json) {
  return !["late", "failed", "missing_shards"].some((field) => field in json);
}

/**
 * The repositories of the bucket, in order, and the bytes of those whose object is one file. The list of a bucket that is the same for all requests is kept.
 * @param {import("./answers.mjs").Env} env
 * @returns {Promise<Listed>}
 */
async function namesIn(env) {
  const bucket = env.SNAPSHOTS;
  const found = bucket === undefined ? undefined : lists.get(bucket);
  if (found && isRecent(found.at, env)) return found;
  const sizes = new Map();
  const { repositories, truncated = false } = await known(sized(bucket, sizes), "", MOST_REPOSITORIES);
  const names = repositories.map(({ name }) => name).sort();
  const listed = { at: Date.now(), names, sizes, isCut: truncated };
  if (bucket !== undefined) lists.set(bucket, listed);
  return listed;
}

/**
 * The bucket, whose lists fill `sizes`. That of versions knows none: each would be a read.
 * @param {import("./bucket.mjs").Bucket} bucket
 * @param {Map<string, number>} sizes  by the names of repositories
 * @returns {import("./bucket.mjs").Bucket}
 */
function sized(bucket, sizes) {
  return {
    get: (key, options) => bucket.get(key, options),
    async list(options) {
      const page = (await bucket?.list?.(options)) ?? { objects: [], truncated: false };
      for (const { key, size } of page.objects) if (size > 0) sizes.set(key.replace(/\.portolan$/, ""), size);
      return page;
    },
  };
}

/**
 * Searches the repositories of a group one after the other, until the time is over: first those that are open, then the others from
 * where the last search of the group ended.
 * @param {GroupAsked} asked
 * @param {(url: string) => Promise<{ status: number, body: Uint8Array }>} ask  the same request at another address
 * @param {() => readonly string[]} [opened]  names of what is open here, oldest first
 * @returns {Promise<GroupAnswer>}
 */
export async function searchGroup({ group, repositories, url, limit, millis }, ask, opened = () => []) {
  const address = new URL(url);
  const end = Date.now() + millis;
  const { order, nOpen } = turns.orderOf(group, repositories, opened());
  /** @type {Answered[]} */
  const answers = [];
  const late = (/** @type {number} */ n) => ({
    status: 200,
    json: merged(answers, limit),
    late: order.slice(n).sort(),
  });
  for (const [n, name] of order.entries()) {
    if (Date.now() > end) return late(n);
    if (n >= nOpen) turns.reached(group, name);
    address.searchParams.set("repo", name);
    const found = await beforeEnd(end + OVERTIME_MILLIS, ask(address.href));
    if (found === undefined) return late(n);
    const { status, body } = found;
    const json = JSON.parse(new TextDecoder().decode(body));
    if (status >= 400 && status < 500 && status !== 404) return { status, json, late: [] };
    answers.push(status === 200 ? { repo: name, answer: json } : { repo: name, message: json.message });
  }
  return { status: 200, json: merged(answers, limit), late: [] };
}

/**
 * An answer that comes in time. A repository that is still being opened then is open for the next search.
 * @template T
 * @param {number} end
 * @param {Promise<T>} asking
 * @returns {Promise<T | undefined>}
 */
async function beforeEnd(end, asking) {
  const late = new Error("late");
  try {
    return await within(Math.max(0, end - Date.now()), asking, () => late);
  } catch (error) {
    if (error === late) return undefined;
    throw error;
  }
}

/**
 * @param {Answered[]} answers
 * @param {number} limit
 */
function merged(answers, limit) {
  const query = answers.find(({ answer }) => answer)?.answer.query ?? "";
  return mergedSearches(query, limit, answers);
}

/**
 * @param {string} group
 * @param {GroupAsked} asked
 * @param {import("./shard-object.mjs").ShardNamespace} objects
 * @returns {Promise<GroupAnswer>}
 */
async function askGroup(group, asked, objects) {
  const init = { method: "POST", body: JSON.stringify(asked) };
  const response = await objects.get(objects.idFromName(group)).fetch("https://shard/search", init);
  return /** @type {Promise<GroupAnswer>} */ (response.json());
}

/**
 * The answers of groups in one.
 * @param {GroupAnswer[]} answers
 * @param {{ limit: number, query: string, nRepositories: number, isCut: boolean }} asked
 */
function joined(answers, { limit, query, nRepositories, isCut }) {
  const found = answers.map(({ json }) => json).filter((json) => json !== undefined);
  const hits = found.flatMap((json) => json.hits);
  const [notes, failed, missing] = ["notes", "failed", "missing_shards"].map((list) =>
    found.flatMap((json) => json[list] ?? []),
  );
  const late = answers.flatMap((answer) => answer.late);
  // That one of several has no such name is no news where another has it.
  const isTold = notes.length > 0 && (hits.length === 0 || notes.length === nRepositories - failed.length);
  hits.sort((one, other) => other.score - one.score);
  return {
    query: found.find((json) => json.query !== "")?.query ?? query,
    hits: hits.slice(0, limit),
    total: found.reduce((sum, json) => sum + json.total, 0),
    n_repositories: nRepositories,
    ...(isCut && { more_repositories: true }),
    ...(isTold && { notes: notes.slice(0, MOST_NAMED) }),
    ...(failed.length > 0 && { n_failed: failed.length, failed: failed.slice(0, MOST_NAMED) }),
    ...(missing.length > 0 && { n_missing_shards: missing.length, missing_shards: missing.slice(0, MOST_NAMED) }),
    ...(late.length > 0 && { late: { n_repositories: late.length, repositories: late.slice(0, MOST_NAMED) } }),
  };
}

/** @param {string[]} names */
async function digestOf(names) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(names.join("\n")));
  return new Uint8Array(digest).join();
}

/**
 * @param {string} key
 * @param {import("./answers.mjs").Env} env
 */
function recentAnswer(key, env) {
  const found = kept.get(key);
  if (found === undefined) return undefined;
  if (isRecent(found.at, env)) return found.json;
  kept.delete(key);
  return undefined;
}

/**
 * @param {number} at
 * @param {import("./answers.mjs").Env} env
 */
function isRecent(at, env) {
  return Date.now() - at < 1000 * Number(env.REFRESH_SECONDS || REFRESH_SECONDS);
}

/**
 * @param {string} key
 * @param {object} json
 */
function keep(key, json) {
  kept.delete(key);
  kept.set(key, { at: Date.now(), json });
  const [oldest] = kept.keys();
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
}

/**
 * The query, and the page that is asked for. Whether they can be read at all, each repository says.
 * @param {URL} address
 * @param {string} body
 */
function askedOf({ searchParams }, body) {
  const number = (/** @type {unknown} */ value, /** @type {number} */ standard) =>
    Number.isSafeInteger(Number(value ?? undefined)) ? Number(value) : standard;
  let posted = {};
  try {
    posted = body === "" ? {} : (JSON.parse(body) ?? {});
  } catch {
    // the first repository refuses it
  }
  const { limit, offset, query } = /** @type {{ limit?: unknown, offset?: unknown, query?: unknown }} */ (posted);
  return {
    query: typeof query === "string" ? query : (searchParams.get("q") ?? ""),
    limit: number(limit ?? searchParams.get("limit"), DEFAULT_LIMIT),
    offset: number(offset ?? searchParams.get("offset"), 0),
  };
}

/**
 * @param {string} message
 * @param {string} help
 */
function refused(message, help) {
  return { status: 400, json: { code: "request.parameter", message, help } };
}
