/** A server of `http-guard.ts` that listens, and that answers with the types of the web: a `Request` in, a `Response` out. */

import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

import { PortolanError } from "../errors.js";

/** Where a server listens. */
export interface ListenOptions {
  /** 0 for any free one. */
  readonly port: number;
  readonly host: string;
}

/** A server that answers until it is closed. */
export interface OpenServer {
  /** Scheme, host and port, without a path. */
  readonly url: string;
  /** Ends open connections, too. */
  close(): Promise<void>;
}

/** Listens. Rejects with `serve.failed` where the port is taken. */
export async function listenOn(server: Server, { port, host }: ListenOptions): Promise<OpenServer> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const inUse = error.code === "EADDRINUSE";
      const help = inUse ? "name another with --port, or 0 for any free port" : "";
      reject(
        new PortolanError("serve.failed", inUse ? `port ${port} is taken` : error.message, help, { cause: error }),
      );
    });
    server.listen(port, host, () => {
      // From here on a fault is one of accepting a connection: there may be no descriptor left for it, while open ones go on.
      server.removeAllListeners("error").on("error", () => {});
      resolve();
    });
  });
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${taken}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Answers a request by a handler of web requests, with further headers. The request is aborted when the client goes away. */
export async function answerWith(
  request: IncomingMessage,
  response: ServerResponse,
  handle: (request: Request) => Promise<Response>,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const { method = "GET", url = "/" } = request;
  const hasBody = !["GET", "HEAD"].includes(method);
  const given = Object.entries(request.headers).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value]] : [],
  );
  const answer = await handle(
    new Request(new URL(url, "http://localhost"), {
      method,
      headers: Object.fromEntries(given) as Record<string, string>,
      signal: gone.signal,
      ...(hasBody && { body: Readable.toWeb(request) as never, duplex: "half" }),
    } as RequestInit),
  );
  // A body that was not read to its end would be taken for the next request.
  if (!request.complete) response.setHeader("connection", "close");
  response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), ...headers });
  if (answer.body && method !== "HEAD") await pipeline(Readable.fromWeb(answer.body as never), response);
  else response.end();
}
