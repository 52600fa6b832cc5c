// @ts-check
// `repo=*`: the same search in every repository of the bucket, the hits in one list.

import { mergedSearches } from "portolan/mcp";
import { known } from "./mcp.mjs";

/** Hits where the request says nothing. */
const DEFAULT_LIMIT = 10;

/**
 * @typedef {object} Parts
 * @property {import("./bucket.mjs").Bucket} bucket
 * @property {(url: string) => Promise<{ status: number, body: Uint8Array }>} ask  the same request at another address
 */

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
export async function searchAll({ url }, body, { bucket, ask }) {
  const address = new URL(url);
  const { limit, offset } = pageOf(address, body);
  if (offset > 0)
    return refused("offset: there is no paging over all repositories", "raise `limit`, or name one repository");
  const repositories = await known(bucket, "");
  const answers = [];
  for (const { name } of repositories) {
    address.searchParams.set("repo", name);
    const { status, body } = await ask(address.href);
    const json = JSON.parse(new TextDecoder().decode(body));
    // A fault of the request is the same everywhere.
    if (status >= 400 && status < 500 && status !== 404) return { status, json };
    answers.push(status === 200 ? { repo: name, answer: json } : { repo: name, message: json.message });
  }
  const query = answers.find(({ answer }) => answer)?.answer.query ?? address.searchParams.get("q") ?? "";
  return { status: 200, json: mergedSearches(query, limit, answers) };
}

/**
 * The page that is asked for. Whether it can be read at all, each repository says.
 * @param {URL} address
 * @param {string} body
 */
function pageOf({ searchParams }, body) {
  const number = (/** @type {unknown} */ value, /** @type {number} */ standard) =>
    Number.isSafeInteger(Number(value ?? undefined)) ? Number(value) : standard;
  let posted = {};
  try {
    posted = body === "" ? {} : (JSON.parse(body) ?? {});
  } catch {
    // the first repository refuses it
  }
  const { limit, offset } = /** @type {{ limit?: unknown, offset?: unknown }} */ (posted);
  return {
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
