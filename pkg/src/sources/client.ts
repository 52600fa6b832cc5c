/**
 * Every request of a source goes through here: to hosts that are allowed, a token to its own host only, within budgets of bytes and time, and
 * at the pace that the host asks for.
 */

import { abortError, isAbort, PortolanError } from "../errors.js";
import type { AbortSignal, Fetch, Headers, Response } from "../platform.js";
import { fetchWithin, isPrivate } from "../reading/fetching.js";
import { sleep } from "../sleep.js";
import type { SourceSettings, SourceWait } from "../types.js";

/** The signal of a run, its events, and the function that fetches. */
export interface ClientEvents {
  readonly signal: AbortSignal;
  readonly onWait?: ((wait: SourceWait) => void) | undefined;
  readonly fetcher?: Fetch | undefined;
}

/** A whole answer. */
export interface Fetched {
  readonly bytes: Uint8Array;
  readonly headers: Headers;
  /** The end of its redirects. */
  readonly url: string;
}

const MAX_BYTES = 512 * 2 ** 20;
/** Of an answer in JSON, which takes many times that when it is read. A tree of 100,000 files has 20 MB. */
const MAX_JSON = 48 * 2 ** 20;
const MAX_MILLIS = 20 * 60_000;
const MAX_WAIT = 65 * 60_000;
const STALL = 30_000;
/** Times that a failing server is asked again, the first pause, and the longest. */
const RETRIES = 3;
const PAUSE = 400;
const LONGEST_PAUSE = 60_000;

const ANSWER_HELP = "check the base address";

/** Sends the requests of one source, within its limits. */
export class SourceClient {
  private n_bytes = 0;
  private waited = 0;
  /** When the client may ask a host again, by its origin. */
  private readonly pauses = new Map<string, number>();
  private readonly started = Date.now();

  /** `address` is the one that the user named. Answers may lead from the internet into the client's network as little as redirects may. */
  constructor(
    readonly settings: SourceSettings,
    private readonly events: ClientEvents,
    private readonly address?: string | undefined,
  ) {}

  get signal(): AbortSignal {
    return this.events.signal;
  }

  /** Returns the body. `accept` is the header; `most` bounds this answer within the budget of all. */
  async get(url: string, { accept = "*/*", most = Infinity } = {}): Promise<Fetched> {
    for (let n = 0; ; n++) {
      await this.turn(new URL(url).origin);
      const answer = await this.once(url, accept, most).catch((error: unknown) => {
        if (isAbort(error) || this.events.signal.aborted) throw abortError(this.events.signal.reason);
        if (!(error instanceof PortolanError) || error.code !== "remote.failed" || n >= RETRIES) throw error;
        return PAUSE * 2 ** n;
      });
      if (typeof answer !== "number") return answer;
      await this.pause(new URL(url).origin, answer, n);
    }
  }

  /** Returns the value that `read` makes of an answer in JSON. Rejects with `source.answer` where it is another one than was asked for. */
  async json<T>(url: string, read: (value: unknown, headers: Headers) => T, accept = "application/json"): Promise<T> {
    const { bytes, headers } = await this.get(url, { accept, most: MAX_JSON });
    try {
      return read(JSON.parse(new TextDecoder().decode(bytes)), headers);
    } catch (cause) {
      throw new PortolanError("source.answer", `${url} did not answer with the JSON that is meant`, ANSWER_HELP, {
        cause,
      });
    }
  }

  /** The answer, or the milliseconds after which to ask again. */
  private async once(url: string, accept: string, most: number): Promise<Fetched | number> {
    const { stallMillis: stallMs = STALL, maxBytes = MAX_BYTES } = this.settings;
    const left = maxBytes - this.n_bytes;
    const asking = {
      headers: (at: string) => this.headers(at, accept),
      check: (at: string) => this.check(at),
      signal: this.signal,
    };
    const { response, bytes, cancel } = await fetchWithin(this.events.fetcher ?? fetch, url, asking, {
      stallMs,
      maxBytes: left,
    });
    if (response.ok) {
      const body = await bytes(Math.max(0, Math.min(most, left)));
      this.n_bytes += body.length;
      return { bytes: body, headers: response.headers, url: response.url || url };
    }
    const wait = waitOf(response);
    cancel();
    if (wait !== undefined) return wait;
    throw refusal(url, response, this.tokenFor(url) !== undefined);
  }

  private headers(url: string, accept: string): Record<string, string> {
    const token = this.tokenFor(url);
    return token === undefined ? { accept } : { accept, authorization: `Bearer ${token}` };
  }

  private tokenFor(url: string): string | undefined {
    return this.settings.tokens?.[new URL(url).origin];
  }

  /** Throws where this address must not be asked. */
  private check(url: string): void {
    const { origin, protocol, hostname, host } = new URL(url);
    const { hosts, maxMillis = MAX_MILLIS } = this.settings;
    if (hosts && !hosts.includes(origin))
      throw new PortolanError(
        "source.host",
        `${host} is not among the hosts that are allowed`,
        `allow ${origin}, if you trust it`,
      );
    if (this.address !== undefined && isPrivate(hostname) && !isPrivate(new URL(this.address).hostname))
      throw new PortolanError(
        "source.host",
        `${new URL(this.address).host} leads to ${host}, which is in a private network`,
        "give that address itself, if you trust it",
      );
    if (protocol !== "https:" && this.tokenFor(url) !== undefined && !isPrivate(hostname))
      throw new PortolanError(
        "source.token",
        `a token must not be sent to ${host} without encryption`,
        "give an address with https",
      );
    if (Date.now() - this.started - this.waited > maxMillis)
      throw new PortolanError(
        "source.time",
        `${host} took longer than ${Math.round(maxMillis / 1000)} s`,
        "allow more with `maxMillis`, or download the archive",
      );
  }

  /** Waits until the host may be asked. */
  private async turn(origin: string): Promise<void> {
    for (let until = this.pauses.get(origin) ?? 0; until > Date.now(); until = this.pauses.get(origin) ?? 0)
      await sleep(until - Date.now(), this.events.signal);
  }

  /** Notes that a host wants a pause; the next request waits for it. */
  private async pause(origin: string, millis: number, n_before: number): Promise<void> {
    // A negative pause is a limit without a time: longer each time. So is one that did not help.
    const least = Math.min(LONGEST_PAUSE, (millis >= 0 ? 250 : 1000) * 2 ** n_before);
    const wait = millis < 0 || n_before > 1 ? Math.max(millis, least) : millis;
    const until = Date.now() + wait;
    const isNew = until > (this.pauses.get(origin) ?? 0);
    const { host } = new URL(origin);
    if (isNew) {
      const { maxWaitMillis = MAX_WAIT } = this.settings;
      if (this.waited + wait > maxWaitMillis)
        throw new PortolanError(
          "source.rate-limit",
          `${host} allows no more requests before ${new Date(until).toISOString().slice(11, 19)} UTC`,
          "try again then, give a token, or download the archive and open it",
        );
      this.waited += wait;
      this.pauses.set(origin, until);
      if (wait >= 1000) this.events.onWait?.({ host, until });
    }
    await this.turn(origin);
  }
}

/** Milliseconds until a host wants to be asked again; negative without a time; nothing where the answer is not about that. */
export function waitOf({ status, headers }: Pick<Response, "status" | "headers">): number | undefined {
  const now = Date.parse(headers.get("date") ?? "") || Date.now();
  const after = headers.get("retry-after");
  if (after !== null && [403, 429, 503].includes(status)) {
    const seconds = Number(after);
    const millis = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(after) - now;
    return Number.isFinite(millis) ? Math.max(0, millis) : -1;
  }
  const left = headers.get("x-ratelimit-remaining") ?? headers.get("ratelimit-remaining");
  const reset = Number(headers.get("x-ratelimit-reset") ?? headers.get("ratelimit-reset") ?? Number.NaN);
  if (left === "0" && [403, 429].includes(status) && Number.isFinite(reset))
    return Math.max(1000, reset * 1000 - now + 1000);
  return status === 429 ? -1 : undefined;
}

function refusal(url: string, { status }: Response, hasToken: boolean): PortolanError {
  const { host, pathname } = new URL(url);
  if (status >= 500) return new PortolanError("remote.failed", `${host} failed (${status})`, "try again later");
  if (status === 401 || status === 403)
    return new PortolanError(
      "source.refused",
      `${host} refuses ${pathname} (${status})`,
      hasToken ? "the token may have expired, or lack the right to read" : "give a token that may read it",
    );
  if (status === 404 || status === 410 || status === 422)
    return new PortolanError(
      "source.not-found",
      `${host} knows no ${pathname} (${status})`,
      hasToken ? "check the spelling" : "check the spelling; a private repository needs a token",
    );
  return new PortolanError("source.answer", `${host} answered ${pathname} with ${status}`, "");
}
