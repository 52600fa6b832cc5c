/** Answers of the server: JSON, and the one place that maps an error's code to a status. */

import { fromThrown, PortolanError } from "../errors.js";
import type { Response as PlatformResponse } from "../platform.js";

/** Headers of every answer. */
const HEADERS = {
  "content-type": "application/json; charset=utf-8",
  "cache-control": "private, no-store",
  "x-content-type-options": "nosniff",
};

/** A response in JSON, or without a body. */
export function reply(status: number, value: unknown, headers: Record<string, string> = {}): PlatformResponse {
  const text = value === undefined ? null : JSON.stringify(value);
  return new Response(text, { status, headers: { ...HEADERS, ...headers } }) as PlatformResponse;
}

const STATUS: Record<string, number> = {
  "access.token-missing": 401,
  "access.token-invalid": 401,
  "access.scope": 403,
  "access.origin": 403,
  "access.rate": 429,
  "access.issuer": 503,
  "request.route": 404,
  "request.method": 405,
  "request.timeout": 408,
  "request.length-missing": 411,
  "request.too-large": 413,
  "request.range": 416,
  "repository.unknown": 404,
  "version.unknown": 404,
  "version.gone": 410,
  "version.conflict": 409,
  "version.current": 409,
  "version.too-many": 409,
  "version.digest": 422,
  "version.invalid": 422,
  "version.busy": 503,
  "store.conflict": 409,
  "store.failed": 502,
};

/** Returns the HTTP status of an error's code. */
export function statusOf(code: string): number {
  const area = code.split(".", 1)[0] as string;
  return STATUS[code] ?? (["request", "repository", "version"].includes(area) ? 400 : 500);
}

/** An error as an answer. Of one that was not foreseen nothing is told but that it happened: its message may hold anything. */
export function replyOfError(thrown: unknown, headers: Record<string, string> = {}): PlatformResponse {
  const { code, message, help } = asError(thrown);
  const status = statusOf(code);
  return reply(
    status,
    { code, message, help },
    {
      ...(status === 401 && { "www-authenticate": 'Bearer realm="portolan"' }),
      ...(status === 503 && { "retry-after": "1" }),
      ...headers,
    },
  );
}

/** The error as it is told. */
export function asError(thrown: unknown): PortolanError {
  const error = fromThrown(thrown);
  if (thrown instanceof PortolanError && error.code !== "store.failed") return error;
  if (error.code === "store.failed")
    // Messages of a store can name hosts and folders.
    return new PortolanError("store.failed", "the storage did not answer", "try again in a second");
  return new PortolanError("internal.error", "the request could not be answered", "the log of the server says why");
}
