// @ts-check
// MCP over Streamable HTTP at /mcp: the server of the npm package, over this Worker's indexes. Stateless: nothing is kept from
// one request to the next but the open indexes.

import { jsonShape, mcpOverHttp, PortolanError } from "portolan/mcp";

/**
 * @typedef {object} Parts
 * @property {string} version
 * @property {string} defaultRepository
 * @property {import("./bucket.mjs").Bucket} bucket
 * @property {(repository: string, tool: string, request: object) => Promise<{ isAnswer: boolean, json: any }>} ask
 * @property {(request: object) => Promise<{ isAnswer: boolean, json: any }>} askAll  a search of every repository, as over HTTP
 */

const ENDING = ".portolan";
/** The file of a shard, beside that of its root. */
const SHARD = /-[0-9a-f]{32}\.portolan$/;
/** Names in one answer of list_repos. */
const MOST_REPOSITORIES = 200;

/**
 * Why a text is not parsed as JSON.
 * @param {string} text
 */
export function shapeFault(text) {
  return jsonShape(text).fault;
}

/** @param {Request} request */
export function isMcp(request) {
  return new URL(request.url).pathname === "/mcp" && request.method !== "OPTIONS";
}

/**
 * @param {Request} request
 * @param {Parts} parts
 * @returns {Promise<Response>}
 */
export function mcp(request, parts) {
  return mcpOverHttp(() => hostOf(parts))(request);
}

/**
 * @param {Parts} parts
 * @returns {import("portolan/mcp").McpHost}
 */
function hostOf({ version, defaultRepository, bucket, ask, askAll }) {
  return {
    version,
    can: { structural: false, files: false },
    repositories: () => known(bucket, defaultRepository),
    searchAll: async (request) => answered(await askAll(request)),
    async open(repo) {
      const name = repo ?? (defaultRepository || (await only(bucket)));
      return {
        name,
        ask: async (tool, request) => answered(await ask(name, tool, request)),
      };
    },
  };
}

/**
 * The answer; a refusal is thrown.
 * @param {{ isAnswer: boolean, json: any }} reply
 */
function answered({ isAnswer, json }) {
  if (isAnswer) return json;
  throw new PortolanError(json.code, json.message, json.help);
}

/**
 * The snapshots of the bucket, the default first, and whether there are more.
 * @param {import("./bucket.mjs").Bucket} bucket
 * @param {string} defaultRepository
 * @param {number} [most]  maximum number of entries
 */
export async function known(bucket, defaultRepository, most = MOST_REPOSITORIES) {
  const objects = [];
  let isCut = false;
  /** @type {string | undefined} */
  let cursor;
  do {
    const options = { cursor, namesOnly: most > MOST_REPOSITORIES, most: most + 1 };
    const page = (await bucket?.list?.(options)) ?? { objects: [], truncated: false, cursor: undefined };
    objects.push(...page.objects.filter(({ key }) => key.endsWith(ENDING) && !SHARD.test(key)));
    cursor = page.truncated ? page.cursor : undefined;
    // One beyond those that are wanted shows that there are more; a bucket of versions has no cursor.
    isCut = objects.length > most || (page.truncated && cursor === undefined);
  } while (cursor !== undefined && !isCut);
  const entries = objects.slice(0, most).map(({ key, uploaded }) => {
    const name = key.slice(0, -ENDING.length);
    return { name, indexed_at: uploaded.getTime(), ...(name === defaultRepository && { is_default: true }) };
  });
  entries.sort((a, b) => Number(b.is_default ?? false) - Number(a.is_default ?? false));
  return { repositories: entries, ...(isCut && { truncated: true }) };
}

/**
 * The one repository there is, where there is one.
 * @param {import("./bucket.mjs").Bucket} bucket
 */
async function only(bucket) {
  const { repositories: all, truncated } = await known(bucket, "");
  const [first] = all;
  if (all.length === 1 && first) return first.name;
  if (all.length === 0)
    throw new PortolanError(
      "snapshot.not-found",
      "there is no index in the bucket",
      "make one with `portolan index`, and put it into the bucket as NAME.portolan",
    );
  throw new PortolanError(
    "repository.unknown",
    "several repositories can be asked",
    `say with \`repo\` which is meant: ${all.map(({ name }) => name).join(", ")}${truncated ? ", …" : ""}`,
  );
}
