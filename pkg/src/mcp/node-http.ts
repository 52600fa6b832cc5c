/**
 * `portolan mcp --http`: the server over Streamable HTTP on this machine, at `/mcp`. Each request is answered by itself: there are no sessions
 * to lose, and none to steal. `http-guard.ts` says which hosts and origins may ask; a token, where there is one, is wanted of everybody.
 */

import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

import { PortolanError } from "../errors.js";
import { AllowedHosts, guardedServer, refusalOf, refuse } from "../node/http-guard.js";
import { mcpOverHttp } from "./http.js";
import { NodeHost, type NodeHostOptions } from "./node-host.js";

const PATH = "/mcp";
const METHODS = ["POST", "GET", "DELETE"];
const HEADERS = { "cache-control": "no-store", "x-content-type-options": "nosniff" };
/** Shorter ones can be guessed. */
const MIN_TOKEN = 16;

export interface HttpOptions {
  readonly port: number;
  readonly host: string;
  /** Further names under which it may be asked. */
  readonly allowedHosts: readonly string[];
  /** Wanted as `Authorization: Bearer …`. */
  readonly token?: string | undefined;
}

/** A server that answers until it is closed. */
export interface McpOverHttp {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts it. Rejects with `serve.failed` where the port is taken, `options.invalid` where others could ask without a token. */
export async function serveMcpOverHttp(options: NodeHostOptions, http: HttpOptions): Promise<McpOverHttp> {
  checkToken(http);
  const host = new NodeHost(options);
  const answers = mcpOverHttp(() => host);
  const hosts = new AllowedHosts(http.host, http.allowedHosts);
  const server = guardedServer(async (request, response) => {
    const refusal = refusalOf(request, hosts, METHODS) ?? elsewhere(request) ?? withoutToken(request, http.token);
    if (!refusal) return answered(request, response, answers);
    const asks = refusal.status === 401 ? { "www-authenticate": 'Bearer realm="portolan"' } : {};
    refuse(response, refusal, { ...HEADERS, ...asks, ...(refusal.status === 405 && { allow: METHODS.join(", ") }) });
  }, failed);
  await listening(server, http);
  const { port } = server.address() as AddressInfo;
  const name = http.host.includes(":") ? `[${http.host}]` : http.host;
  return {
    url: `http://${name}:${port}${PATH}`,
    async close() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
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

async function answered(
  request: IncomingMessage,
  response: ServerResponse,
  answers: ReturnType<typeof mcpOverHttp>,
): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const { method = "GET", url = PATH, headers } = request;
  const body = method === "POST" ? { body: Readable.toWeb(request) as never, duplex: "half" } : {};
  const given = Object.entries(headers).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : []));
  const asked = new Request(new URL(url, "http://localhost"), {
    method,
    headers: Object.fromEntries(given) as Record<string, string>,
    signal: gone.signal,
    ...body,
  } as RequestInit);
  const answer = (await answers(asked as never)) as unknown as Response;
  response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), ...HEADERS });
  if (answer.body) await pipeline(Readable.fromWeb(answer.body as never), response);
  else response.end();
}

function failed(_: unknown, response: ServerResponse): void {
  if (response.headersSent || response.destroyed) return void response.destroy();
  refuse(response, { status: 500, message: "the request could not be answered" }, HEADERS);
}

function listening(server: Server, { port, host }: HttpOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const inUse = error.code === "EADDRINUSE";
      const help = inUse ? "name another with --port, or 0 for any free port" : "";
      reject(
        new PortolanError("serve.failed", inUse ? `port ${port} is taken` : error.message, help, { cause: error }),
      );
    });
    server.listen(port, host, () => {
      // From here on a fault is one of accepting a connection.
      server.removeAllListeners("error").on("error", () => {});
      resolve();
    });
  });
}
