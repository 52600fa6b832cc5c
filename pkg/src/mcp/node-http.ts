/**
 * `portolan mcp --http`: the server over Streamable HTTP on this machine, at `/mcp`. Each request is answered by itself: there are no sessions
 * to lose, and none to steal. `http-guard.ts` says which hosts and origins may ask; a token, where there is one, is wanted of everybody.
 */

import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

import { PortolanError } from "../errors.js";
import { AllowedHosts, guardedServer, refusalOf, refuse } from "../node/http-guard.js";
import { answerWith, listenOn, type ListenOptions, type OpenServer } from "../node/web-server.js";
import { mcpOverHttp } from "./http.js";
import { NodeHost, type NodeHostOptions } from "./node-host.js";

const PATH = "/mcp";
const METHODS = ["POST", "GET", "DELETE"];
const HEADERS = { "cache-control": "no-store", "x-content-type-options": "nosniff" };
/** Shorter ones can be guessed. */
const MIN_TOKEN = 16;

export interface HttpOptions extends ListenOptions {
  /** Further names under which it may be asked. */
  readonly allowedHosts: readonly string[];
  /** Wanted as `Authorization: Bearer …`. */
  readonly token?: string | undefined;
}

/** Starts it. Rejects with `serve.failed` where the port is taken, `options.invalid` where others could ask without a token. */
export async function serveMcpOverHttp(options: NodeHostOptions, http: HttpOptions): Promise<OpenServer> {
  checkToken(http);
  const host = new NodeHost(options);
  const answers = mcpOverHttp(() => host);
  const hosts = new AllowedHosts(http.host, http.allowedHosts);
  const server = guardedServer(async (request, response) => {
    const refusal = refusalOf(request, hosts, METHODS) ?? elsewhere(request) ?? withoutToken(request, http.token);
    if (!refusal) return answerWith(request, response, (asked) => answers(asked as never) as never, HEADERS);
    const asks = refusal.status === 401 ? { "www-authenticate": 'Bearer realm="portolan"' } : {};
    refuse(response, refusal, { ...HEADERS, ...asks, ...(refusal.status === 405 && { allow: METHODS.join(", ") }) });
  }, failed);
  const open = await listenOn(server, http);
  return {
    url: `${open.url}${PATH}`,
    async close() {
      await open.close();
      host.close();
    },
  };
}

function checkToken({ host, token }: HttpOptions): void {
  const isLoopback = host === "localhost" || host === "::1" || /^127\./.test(host);
  if (token === undefined && !isLoopback)
    throw new PortolanError(
      "options.invalid",
      `mcp --http: on ${host} other machines could read the code`,
      "set PORTOLAN_MCP_TOKEN or --token-file, or listen on 127.0.0.1",
    );
  if (token !== undefined && token.length < MIN_TOKEN)
    throw new PortolanError(
      "options.invalid",
      `mcp --http: the token has ${token.length} characters, and needs ${MIN_TOKEN}`,
      "take 32 random bytes, as `openssl rand -hex 32` prints them",
    );
}

function elsewhere({ url = "" }: IncomingMessage) {
  return url.split("?", 1)[0] === PATH ? undefined : { status: 404, message: `the server is at ${PATH}` };
}

function withoutToken({ headers }: IncomingMessage, token: string | undefined) {
  if (token === undefined) return undefined;
  const given = /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1] ?? "";
  return timingSafeEqual(digest(given), digest(token))
    ? undefined
    : { status: 401, message: "this server wants its token: Authorization: Bearer …" };
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function failed(_: unknown, response: ServerResponse): void {
  if (response.headersSent || response.destroyed) return void response.destroy();
  refuse(response, { status: 500, message: "the request could not be answered" }, HEADERS);
}
