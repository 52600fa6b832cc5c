/**
 * An adaptive rate limiter: a rolling window of a minute, whose size is learned. A refusal halves what was sent in the window that met it;
 * every success adds one, until the limits that the person set. A host's own limits are obeyed before it refuses.
 */

import { abortError } from "../errors.js";
import type { AbortSignal } from "../platform.js";
import { sleep } from "../sleep.js";

/** Upper bounds for each minute; absent: as many as the host takes. */
export interface Limits {
  readonly requests?: number | undefined;
  readonly tokens?: number | undefined;
}

/** Time as an argument: tests have their own. */
export interface Clock {
  /** Milliseconds. */
  now(): number;
  sleep(millis: number, signal: AbortSignal): Promise<void>;
}

/** Length of the rolling window in milliseconds. */
export const WINDOW = 60_000;
const FIRST_BACKOFF = 1_000;
const LONGEST_BACKOFF = 60_000;

interface Sent {
  readonly at: number;
  tokens: number;
}

/** An admitted request; its tokens are corrected once they are known. */
export type Ticket = Sent;

/** Delays requests to one model until its window has room. */
export class RateLimiter {
  private sent: Sent[] = [];
  /** Requests for each window, once a refusal has shown that there is a limit. */
  private learned = Infinity;
  private closedUntil = 0;
  private n_refused = 0;

  constructor(
    private readonly limits: Limits,
    private readonly clock: Clock,
    /** From 0 to 1: spreads the retries of several tabs. */
    private readonly random: () => number = Math.random,
  ) {}

  /** Requests for each window now; infinite where no limit is known. */
  get rate(): number {
    return Math.min(this.learned, this.limits.requests ?? Infinity);
  }

  /** Milliseconds until a request of this size may go out. */
  waitFor(tokens: number): number {
    const now = this.clock.now();
    this.forget(now);
    const waits = [this.closedUntil - now];
    if (this.sent.length >= this.rate) waits.push(this.freeAt(this.sent.length - this.rate) - now);
    const most = this.limits.tokens ?? Infinity;
    let used = this.sent.reduce((sum, one) => sum + one.tokens, 0);
    // A request that is larger than the whole window goes out alone.
    for (const [at, one] of this.sent.entries()) {
      if (used + tokens <= most) break;
      waits.push(this.freeAt(at) - now);
      used -= one.tokens;
    }
    return Math.max(0, ...waits);
  }

  /** Waits until a request of about this size may go out. */
  async admit(tokens: number, signal: AbortSignal, onWait: (millis: number) => void = () => {}): Promise<Ticket> {
    for (let wait = this.waitFor(tokens); wait > 0; wait = this.waitFor(tokens)) {
      onWait(wait);
      await this.clock.sleep(wait, signal);
    }
    if (signal.aborted) throw abortError(signal.reason);
    const ticket = { at: this.clock.now(), tokens };
    this.sent.push(ticket);
    return ticket;
  }

  /** Notes what a request took, and opens the window a little. */
  succeeded(ticket: Ticket, tokens: number): void {
    ticket.tokens = tokens;
    this.n_refused = 0;
    if (this.learned !== Infinity) this.learned += 1;
  }

  /**
   * Narrows the window after a refusal and gives the milliseconds until the next attempt. The refused request took nothing from the window;
   * where the host says when to come back, its window is renewed by then, and ours begins anew.
   */
  refused(ticket: Ticket, retryAfter: number | undefined): number {
    this.forget(this.clock.now());
    this.learned = Math.max(1, Math.floor(Math.min(this.learned, this.sent.length) / 2));
    this.sent = retryAfter === undefined ? this.sent.filter((one) => one !== ticket) : [];
    return this.pause(retryAfter);
  }

  /** Closes the window for a while after another failure; longer each time. */
  pause(retryAfter: number | undefined): number {
    const backoff = Math.min(LONGEST_BACKOFF, FIRST_BACKOFF * 2 ** this.n_refused);
    this.n_refused += 1;
    const millis = Math.ceil(retryAfter ?? backoff * (0.75 + 0.5 * this.random()));
    this.closedUntil = Math.max(this.closedUntil, this.clock.now() + millis);
    return millis;
  }

  /** Obeys what the host says about its own limits: none left means to wait until they are renewed. */
  heed(headers: Readonly<Record<string, string>>): void {
    const now = this.clock.now();
    for (const [name, value] of Object.entries(headers)) {
      const [, prefix, what, what2] = REMAINING.exec(name.toLowerCase()) ?? [];
      const kind = what ?? what2;
      if (prefix === undefined || kind === undefined || Number(value) > 0) continue;
      const reset = headers[`${prefix}reset-${kind}`] ?? headers[`${prefix}${kind}-reset`];
      const wait = reset === undefined ? undefined : durationOf(reset, now);
      if (wait !== undefined) this.closedUntil = Math.max(this.closedUntil, now + Math.min(wait, 10 * WINDOW));
    }
  }

  private freeAt(idx: number): number {
    return (this.sent[idx]?.at ?? 0) + WINDOW;
  }

  private forget(now: number): void {
    this.sent = this.sent.filter(({ at }) => now - at < WINDOW);
  }
}

// `x-ratelimit-remaining-requests` of OpenAI and Groq, `anthropic-ratelimit-requests-remaining`.
const REMAINING = /^((?:x|anthropic)-ratelimit-)(?:remaining-([a-z-]+)|([a-z-]+)-remaining)$/;

/** `250ms`, `1.5s`, `6m0s`, seconds, or a date; in milliseconds from now. */
export function durationOf(text: string, now: number): number | undefined {
  const trimmed = text.trim();
  if (/^\d+(\.\d+)?$/.test(trimmed)) return Number(trimmed) * 1000;
  if (/^(\d+(\.\d+)?(ms|h|m|s))+$/.test(trimmed)) {
    const units: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };
    return [...trimmed.matchAll(/(\d+(?:\.\d+)?)(ms|h|m|s)/g)].reduce(
      (sum, [, number, unit]) => sum + Number(number) * (units[unit as string] as number),
      0,
    );
  }
  const date = Date.parse(trimmed);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** The clock of the platform. */
export const realClock: Clock = { now: () => Date.now(), sleep };
