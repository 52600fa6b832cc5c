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
  KnownRepository,
  McpHost,
  Repository,
  Staleness,
} from "./host.js";
export { jsonShape, type JsonLimits, type JsonShape } from "../reading/request-limits.js";
export type { Schema } from "../commands/tools/schema.js";
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

/** Reads the body; of one that is too long, one byte more than is allowed. */
async function bodyOf(request: Request): Promise<Uint8Array<ArrayBuffer>> {
  const body = new Uint8Array(MAX_BODY + 1);
  let n_bytes = 0;
  const reader = request.body?.getReader();
  while (reader && n_bytes < body.length) {
    const { done, value } = await reader.read();
    if (done) break;
    const piece = value.subarray(0, body.length - n_bytes);
    body.set(piece, n_bytes);
    n_bytes += piece.length;
  }
  if (n_bytes === body.length) await reader?.cancel();
  return body.slice(0, n_bytes);
}
