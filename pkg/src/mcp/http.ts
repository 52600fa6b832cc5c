/** MCP over Streamable HTTP, for any host with `Request` and `Response`: stateless, a server for each request. */

import type { McpHost } from "./host.js";
import type { Request, Response } from "../platform.js";
import { createMcpHandler } from "./sdk.js";
import { mcpServer } from "./server.js";

export type { Abilities, Ask, GitScope, Going, KnownRepository, McpHost, Repository, Staleness } from "./host.js";
export { toolsFor, type Schema, type ToolSpec } from "./tools.js";

/** Answers requests to one address; `host` is made for each, since what a request may see depends on it. */
export function mcpOverHttp(hostOf: () => McpHost): (request: Request) => Promise<Response> {
  const handler = createMcpHandler(() => mcpServer(hostOf()));
  return (request) => handler.fetch(request);
}
