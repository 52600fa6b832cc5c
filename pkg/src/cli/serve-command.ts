/**
 * `portolan serve`: a small file server for a built page, as plain as those of static hosts: no rewriting, so that what works here
 * works there. It listens on this machine only, unless told otherwise.
 */

import { createReadStream, statSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize, resolve, sep } from "node:path";

import { PortolanError } from "../errors.js";
import { UsageError, wholeNumber, type Command } from "./options.js";

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
};

export async function serve({ operands, options }: Command): Promise<void> {
  const folder = resolve(operands[0] ?? "site");
  const port = wholeNumber(options.port, "port", 0) ?? 8080;
  const base = basePath(options["base-path"]);
  if (statSync(join(folder, "index.html"), { throwIfNoEntry: false })?.isFile() !== true) {
    throw new PortolanError("input.unreadable", `${folder} holds no page`, "make one with `portolan build`");
  }
  const host = options.host ?? "127.0.0.1";
  const server = createServer((request, response) => answer(request, response, folder, base));
  await listening(server, port, host);
  const { port: taken } = server.address() as AddressInfo;
  process.stdout.write(`http://${host.includes(":") ? `[${host}]` : host}:${taken}${base}\n`);
  await new Promise<void>((resolve) => {
    const stop = () => {
      server.close(() => resolve());
      server.closeAllConnections();
    };
    process.once("SIGINT", stop);
    process.once("SIGTERM", stop);
  });
}

function basePath(given: string | undefined): string {
  if (given === undefined) return "/";
  if (!/^\/([\w.~-]+\/)*$/.test(given))
    throw new UsageError(`--base-path begins and ends with /, as /docs/code/, unlike "${given}"`);
  return given;
}

function listening(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const inUse = error.code === "EADDRINUSE";
      reject(
        new PortolanError(
          "serve.failed",
          inUse ? `port ${port} is taken` : error.message,
          inUse ? "name another with --port, or 0 for any that is free" : "",
          { cause: error },
        ),
      );
    });
    server.listen(port, host, resolve);
  });
}

function answer(request: IncomingMessage, response: ServerResponse, folder: string, base: string): void {
  // As static hosts do: relative addresses of the page need the stroke at the end.
  if (`${request.url}/` === base) return void response.writeHead(308, { location: base }).end();
  const file =
    request.method === "GET" || request.method === "HEAD" ? fileOf(request.url ?? "/", folder, base) : undefined;
  const stats = file === undefined ? undefined : statSync(file, { throwIfNoEntry: false });
  if (file === undefined || stats?.isFile() !== true)
    return void response.writeHead(404, { "content-type": "text/plain; charset=utf-8" }).end("there is no such file\n");
  const headers = {
    "content-type": TYPES[extname(file)] ?? "application/octet-stream",
    "cache-control": "no-cache",
    "accept-ranges": "bytes",
    "x-content-type-options": "nosniff",
  };
  const range = rangeOf(request.headers.range, stats.size);
  if (range === "none") return void response.writeHead(416, { "content-range": `bytes */${stats.size}` }).end();
  const { start, end } = range ?? { start: 0, end: stats.size - 1 };
  const part = range ? { "content-range": `bytes ${start}-${end}/${stats.size}` } : {};
  response.writeHead(range ? 206 : 200, { ...headers, ...part, "content-length": Math.max(0, end - start + 1) });
  if (request.method === "HEAD" || stats.size === 0) response.end();
  else
    createReadStream(file, { start, end })
      .on("error", () => response.destroy())
      .pipe(response);
}

/** The file that a request names; nothing where it leads out of the folder or lies outside of the base path. */
function fileOf(url: string, folder: string, base: string): string | undefined {
  let path: string;
  try {
    path = decodeURIComponent(url.split(/[?#]/, 1)[0] as string);
  } catch {
    return undefined;
  }
  if (!path.startsWith(base) || path.includes("\0") || path.includes("\\")) return undefined;
  const file = normalize(join(folder, path.slice(base.length)));
  if (file !== folder && !file.startsWith(folder + sep)) return undefined;
  return path.endsWith("/") ? join(file, "index.html") : file;
}

/** One range of bytes, inclusive; a list of several is answered with the whole file, as the standard allows. */
function rangeOf(header: string | undefined, size: number): { start: number; end: number } | "none" | undefined {
  const [, from = "", to = ""] = /^bytes=(\d*)-(\d*)$/.exec(header ?? "") ?? [];
  if (from === "" && to === "") return undefined;
  const start = from === "" ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === "" || to === "" ? size - 1 : Math.min(Number(to), size - 1);
  return start > end || start >= size ? "none" : { start, end };
}
