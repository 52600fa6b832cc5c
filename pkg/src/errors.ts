/**
 * Errors: one class, with a code that programs can match and a message that people can read.
 *
 * Codes are `area.reason` and never change: `snapshot.checksum`, `symbol.not-found`, `storage.quota`, `grammar.load`.
 */

import type { ErrorBody } from "../wasm/reader.js";

/** Code of the error of an index that its owner is making again. */
export const RESTARTING = "index.restarting";

/** The one error this package throws. Where a signal cancelled the work its code is `aborted` and its name `AbortError`. */
export class PortolanError extends Error {
  /** `area.reason`, the same for ever. */
  readonly code: string;
  /** The remedy; empty where there is none. */
  readonly help: string;

  constructor(code: string, message: string, help = "", options?: ErrorOptions) {
    super(message, options);
    this.name = "PortolanError";
    this.code = code;
    this.help = help;
  }
}

/** The error in the form that crosses a worker boundary. */
export function toBody(error: unknown): ErrorBody {
  if (error instanceof PortolanError) return { code: error.code, message: error.message, help: error.help };
  if (isOfSystem(error)) return toBody(ofSystem(error));
  if (isBody(error)) return { code: error.code, message: error.message, help: error.help ?? "" };
  if (isAbort(error)) return { code: ABORTED, message: "cancelled", help: "" };
  if (isMismatch(error)) return toBody(stale(MISMATCH, error));
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { code: isTrap(error) ? "internal.trap" : "internal", message, help: "" };
}

const ABORTED = "aborted";

/** The error of cancelled work; `reason` is the signal's. */
export function abortError(reason?: unknown): PortolanError {
  const error = new PortolanError(ABORTED, "cancelled", "", { cause: reason });
  error.name = "AbortError";
  return error;
}

/** The error of questions to an index after its `close()`. */
export function closed(cause?: unknown): PortolanError {
  const options = cause === undefined ? undefined : { cause };
  return new PortolanError("index.closed", "the index was closed", "open it again, or close it later", options);
}

// wasm-bindgen's words for a call on an object that was freed, for example while its model was still being loaded.
const FREED = "null pointer passed to rust";

/** Whatever was thrown, as an error to throw on. */
export function fromThrown(thrown: unknown): PortolanError {
  if (thrown instanceof PortolanError) return thrown;
  if (thrown instanceof Error && thrown.message === FREED) return closed(thrown);
  if (isAbort(thrown)) return abortError(thrown);
  if (isMismatch(thrown)) return stale(MISMATCH, thrown);
  if (isOfSystem(thrown)) return ofSystem(thrown);
  if (isBody(thrown)) {
    if (thrown.code === ABORTED) return abortError();
    return new PortolanError(thrown.code, thrown.message, thrown.help, { cause: thrown });
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new PortolanError("internal", message, "", { cause: thrown });
}

/** The error of parts that come from different versions: a cache that still has one of them, or a page that was replaced while it was open. */
export function stale(message: string, cause: unknown): PortolanError {
  const help =
    "reload the page without its cache (Shift and the reload button); who serves it: replace all files together and empty the caches before them";
  return new PortolanError("asset.stale", message, help, { cause });
}

// JavaScript of one version and WebAssembly of another: one calls functions that the other does not have. Names of exports stay as they
// are when bundlers shorten all others.
const MISSING_EXPORT =
  /\.(?:(?:codeindex|parseworker|pendingembeddings|hiddensnapshot|staticmodel|onnx|pathkey|__)\w*|functionTable|highlightClasses|(?:open|close)Snapshot) is not a function/;

function isMismatch(error: unknown): error is Error {
  return error instanceof WebAssembly.LinkError || (error instanceof TypeError && MISSING_EXPORT.test(error.message));
}

const MISMATCH = "the JavaScript and the WebAssembly of Portolan are of different versions";

/** Whether work was cancelled by its signal. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}

/**
 * Whether a wasm instance broke: after a trap or a panic its memory is in an unknown state, so the instance must be
 * replaced, not used again.
 */
export function isTrap(error: unknown): boolean {
  return error instanceof WebAssembly.RuntimeError || error instanceof RangeError || isTerminated(error);
}

/** Whether an object was used that went with its instance. */
export function isOfEarlierInstance(error: unknown): boolean {
  return error instanceof Error && /stale object from previous/.test(error.message);
}

// wasm-bindgen refuses calls into an instance that panicked before, objects that a trap left borrowed, and those of an earlier instance;
// the refusal is a plain Error.
function isTerminated(error: unknown): boolean {
  return !(error instanceof PortolanError) && error instanceof Error && REFUSED.test(error.message);
}

const REFUSED =
  /terminated|unreachable|already borrowed|recursive use of an object|ownership of Rust value|stale object from previous/i;

interface SystemError extends Error {
  readonly code: string;
}

/** Node's errors of system calls have a code, too: the system's. */
function isOfSystem(error: unknown): error is SystemError {
  return error instanceof Error && "syscall" in error && "code" in error && typeof error.code === "string";
}

/** `storage.quota` where the disk is full, as in a browser that gives no more; else `host.failed`. */
function ofSystem(error: SystemError): PortolanError {
  const isFull = error.code === "ENOSPC" || error.code === "EDQUOT";
  const help = isFull ? "free some space, or name a place on another disk" : "";
  return new PortolanError(isFull ? "storage.quota" : "host.failed", error.message, help, { cause: error });
}

function isBody(value: unknown): value is ErrorBody {
  return (
    typeof value === "object" &&
    value !== null &&
    "code" in value &&
    "message" in value &&
    typeof value.code === "string"
  );
}
