/**
 * Fetches one file from one address, within limits: a server that stalls, sends without end or redirects elsewhere
 * costs an error, not the client's memory or time.
 */

import { joined } from "../bytes.js";
import { PortolanError } from "../errors.js";

/** Limits of one answer. */
export interface FetchLimits {
  /** Milliseconds without a byte after which the server counts as gone. */
  readonly stallMs: number;
  /** Bytes of a file that is sent as a whole. */
  readonly maxBytes: number;
}

/** How to ask, where redirects to other hosts matter. */
export interface Asking {
  /** Headers by address: those for one host are sent to no other. */
  headers(url: string): Record<string, string>;
  /** Throws where an address must not be asked; called before each request, and again for the end of a redirect. */
  check(url: string): void;
  /** Ends the request. */
  readonly signal: AbortSignal;
}

/** Thirty seconds, and 2 GiB. */
export const FETCH_LIMITS: FetchLimits = { stallMs: 30_000, maxBytes: 2 ** 31 };

/** Redirects that are followed. */
const MAX_REDIRECTS = 5;

/** An answer whose head has come. */
export interface Answer {
  readonly response: Response;
  /** All of its body, which must not be longer than `most` bytes. Rejects with `remote.too-large`, `remote.stalled`, `remote.failed`. */
  bytes(most: number): Promise<Uint8Array>;
  /** Nothing of the body is wanted. */
  cancel(): void;
}

/** Asks for an address. Rejects with `remote.stalled`, `remote.redirect`, `remote.failed`. */
export async function fetchWithin(
  fetcher: typeof fetch,
  url: string,
  headers: Record<string, string> | Asking,
  limits: FetchLimits,
): Promise<Answer> {
  const ending = new AbortController();
  const asking: Asking = isAsking(headers)
    ? { ...headers, signal: AbortSignal.any([headers.signal, ending.signal]) }
    : { headers: () => headers, check: () => {}, signal: ending.signal };
  const patience = new Patience(url, limits.stallMs, () => ending.abort());
  try {
    const response = await patience.wait(followed(fetcher, url, asking));
    return {
      response,
      bytes: (most) => bodyOf(response, url, most, patience).finally(() => ending.abort()),
      cancel: () => ending.abort(),
    };
  } catch (error) {
    ending.abort();
    throw failed(url, error);
  }
}

function isAsking(headers: Record<string, string> | Asking): headers is Asking {
  return typeof headers.check === "function";
}

/** The answer behind redirects, each of which is looked at before it is followed. */
async function followed(fetcher: typeof fetch, url: string, asking: Asking): Promise<Response> {
  let address = url;
  for (let n = 0; n <= MAX_REDIRECTS; n++) {
    asking.check(address);
    const init = { headers: asking.headers(address), signal: asking.signal };
    const response = await fetcher(address, { ...init, redirect: "manual" });
    if (response.type === "opaqueredirect") {
      // A browser does not say where to. It follows by its own rules, and refuses mixed contents itself.
      if ("authorization" in init.headers)
        throw redirectError(`${address} leads elsewhere, and a token must not follow it there`);
      const end = await fetcher(address, init);
      checkRedirect(address, end.url || address);
      asking.check(end.url || address);
      return end;
    }
    const location = response.status >= 300 && response.status < 400 ? response.headers.get("location") : null;
    if (location === null) return response;
    await response.body?.cancel();
    const next = URL.canParse(location, address) ? new URL(location, address).href : undefined;
    if (next === undefined) throw redirectError(`${address} leads to ${JSON.stringify(location)}, which is no address`);
    checkRedirect(address, next);
    address = next;
  }
  throw redirectError(`${url} leads on more than ${MAX_REDIRECTS} times`);
}

/** Refuses redirects from a protected URL to an open one, or from the internet into the client's network. */
function checkRedirect(from: string, to: string): void {
  if (!URL.canParse(from)) return;
  const [before, after] = [new URL(from), new URL(to)];
  if (after.protocol !== "https:" && after.protocol !== before.protocol)
    throw redirectError(`${from} leads to ${after.protocol}//${after.host}, which is not https`);
  if (isPrivate(after.hostname) && !isPrivate(before.hostname))
    throw redirectError(`${from} leads to ${after.host}, which is in a private network`);
}

function redirectError(message: string): PortolanError {
  return new PortolanError("remote.redirect", message, "give the address that it should lead to, if you trust it");
}

/** Whether a name or number is one of the machine itself or of a private network. */
export function isPrivate(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/^\[|\]$/g, "");
  if (/(^|\.)(localhost|local|internal|home\.arpa)$/.test(host)) return true;
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(host);
  const numbers = mapped
    ? mapped.slice(1, 3).flatMap((part) => [parseInt(part, 16) >> 8, parseInt(part, 16) & 255])
    : /^\d+\.\d+\.\d+\.\d+$/.test(host)
      ? host.split(".").map(Number)
      : undefined;
  if (!numbers) return /^(::1?|f[cd][0-9a-f]{2}:.*|fe[89ab][0-9a-f]:.*)$/.test(host);
  const [a, b] = numbers as [number, number];
  if ([0, 10, 127].includes(a)) return true;
  return (
    (a === 169 && b === 254) ||
    (a === 172 && b >= 16 && b < 32) ||
    (a === 192 && b === 168) ||
    (a === 100 && b >= 64 && b < 128)
  );
}

async function bodyOf(response: Response, url: string, most: number, patience: Patience): Promise<Uint8Array> {
  const flood = () =>
    new PortolanError("remote.too-large", `${url} sends more than the ${most} bytes that are wanted of it`, "");
  const announced = Number(response.headers.get("content-length") ?? 0);
  // A compressed answer announces its compressed length.
  if (announced > most) throw flood();
  const pieces: Uint8Array[] = [];
  let n_bytes = 0;
  const reader = response.body?.getReader();
  try {
    while (reader) {
      const { done, value } = await patience.wait(reader.read());
      if (done) break;
      n_bytes += value.length;
      if (n_bytes > most) throw flood();
      pieces.push(value);
    }
  } catch (error) {
    throw failed(url, error);
  }
  const [only] = pieces;
  return only && pieces.length === 1 ? only : joined(pieces);
}

/** Waits for each piece only so long. */
class Patience {
  constructor(
    private readonly url: string,
    private readonly stallMs: number,
    private readonly end: () => void,
  ) {}

  async wait<T>(next: Promise<T>): Promise<T> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stalled = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        const message = `${this.url} has sent nothing for ${this.stallMs / 1000} s`;
        reject(new PortolanError("remote.stalled", message, "try again, or download the file and open its bytes"));
        this.end();
      }, this.stallMs);
    });
    try {
      return await Promise.race([next, stalled]);
    } finally {
      clearTimeout(timer);
    }
  }
}

function failed(url: string, error: unknown): PortolanError {
  if (error instanceof PortolanError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new PortolanError("remote.failed", `${url} cannot be fetched: ${reason}`, "", { cause: error });
}
