/** Failures of models: which can be tried again, and after how long. */

import { isAbort, PortolanError } from "../errors.js";

/** The reason of a failure. */
export interface FailureAbout {
  readonly status?: number | undefined;
  /** As the host asked for, in milliseconds. */
  readonly retryAfter?: number | undefined;
  /** Whether the same request may succeed later. */
  readonly isTransient: boolean;
  readonly cause?: unknown;
}

/** A request to a model failed. */
export class ModelFailure extends PortolanError {
  readonly status: number | undefined;
  readonly retryAfter: number | undefined;
  readonly isTransient: boolean;

  constructor(code: string, message: string, help: string, about: FailureAbout) {
    super(code, message, help, { cause: about.cause });
    this.status = about.status;
    this.retryAfter = about.retryAfter;
    this.isTransient = about.isTransient;
  }
}

/** The parts of the SDK's error of a call that are read here. */
interface CallError {
  readonly statusCode?: number;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly message: string;
}

/** Whatever the SDK or the network threw, in words. `now` is in milliseconds since 1970. */
export function failureOf(thrown: unknown, model: string, host: string, now: number): unknown {
  if (thrown instanceof PortolanError || isAbort(thrown)) return thrown;
  const error: Error & Partial<CallError> = thrown instanceof Error ? thrown : new Error(wordsIn(thrown));
  const { statusCode: status, responseHeaders = {} } = error;
  const message = short(error.message);
  if (status === undefined) {
    // The SDK wraps what `fetch` threw.
    const isNetwork = /fetch|network|load failed|cannot connect|terminated|socket|econn/i.test(
      `${error.name} ${error.message} ${String((error.cause as Error | undefined)?.message ?? "")}`,
    );
    return new ModelFailure(
      isNetwork ? "chat.unreachable" : "chat.failed",
      isNetwork ? `${host} cannot be reached: ${message}` : `${model} failed: ${message}`,
      isNetwork
        ? "check the address and that the server runs; in a page it must also answer requests of other sites (CORS)"
        : "",
      { isTransient: true, cause: thrown },
    );
  }
  // The host began an answer and could not end it.
  if (status < 300) return brokenOff(model, thrown);
  if (status === 429 || status === 529)
    return new ModelFailure(
      "chat.limit",
      `${host} takes no more requests for now (${status})`,
      "wait, or set another model",
      {
        status,
        retryAfter: retryAfterOf(responseHeaders, now),
        isTransient: true,
        cause: thrown,
      },
    );
  if (status === 401 || status === 403)
    return new ModelFailure(
      "chat.refused",
      `${host} refuses the key (${status}): ${message}`,
      "check the key and the model's name",
      {
        status,
        isTransient: false,
        cause: thrown,
      },
    );
  return new ModelFailure("chat.failed", `${model} answered with status ${status}: ${message}`, "", {
    status,
    retryAfter: retryAfterOf(responseHeaders, now),
    isTransient: status >= 500 || status === 408,
    cause: thrown,
  });
}

/** A stream ended before its end. */
export function brokenOff(model: string, cause?: unknown): ModelFailure {
  return new ModelFailure("chat.broken", `the answer of ${model} broke off`, "ask again", { isTransient: true, cause });
}

/** An answer without end. The next model may do better, the same one would not. */
export function tooLong(model: string): ModelFailure {
  return new ModelFailure("chat.too-long", `the answer of ${model} is longer than any answer is`, "ask another model", {
    isTransient: false,
  });
}

/** `Retry-After` in seconds or as a date, and `retry-after-ms`; in milliseconds, at most a day. */
export function retryAfterOf(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const millis = Number(headers["retry-after-ms"]);
  if (headers["retry-after-ms"] !== undefined && millis >= 0) return Math.min(millis, 86_400_000);
  const text = headers["retry-after"]?.trim();
  if (text === undefined || text === "") return undefined;
  const seconds = Number(text);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(text) - now;
  return Number.isFinite(wait) ? Math.min(Math.max(0, wait), 86_400_000) : undefined;
}

function wordsIn(thrown: unknown): string {
  if (typeof thrown === "string") return thrown;
  const { message, error } = (thrown ?? {}) as { message?: unknown; error?: { message?: unknown } };
  const text = message ?? error?.message;
  return typeof text === "string" ? text : "it gave no reason";
}

// A host may answer with a page of HTML, or repeat the key in its words.
function short(text: string): string {
  const line = text
    .replace(/\s+/g, " ")
    .replace(/\b(sk|gsk|key)[-_][\w-]{8,}/gi, "$1-…")
    .trim();
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}
