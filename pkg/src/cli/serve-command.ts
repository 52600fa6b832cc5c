/**
 * `portolan serve`: a small file server for a built page, as plain as those of static hosts: no rewriting, so that what works here
 * works there. It listens on this machine only, unless told otherwise; see `http-guard.ts` for who may ask.
 */

import { realpathSync, statSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";

import { PortolanError } from "../errors.js";
import { AllowedHosts, guardedServer, isHostName, refusalOf, refuse } from "../node/http-guard.js";
import { namesIn, openInside, statusOfFault, type ServedFile } from "../node/served-file.js";
import { listenOn } from "../node/web-server.js";
import { UsageError, wholeNumber, type Command } from "../commands/options.js";
import { PAGE_HEADERS } from "./page-headers.js";

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
};

const METHODS = ["GET", "HEAD"];

/** The folder that is served, and to whom. */
interface Site {
  /** A real path. */
  readonly folder: string;
  readonly base: string;
  readonly hosts: AllowedHosts;
}

export async function serve({ operands, options }: Command): Promise<void> {
  const given = resolve(operands[0] ?? "site");
  const port = wholeNumber(options.port, "port", 0) ?? 8080;
  const base = basePath(options["base-path"]);
  const host = options.host ?? "127.0.0.1";
  const allowed = options["allow-host"] ?? [];
  for (const name of allowed)
    if (!isHostName(name)) throw new UsageError(`--allow-host expects a name or an address, not "${name}"`);
  if (statSync(join(given, "index.html"), { throwIfNoEntry: false })?.isFile() !== true) {
    throw new PortolanError("input.unreadable", `${given} has no page`, "build one with `portolan build`");
  }
  const site: Site = { folder: realpathSync(given), base, hosts: new AllowedHosts(host, allowed) };
  const server = guardedServer((request, response) => answer(request, response, site), failed);
  const open = await listenOn(server, { port, host });
  process.stdout.write(`${open.url}${base}\n`);
  await new Promise<void>((resolve) => {
    const stop = () => void open.close().then(resolve);
    process.once("SIGINT", stop);
    process.once("SIGTERM", stop);
  });
}

function basePath(given: string | undefined): string {
  if (given === undefined) return "/";
  if (!/^\/([\w.~-]+\/)*$/.test(given))
    throw new UsageError(`--base-path must begin and end with /, such as /docs/code/, not "${given}"`);
  return given;
}

async function answer(request: IncomingMessage, response: ServerResponse, site: Site): Promise<void> {
  const { url = "/", method = "GET" } = request;
  const refusal = refusalOf(request, site.hosts, METHODS);
  if (refusal)
    return refuse(response, refusal, { ...PAGE_HEADERS, ...(refusal.status === 405 && { allow: METHODS.join(", ") }) });
  // As static hosts do: relative addresses of the page need the stroke at the end.
  if (`${url}/` === site.base)
    return void response.writeHead(308, { ...PAGE_HEADERS, location: site.base, "content-length": 0 }).end();
  const [path = ""] = url.split(/[?#]/, 1);
  const names = path.startsWith(site.base) ? namesIn(path.slice(site.base.length)) : undefined;
  const file = names && (await openInside(site.folder, names));
  if (!names || !file) return void missing(response);
  try {
    await send(file, names.at(-1) as string, request.headers.range, response, method === "HEAD");
  } finally {
    await file.handle.close();
  }
}

async function send(
  { handle, n_bytes }: ServedFile,
  name: string,
  asked: string | undefined,
  response: ServerResponse,
  isHead: boolean,
): Promise<void> {
  const range = rangeOf(asked, n_bytes);
  if (range === "none")
    return void response
      .writeHead(416, { ...PAGE_HEADERS, "content-range": `bytes */${n_bytes}`, "content-length": 0 })
      .end();
  const { start, end } = range ?? { start: 0, end: n_bytes - 1 };
  const length = end - start + 1;
  response.writeHead(range ? 206 : 200, {
    ...PAGE_HEADERS,
    "content-type": TYPES[extname(name)] ?? "application/octet-stream",
    "cache-control": "no-cache",
    "accept-ranges": "bytes",
    ...(range && { "content-range": `bytes ${start}-${end}/${n_bytes}` }),
    "content-length": length,
  });
  if (isHead || length === 0) return void response.end();
  const bytes = handle.createReadStream({ start, end });
  await pipeline(bytes, response, { end: false });
  // A file that got shorter meanwhile: what would follow on this connection would be taken for the rest of it.
  if (bytes.bytesRead === length) response.end();
  else response.destroy();
}

function missing(response: ServerResponse): void {
  const text = "there is no such file\n";
  response.writeHead(404, {
    ...PAGE_HEADERS,
    "content-type": "text/plain; charset=utf-8",
    "content-length": text.length,
  });
  response.end(response.req.method === "HEAD" ? undefined : text);
}

const FAULTS: Record<number, string> = {
  403: "the system refused to read this file",
  500: "this file cannot be read",
  503: "too many open files; retry in a second",
};

function failed(error: unknown, response: ServerResponse): void {
  if (response.headersSent || response.destroyed) return void response.destroy();
  const status = statusOfFault(error);
  if (status === 404) return void missing(response);
  const headers = { ...PAGE_HEADERS, ...(status === 503 && { "retry-after": "1" }) };
  refuse(response, { status, message: FAULTS[status] ?? "" }, headers);
}

/** One range of bytes, inclusive; a list of several is answered with the whole file, as the standard allows. */
function rangeOf(header: string | undefined, size: number): { start: number; end: number } | "none" | undefined {
  const [, from = "", to = ""] = /^bytes=(\d*)-(\d*)$/.exec(header ?? "") ?? [];
  if (from === "" && to === "") return undefined;
  const start = from === "" ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === "" || to === "" ? size - 1 : Math.min(Number(to), size - 1);
  return start > end || start >= size ? "none" : { start, end };
}
