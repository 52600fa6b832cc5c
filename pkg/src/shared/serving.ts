/** Serves the routes of shared indexes, each by one call of `Versions`. Rights were checked before. */

import { PortolanError } from "../errors.js";
import type { Request, Response } from "../platform.js";
import { requireRight, type Principal } from "./access.js";
import { bytesOf, chunksOf, jsonOf, lengthOf, type BodyLimits } from "./body.js";
import { PIECE } from "./cutter.js";
import { isDigest } from "./digest.js";
import type { Seen } from "./handler.js";
import { fieldsOf, hashOf, sourceOf, VERSION_LIMITS, versionRequest } from "./manifest.js";
import { deleteVersion, prune } from "./prune.js";
import { reply } from "./reply.js";
import type { Routed } from "./routes.js";
import { AT_ONCE, inParallel } from "./store.js";
import type { NearestCommit, PruneRequest, RepositoryEntry } from "./types.js";
import type { Versions } from "./versions.js";
import type { VirtualFile } from "./virtual-file.js";

/** A request whose principal may make it. */
export interface Asked {
  readonly request: Request;
  readonly url: URL;
  readonly asked: Routed;
  readonly principal: Principal;
  readonly seen: Seen;
  readonly versions: Versions;
  readonly limits: BodyLimits;
}

/** Commits of one request for the nearest version. */
const MAX_COMMITS = 5000;
/** Repositories of one list: each is a read, of which a request to a Worker may make 10,000. */
const MAX_LISTED = 1000;
const MAX_PRUNE = { keep: 5000, days: 36_500 } as const;

/** Answers a request that may do what it asks. */
export function served(asked: Asked): Promise<Response> {
  return (SERVES[asked.asked.route.name] as (asked: Asked) => Promise<Response>)(asked);
}

const SERVES: Record<string, (asked: Asked) => Promise<Response>> = {
  list_repositories: async ({ url, versions, principal }) => {
    // Where nothing is public, a list for nobody would be empty: it needs a token.
    if (!principal.hasRights) requireRight(principal, "read", "");
    const [limit, after] = [limitIn(url.searchParams), url.searchParams.get("after") ?? ""];
    const all = await versions.repositories();
    const behind = all.filter((name) => name > after && principal.may("read", name));
    const names = behind.slice(0, limit);
    const next = behind.length > names.length ? names.at(-1) : undefined;
    const repositories = await inParallel(names, AT_ONCE, async (name): Promise<RepositoryEntry> => {
      const { versions: all, current } = await versions.catalogue(name);
      const summary = all.find(({ id }) => id === current);
      return { name, ...(summary && { current: summary }), n_versions: all.length };
    });
    return reply(200, { repositories, ...(next !== undefined && { next }) });
  },

  put_index: async ({ request, url, asked, principal, seen, versions, limits }) => {
    const n_bytes = lengthOf(request);
    if (n_bytes === undefined)
      throw new PortolanError(
        "request.length-missing",
        "a Content-Length is missing",
        "send it, or use `portolan push`",
      );
    if (n_bytes > VERSION_LIMITS.n_bytes)
      throw new PortolanError(
        "request.too-large",
        `an index has at most ${VERSION_LIMITS.n_bytes} bytes`,
        "index less",
      );
    const times = { stall_ms: limits.stall_ms, total_ms: limits.file_ms };
    const source = sourceOf(sourceIn(url.searchParams));
    const isSwitched = switchIn(url.searchParams);
    const addition = { source, isSwitched, by: principal.id };
    const offer = await versions.addFile(asked.repository, n_bytes, chunksOf(request, n_bytes, times), addition);
    if (offer.version) seen.version = offer.version.id;
    return reply(offer.is_new ? 201 : 200, offer);
  },

  delete_repository: async ({ asked, versions }) => {
    await versions.remove(asked.repository);
    return reply(204, undefined);
  },

  get_index: async ({ request, url, asked, seen, versions }) => {
    const { id } = await versions.version(asked.repository, url.searchParams.get("version") ?? "current");
    seen.version = id;
    return fileReply(request, await versions.file(asked.repository, id));
  },

  list_versions: async ({ asked, versions }) => {
    const { current, versions: all } = await versions.catalogue(asked.repository);
    return reply(200, { repository: asked.repository, ...(current !== undefined && { current }), versions: all });
  },

  add_version: async ({ request, asked, principal, seen, versions, limits }) => {
    const wanted = versionRequest(await jsonOf(request, limits));
    const offer = await versions.offer(asked.repository, wanted, principal.id);
    if (offer.version) seen.version = offer.version.id;
    return reply(offer.missing.length > 0 ? 202 : offer.is_new ? 201 : 200, offer);
  },

  get_version: async ({ asked, seen, versions }) => {
    const { id, source } = await versions.version(asked.repository, asked.part);
    seen.version = id;
    // Tags may have been added since it was stored.
    return reply(200, { ...(await versions.manifest(asked.repository, id)), source });
  },

  delete_version: async ({ asked, versions }) =>
    reply(200, await deleteVersion(versions, asked.repository, asked.part, Date.now())),

  put_piece: async ({ request, asked, versions, limits }) => {
    if (!isDigest(asked.part))
      throw new PortolanError(
        "request.route",
        "a piece is named by its SHA-256",
        "64 hexadecimal digits in lower case",
      );
    await versions.putPiece(asked.repository, asked.part, await bytesOf(request, PIECE.most, limits));
    return reply(204, undefined);
  },

  nearest_version: async ({ request, asked, versions, limits }) => {
    const { commits } = fieldsOf(await jsonOf(request, limits), "the request");
    if (!Array.isArray(commits) || commits.length > MAX_COMMITS)
      throw new PortolanError("request.invalid", `commits: expected a list of at most ${MAX_COMMITS}`, "");
    return reply(200, await versions.nearest(asked.repository, commits.map(commitOf)));
  },

  switch_version: async ({ request, asked, principal, seen, versions, limits }) => {
    const { version } = fieldsOf(await jsonOf(request, limits), "the request");
    if (typeof version !== "string" || version.length > 200)
      throw new PortolanError("request.invalid", "version: expected an id, a commit, a tag or `previous`", "");
    const summary = await versions.switchTo(asked.repository, version, principal.id);
    seen.version = summary.id;
    return reply(200, summary);
  },

  prune_versions: async ({ request, asked, versions, limits }) =>
    reply(200, await prune(versions, asked.repository, rulesOf(await jsonOf(request, limits)), Date.now())),
};

function limitIn(params: URLSearchParams): number {
  const given = params.get("limit") ?? String(MAX_LISTED);
  const limit = /^\d{1,4}$/.test(given) ? Number(given) : 0;
  if (limit >= 1 && limit <= MAX_LISTED) return limit;
  throw new PortolanError("request.parameter", `limit: expected 1 to ${MAX_LISTED}`, "");
}

function switchIn(params: URLSearchParams): boolean {
  const given = params.get("switch") ?? "true";
  if (given === "true" || given === "false") return given === "true";
  throw new PortolanError("request.parameter", "switch: expected true or false", "");
}

function sourceIn(params: URLSearchParams): Record<string, unknown> {
  const one = (name: string) => params.get(name) ?? undefined;
  const all = (name: string) => (params.has(name) ? params.getAll(name) : undefined);
  return { commit: one("commit"), tree: one("tree"), ref: one("ref"), parents: all("parent"), tags: all("tag") };
}

function commitOf(value: unknown, at: number): NearestCommit {
  const { commit, tree } = fieldsOf(value, `commits[${at}]`);
  return { commit: hashOf(commit, `commits[${at}].commit`), tree: hashOf(tree, `commits[${at}].tree`) };
}

function rulesOf(value: unknown): PruneRequest {
  const { keep, days, tagged, dry_run } = fieldsOf(value, "the rules");
  const invalid = (what: string) => new PortolanError("request.invalid", what, "");
  const count = (given: unknown, name: "keep" | "days") => {
    if (given === undefined) return {};
    if (!Number.isSafeInteger(given) || (given as number) < 0 || (given as number) > MAX_PRUNE[name])
      throw invalid(`${name}: expected 0 to ${MAX_PRUNE[name]}`);
    return { [name]: given as number };
  };
  const flag = (given: unknown, name: string) => {
    if (given === undefined) return {};
    if (typeof given !== "boolean") throw invalid(`${name}: expected true or false`);
    return { [name]: given };
  };
  return { ...count(keep, "keep"), ...count(days, "days"), ...flag(tagged, "tagged"), ...flag(dry_run, "dry_run") };
}

/** The file of a version: whole, a range of it, or nothing where the client has it. */
function fileReply(request: Request, file: VirtualFile): Response {
  const etag = `"${file.manifest.id}"`;
  const headers: Record<string, string> = {
    "content-type": "application/octet-stream",
    "cache-control": "private, no-cache",
    "x-content-type-options": "nosniff",
    "accept-ranges": "bytes",
    "last-modified": new Date(file.manifest.made_at).toUTCString(),
    "x-portolan-version": file.manifest.id,
    etag,
  };
  const tags = (header: string | null) => (header ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  if (tags(request.headers.get("if-none-match")).some((tag) => tag === etag || tag === "*"))
    return answer(null, 304, headers);
  const wanted = tags(request.headers.get("if-match"));
  if (request.headers.has("if-match") && !wanted.some((tag) => tag === etag || tag === "*"))
    return reply(412, { code: "version.changed", message: "another version is current now", help: "open it again" });
  // A range of another version is of no use to the client: it gets the whole file.
  const ifRange = request.headers.get("if-range");
  const range = ifRange !== null && ifRange !== etag ? undefined : rangeOf(request.headers.get("range"), file.n_bytes);
  if (range === "none")
    return reply(
      416,
      { code: "request.range", message: "the file has no such range", help: `it has ${file.n_bytes} bytes` },
      { "content-range": `bytes */${file.n_bytes}` },
    );
  const { offset, length } = range ?? { offset: 0, length: file.n_bytes };
  headers["content-length"] = String(length);
  if (range) headers["content-range"] = `bytes ${offset}-${offset + length - 1}/${file.n_bytes}`;
  const body = request.method === "HEAD" ? null : streamOf(file.read({ offset, length }));
  return answer(body, range ? 206 : 200, headers);
}

function answer(body: ReadableStream | null, status: number, headers: Record<string, string>): Response {
  return new globalThis.Response(body, { status, headers }) as Response;
}

/** One range of bytes; a list of several, or what is no range, is answered with the whole file, as the standard allows. */
export function rangeOf(
  header: string | null,
  n_bytes: number,
): { offset: number; length: number } | "none" | undefined {
  const [, from = "", to = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? "") ?? [];
  if (from === "" && to === "") return undefined;
  const start = from === "" ? Math.max(0, n_bytes - Number(to)) : Number(from);
  const end = from === "" || to === "" ? n_bytes : Math.min(Number(to) + 1, n_bytes);
  return start >= end ? "none" : { offset: start, length: end - start };
}

/** A stream that reads no faster than it is read from. */
export function streamOf(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  const source = {
    async pull(controller: ReadableStreamDefaultController<Uint8Array>) {
      try {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        controller.error(error);
      }
    },
    async cancel() {
      await chunks.return(undefined);
    },
  };
  return new ReadableStream(source, { highWaterMark: 0 });
}
