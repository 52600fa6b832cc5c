/** MCP over Streamable HTTP, for any host with `Request` and `Response`: stateless, a server for each request. */

import { MESSAGE_LIMITS } from "../reading/request-limits.js";
import type { McpHost } from "./host.js";
import type { Request, Response } from "../platform.js";
import { createMcpHandler } from "./sdk.js";
import { refusalOf } from "./refusal.js";
import { mcpServer } from "./server.js";

export type {
  Abilities,
  Ask,
  CallContext as Going,
  GitScope,
  KnownRepositories,
  KnownRepository,
  McpHost,
  Repository,
  Staleness,
} from "./host.js";
export { jsonShape, type JsonLimits, type JsonShape } from "../reading/request-limits.js";
export type { Schema } from "../commands/tools/schema.js";
export { merged as mergedSearches, type SearchOfAll, type SearchOfSeveral } from "../reading/several.js";
export { toolsFor, type ToolSpec } from "./tools.js";

/** Bytes of a message; no tool takes more. */
const MAX_BODY = 1024 * 1024;

/** Answers requests to one address; `host` is made for each, since what a request may see depends on it. */
export function mcpOverHttp(hostOf: () => McpHost): (request: Request) => Promise<Response> {
  const handler = createMcpHandler(() => mcpServer(hostOf()));
  return async (request) => {
    if (request.method !== "POST") return handler.fetch(request);
    const body = await bodyOf(request);
    const refusal = refusalOf(new TextDecoder().decode(body), body.length, LIMITS);
    if (refusal) return Response.json(refusal, { status: refusal.error.data.code === "request.size" ? 413 : 400 });
    const { url, method, headers, signal } = request;
    return handler.fetch(new Request(url, { method, headers, signal, body }));
  };
}

const LIMITS = { ...MESSAGE_LIMITS, characters: MAX_BODY };

/** Bytes of a body that are read and dropped before its connection is given up. */
const MAX_DRAINED = 16 * MAX_BODY;

/**
 * Reads the body; of one that is too long, one byte more than is allowed. The rest is read and dropped: a host closes the connection of a
 * body that was not read to its end, and the client's next request would be lost with it.
 */
async function bodyOf(request: Request): Promise<Uint8Array<ArrayBuffer>> {
  const body = new Uint8Array(MAX_BODY + 1);
  let n_bytes = 0;
  const reader = request.body?.getReader();
  while (reader && n_bytes <= MAX_DRAINED) {
    const { done, value } = await reader.read();
    if (done) break;
    if (n_bytes < body.length) body.set(value.subarray(0, body.length - n_bytes), n_bytes);
    n_bytes += value.length;
  }
  if (n_bytes > MAX_DRAINED) await reader?.cancel();
  return body.slice(0, n_bytes);
}
