/**
 * The server of shared indexes as a function from request to response: the same in a Worker and in Node. It identifies the client, serves the routes
 * of `routes.ts`, and passes queries on to the tools, each with the repositories that the principal may read.
 */

import { PortolanError } from "../errors.js";
import type { Request, Response } from "../platform.js";
import { requireRight, type Access, type Principal } from "./access.js";
import { BODY_LIMITS, bytesOf, drain, type BodyLimits } from "./body.js";
import { bucketOf, splitName, type ToolBucket } from "./bucket.js";
import { networkOf, type Limiter, type Rate } from "./limiter.js";
import { METHODS, methodsAt } from "./methods.js";
import { Metrics, routeOf } from "./metrics.js";
import { repositoryName } from "./names.js";
import { replyOfError, asError } from "./reply.js";
import { isShared, routed } from "./routes.js";
import { served } from "./serving.js";
import type { TokenEvent } from "./tokens.js";
import type { Versions } from "./versions.js";

/** A line of the audit log for a request. Its fields are chosen one by one, so that nothing secret can get into it. */
export interface AuditLine {
  /** ISO 8601. */
  readonly at: string;
  /** Name of the route, or `tools` and `mcp`. */
  readonly event: string;
  readonly method: string;
  readonly status: number;
  /** Code of the error. */
  readonly code?: string | undefined;
  /** Id of the token or rule. */
  readonly by: string;
  /** Of a job of CI. */
  readonly subject?: string | undefined;
  readonly repository?: string | undefined;
  readonly version?: string | undefined;
  readonly address?: string | undefined;
  readonly milliseconds: number;
}

/** A line of the audit log: a request, or a token that somebody made or revoked. */
export type AnyAuditLine = AuditLine | TokenEvent;

/** Answers queries from snapshots in a bucket: the Worker's own handler. */
export type Tools = (
  request: Request,
  bucket: ToolBucket,
  mayRead: (repository: string) => boolean,
  caller: Caller,
) => Promise<Response>;

/** The parts of a server of shared indexes. */
export interface SharedOptions {
  readonly versions: Versions;
  readonly access: Access;
  readonly limiter: Limiter;
  readonly tools: Tools;
  /** Objects that are no versions: models, and snapshots that were put into the bucket by hand. */
  readonly others?: ToolBucket | undefined;
  readonly audit: (line: AuditLine) => void;
  /** Told of errors that were not foreseen. */
  readonly complain: (error: unknown) => void;
  /** Origins of pages that may ask. */
  readonly origins: readonly string[];
  readonly limits?: BodyLimits;
  readonly rates?: { readonly principal: Rate; readonly stranger: Rate };
  /** Counts requests; without it the counts are of this process. */
  readonly metrics?: Metrics | undefined;
  /** Asked where a query names no repository. */
  readonly defaultRepository?: string | undefined;
  /** The document of `/openapi.json`; without it there is no such route. */
  readonly openapi?: string | undefined;
}

type Settled = Required<Pick<SharedOptions, "limits" | "rates">> & SharedOptions & { readonly metrics: Metrics };

/** Facts of a request that the host knows. */
export interface Caller {
  /** Its address, for limits and logs. */
  readonly address?: string | undefined;
  /** Passed on to the tools, such as the context of a Worker. */
  readonly context?: unknown;
}

const PER_MINUTE = 1200;

/** The rates where a token, or an address that asks without one, may make `per_minute` requests (default 1,200), half of them at once. */
export function ratesOf(per_minute: number | undefined): Required<SharedOptions>["rates"] {
  const allowed = per_minute !== undefined && per_minute >= 1 ? per_minute : PER_MINUTE;
  // Of an address whose tokens are refused.
  const stranger = { per_minute: 20, burst: 20 };
  return { principal: { per_minute: allowed, burst: Math.max(1, Math.ceil(allowed / 2)) }, stranger };
}

const HEADERS_TAKEN =
  "authorization, content-type, if-none-match, if-match, range, if-range, accept, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name";
const HEADERS_SHOWN = "etag, content-range, accept-ranges, retry-after, x-portolan-version, mcp-session-id";
const LONGEST_URL = 8192;
/** Bytes of a query's body; tools refuse more with their own limit, so one byte more than that is read. */
const MAX_TOOL_BODY = 1024 * 1024 + 1;

/** Makes the function. It never rejects. */
export function sharedServer(given: SharedOptions): (request: Request, caller?: Caller) => Promise<Response> {
  const metrics = given.metrics ?? new Metrics();
  const options: Settled = { limits: BODY_LIMITS, rates: ratesOf(undefined), ...given, metrics };
  return async (request, caller = {}) => {
    const started = Date.now();
    const seen: Seen = { event: "unknown", route: "other", by: "anonymous" };
    let response: Response;
    let code: string | undefined;
    try {
      response = await answered(request, caller, options, seen);
    } catch (error) {
      if (!(error instanceof PortolanError) || error.code.startsWith("store.")) options.complain(error);
      code = asError(error).code;
      await drain(request);
      response = replyOfError(error, {
        ...(seen.wait_s !== undefined && { "retry-after": String(seen.wait_s) }),
        ...(code === "request.method" && { allow: allowedAt(request).join(", ") }),
      });
    }
    const method = METHODS.some((known) => known === request.method) ? request.method : "?";
    const milliseconds = Date.now() - started;
    const { status } = response;
    const work = metrics.observe({ route: seen.route, method, status, milliseconds, repository: seen.repository });
    if (work) (caller.context as Waiting | undefined)?.waitUntil?.(work);
    options.audit({
      at: new Date(started).toISOString(),
      event: seen.event,
      method,
      status,
      ...(code !== undefined && { code }),
      by: seen.by,
      ...(seen.subject !== undefined && { subject: seen.subject }),
      ...(seen.repository !== undefined && { repository: seen.repository }),
      ...(seen.version !== undefined && { version: seen.version }),
      ...(caller.address !== undefined && { address: caller.address }),
      milliseconds,
    });
    return withCors(response, request, options.origins);
  };
}

/** The part of a Worker's context that is used. */
interface Waiting {
  waitUntil?(work: Promise<unknown>): void;
}

/** Known of a request so far, for the log. */
export interface Seen {
  event: string;
  /** As the metrics count it. */
  route: string;
  by: string;
  subject?: string;
  repository?: string;
  version?: string;
  wait_s?: number;
}

async function answered(request: Request, caller: Caller, options: Settled, seen: Seen): Promise<Response> {
  const origin = request.headers.get("origin");
  if (origin !== null && !options.origins.includes(origin) && !options.origins.includes("*"))
    throw new PortolanError("access.origin", "pages of this origin may not ask", "add it to the origins of the server");
  if (request.method === "OPTIONS") {
    seen.event = "options";
    return new globalThis.Response(null, {
      status: 204,
      headers: { allow: allowedAt(request).join(", ") },
    }) as Response;
  }
  if (request.url.length > LONGEST_URL)
    throw new PortolanError("request.too-large", `an address has at most ${LONGEST_URL} characters`, "send a POST");
  const url = new URL(request.url);
  seen.route = routeOf(url.pathname);
  const allowed = allowedAt(request);
  if (!allowed.includes(request.method))
    throw new PortolanError("request.method", "this method is not answered here", `methods: ${allowed.join(", ")}`);
  const isRead = ["GET", "HEAD"].includes(request.method);
  if (isRead && ["/healthz", "/v1/tools"].includes(url.pathname)) {
    seen.event = url.pathname === "/healthz" ? "health" : "tools";
    return passedOn(request, options, () => false, caller);
  }
  if (isRead && url.pathname === "/openapi.json" && options.openapi !== undefined) {
    seen.event = "openapi";
    return textReply(request, options.openapi, "application/json; charset=utf-8", "public, max-age=3600");
  }
  const principal = await identified(request, caller, options, seen);
  if (isRead && url.pathname === "/metrics") {
    seen.event = "metrics";
    const mayRead = (name: string) => principal.kind !== "anonymous" && principal.may("read", name);
    return textReply(request, await options.metrics.text(mayRead), METRICS_TYPE, "private, no-store");
  }
  if (isShared(url.pathname)) {
    const asked = routed(request.method, url.pathname);
    seen.event = asked.route.name;
    seen.route = asked.route.name;
    if (asked.repository !== "") seen.repository = asked.repository;
    const { scope } = asked.route;
    if (scope !== "any") requireRight(principal, scope, asked.repository);
    return served({ request, url, asked, principal, seen, versions: options.versions, limits: options.limits });
  }
  return ofTools(request, url, { principal, options, seen, caller });
}

/** The methods of a request's address; all of them where nothing is there, which is a fault of its own. */
function allowedAt({ url }: Request): readonly string[] {
  return methodsAt(new URL(url).pathname) ?? METHODS;
}

const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

function textReply({ method }: Request, text: string, type: string, cache: string): Response {
  const headers = { "content-type": type, "cache-control": cache, "x-content-type-options": "nosniff" };
  return new globalThis.Response(method === "HEAD" ? null : text, { headers }) as Response;
}

/** The principal of a request, within the limits. */
async function identified(
  request: Request,
  caller: Caller,
  { access, limiter, rates }: Settled,
  seen: Seen,
): Promise<Principal> {
  const address = networkOf(caller.address ?? "");
  const limited = async (key: string, rate: Rate) => {
    const wait_s = await limiter.take(key, rate);
    if (wait_s === 0) return;
    seen.wait_s = wait_s;
    throw new PortolanError("access.rate", "there were too many requests", `try again in ${wait_s} s`);
  };
  let principal: Principal;
  try {
    principal = await access.principal(request.headers.get("authorization"));
  } catch (error) {
    if (["access.token-invalid", "access.issuer"].includes((error as PortolanError).code))
      await limited(`stranger ${address}`, rates.stranger);
    throw error;
  }
  seen.by = principal.id;
  if (principal.subject !== undefined) seen.subject = principal.subject;
  await limited(principal.kind === "anonymous" ? `anonymous ${address}` : `token ${principal.id}`, rates.principal);
  return principal;
}

/** A query. `version=` asks another version than the current one. */
async function ofTools(
  request: Request,
  url: URL,
  { principal, options, seen, caller }: { principal: Principal; options: Settled; seen: Seen; caller: Caller },
): Promise<Response> {
  const mayRead = (name: string) => principal.may("read", splitName(name).repository);
  seen.event = url.pathname === "/mcp" ? "mcp" : "tools";
  const named = url.searchParams.get("repo") || (options.defaultRepository ?? "");
  if (named !== "" && named !== "*") {
    const { repository } = splitName(named);
    seen.repository = repository.slice(0, 200);
    requireRight(principal, "read", repository);
  } else if (principal.kind === "anonymous" && !(await hasPublic(principal, options.versions))) {
    requireRight(principal, "read", "");
  }
  // Read here, where a client that stalls is cut off.
  const body = request.method === "POST" ? await bytesOf(request, MAX_TOOL_BODY, options.limits) : undefined;
  const version = url.searchParams.get("version");
  if (version === null) return passedOn(body ? moved(request, url, body) : request, options, mayRead, caller);
  if (named === "" || named === "*")
    throw new PortolanError("request.parameter", "version: it needs `repo`", "name the repository");
  const { id } = await options.versions.version(repositoryName(named), version);
  seen.version = id;
  url.searchParams.delete("version");
  url.searchParams.set("repo", `${named}/_v.${id}`);
  return passedOn(moved(request, url, body), options, mayRead, caller);
}

async function hasPublic(principal: Principal, versions: Versions): Promise<boolean> {
  return principal.hasRights && (await versions.repositories()).some((name) => principal.may("read", name));
}

/** The same request at an address, with the body that was read of it. */
function moved({ method, headers, signal }: Request, url: URL, body: Uint8Array | undefined): Request {
  const init = { method, headers, signal, ...(body && { body }) } as RequestInit;
  return new globalThis.Request(url.href, init) as unknown as Request;
}

function passedOn(
  request: Request,
  { tools, versions, others }: SharedOptions,
  mayRead: (name: string) => boolean,
  caller: Caller,
): Promise<Response> {
  return tools(request, bucketOf(versions, mayRead, others), mayRead, caller);
}

function withCors(response: Response, request: Request, origins: readonly string[]): Response {
  const origin = request.headers.get("origin");
  const answer = response as unknown as globalThis.Response;
  const headers = new globalThis.Headers(answer.headers);
  for (const name of [...headers.keys()]) if (name.startsWith("access-control-")) headers.delete(name);
  headers.append("vary", "origin, authorization");
  if (origin !== null && (origins.includes(origin) || origins.includes("*"))) {
    headers.set("access-control-allow-origin", origins.includes(origin) ? origin : "*");
    headers.set("access-control-allow-methods", METHODS.join(", "));
    headers.set("access-control-allow-headers", HEADERS_TAKEN);
    headers.set("access-control-expose-headers", HEADERS_SHOWN);
    headers.set("access-control-max-age", "86400");
  }
  return new globalThis.Response(answer.body, { status: answer.status, headers }) as Response;
}
