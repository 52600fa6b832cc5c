/**
 * Guards an HTTP server on the user's machine: which hosts and origins may ask, how much of a request is read, how long a client may take.
 *
 * A web page anywhere can have its own domain name resolve to 127.0.0.1 (DNS rebinding) and then reads answers as its own. Its requests
 * carry that name in `Host`, which is why names are compared with a list. IP addresses cannot be rebound.
 */

import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from "node:http";
import { isIP } from "node:net";
import type { Socket } from "node:net";

/** Limits of one client of a server. */
const LIMITS = {
  maxHeaderSize: 16 * 1024,
  /** Until the headers are there: a client that sends a byte now and then is cut off. */
  headersTimeout: 8_000,
  requestTimeout: 15_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
} satisfies ServerOptions;
/** More connections than this at once are closed: a browser opens six. */
const MAX_CONNECTIONS = 256;
/** A connection on which nothing moves is closed: a client that reads nothing holds a file open. */
const IDLE_MS = 60_000;
const MAX_URL = 4096;
const MAX_HEADERS = 100;

/** A request that is not answered with a file: status and one sentence. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
}

/** Who may ask a server, by the name under which it was asked. */
export class AllowedHosts {
  private readonly names: ReadonlySet<string>;
  private readonly allowsAddresses: boolean;

  /**
   * @param host what the server listens on. On this machine: its loopback names. On all addresses: any address, since addresses cannot be
   * rebound. Otherwise: itself.
   * @param more further names, as of a proxy before it.
   */
  constructor(host: string, more: readonly string[] = []) {
    const isWildcard = host === "0.0.0.0" || host === "::";
    const isLoopback = host === "localhost" || host === "::1" || /^127\./.test(host);
    const own = isWildcard || isLoopback ? ["localhost", "127.0.0.1", "::1"] : [];
    this.names = new Set([...own, ...(isWildcard ? [] : [host]), ...more].map(plain));
    this.allowsAddresses = isWildcard;
  }

  /** Whether a `Host` header, or the host of an origin, is one of these; its port does not matter. */
  allows(header: string | undefined): boolean {
    const [, bracketed, bare] = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9_.-]+))(?::\d{1,5})?$/i.exec(header ?? "") ?? [];
    const name = plain(bracketed ?? bare ?? "");
    if (name === "") return false;
    return this.names.has(name) || (this.allowsAddresses && isIP(name) !== 0);
  }

  /** Whether an `Origin` header is of a page that such a host gave. `null`, of a sandboxed frame or a file, is not. */
  allowsOrigin(origin: string): boolean {
    const [, host] = /^https?:\/\/([^/?#@\\]+)$/i.exec(origin) ?? [];
    return host !== undefined && this.allows(host);
  }
}

/** Whether this can be the value of `--allow-host`: a name or an address, without scheme, port or path. */
export function isHostName(text: string): boolean {
  return isIP(text) !== 0 || /^[a-z0-9_](?:[a-z0-9_.-]{0,251}[a-z0-9_])?$/i.test(text);
}

function plain(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}

/**
 * Why a request is not answered; nothing where it is well-formed and comes from an allowed host and origin. A server that has a list of
 * origins of its own allows `anyOrigin` here.
 */
export function refusalOf(
  request: IncomingMessage,
  hosts: AllowedHosts,
  methods: readonly string[],
  { anyOrigin = false } = {},
): Refusal | undefined {
  const { headers, rawHeaders, method = "", url = "" } = request;
  if (!hosts.allows(headers.host) || count(rawHeaders, "host") !== 1)
    return { status: 421, message: "this server is not asked by that name; its --allow-host takes further ones" };
  if (rawHeaders.length > 2 * MAX_HEADERS)
    return { status: 431, message: `a request has at most ${MAX_HEADERS} headers` };
  if (!anyOrigin && headers.origin !== undefined && !hosts.allowsOrigin(headers.origin))
    return { status: 403, message: "pages of other sites may not ask here" };
  if (!methods.includes(method)) return { status: 405, message: `methods: ${methods.join(", ")}` };
  if (url.length > MAX_URL) return { status: 414, message: `an address has at most ${MAX_URL} characters` };
  if (!url.startsWith("/")) return { status: 400, message: "the address of a request begins with /" };
  const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) !== 0;
  if (hasBody && (method === "GET" || method === "HEAD"))
    return { status: 400, message: `a ${method} request has no body` };
  return undefined;
}

function count(rawHeaders: readonly string[], name: string): number {
  return rawHeaders.filter((text, place) => place % 2 === 0 && text.toLowerCase() === name).length;
}

/** Answers with a sentence, or with `json`, and closes the connection: what else is on it is not to be read as another request. */
export function refuse(
  response: ServerResponse,
  { status, message }: Refusal,
  headers: Record<string, string>,
  json?: string,
): void {
  if (response.headersSent) return void response.destroy();
  const type = json === undefined ? "text/plain" : "application/json";
  response
    .writeHead(status, { ...headers, "content-type": `${type}; charset=utf-8`, connection: "close" })
    .end(response.req.method === "HEAD" ? undefined : (json ?? `${message}\n`));
}

/**
 * A server within limits. Whatever `answer` throws or a client sends, the process continues: a fault is answered with `failed`, or the
 * connection is closed. `limits` replaces some of them, for a server that limits bodies itself.
 */
export function guardedServer(
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  failed: (error: unknown, response: ServerResponse) => void,
  limits: Partial<typeof LIMITS> = {},
): Server {
  const server = createServer({ ...LIMITS, ...limits }, (request, response) => {
    request.on("error", () => {}); // a client that goes away
    response.on("error", () => {});
    answer(request, response).catch((error: unknown) => failed(error, response));
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.maxHeadersCount = 0; // no limit of Node's, which drops those that are beyond it without a word
  server.timeout = IDLE_MS;
  server.on("connection", (socket: Socket) => socket.on("error", () => {}));
  // There is nothing to switch to, and nowhere to tunnel to.
  for (const event of ["upgrade", "connect"] as const)
    server.on(event, (_request: IncomingMessage, socket: Socket) => end(socket, "400 Bad Request"));
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => end(socket, statusOf(error.code)));
  return server;
}

function statusOf(code: string | undefined): string {
  if (code === "HPE_HEADER_OVERFLOW") return "431 Request Header Fields Too Large";
  return code === "ERR_HTTP_REQUEST_TIMEOUT" ? "408 Request Timeout" : "400 Bad Request";
}

function end(socket: Socket, status: string): void {
  if (socket.writable && !socket.destroyed)
    socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  socket.destroySoon();
}
