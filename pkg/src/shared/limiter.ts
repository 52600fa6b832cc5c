/** Rate limits: a bucket of permissions for each key, which fills steadily. */

/** How much a key may do. */
export interface Rate {
  /** Permissions that it gets in a minute. */
  readonly per_minute: number;
  /** Permissions that it can save up. */
  readonly burst: number;
}

/** Takes permissions. In Node in memory, in a Worker in a Durable Object, one for each key. */
export interface Limiter {
  /** Takes one permission of a key. Returns 0, or the seconds to wait where none is left. */
  take(key: string, rate: Rate): Promise<number>;
}

/** The state of one bucket. */
export interface Filled {
  readonly n: number;
  /** Milliseconds. */
  readonly at: number;
}

/** Takes a permission: the bucket afterwards, and the seconds to wait where there was none. */
export function taken(before: Filled | undefined, { per_minute, burst }: Rate, now: number): [Filled, number] {
  const gained = before ? (Math.max(0, now - before.at) / 60_000) * per_minute : burst;
  const n = Math.min(burst, (before?.n ?? 0) + gained);
  if (n >= 1) return [{ n: n - 1, at: now }, 0];
  return [{ n, at: now }, Math.max(1, Math.ceil(((1 - n) / per_minute) * 60))];
}

/**
 * The part of an address that one client has: all of IPv4, the first half of IPv6, since a client gets 2^64 addresses there and would have as
 * many buckets.
 */
export function networkOf(address: string): string {
  const plain = address.toLowerCase().replace(/%.*$/, "");
  if (!plain.includes(":") || plain.startsWith("::ffff:")) return plain.replace(/^::ffff:/, "");
  const [before = "", after] = plain.split("::");
  const given = (text = "") => (text === "" ? [] : text.split(":"));
  const [front, back] = [given(before), given(after)];
  const n_zeros = after === undefined ? 0 : Math.max(0, 8 - front.length - back.length);
  const parts = [...front, ...new Array<string>(n_zeros).fill("0"), ...back];
  return `${parts
    .slice(0, 4)
    .map((part) => part.replace(/^0+(?=.)/, ""))
    .join(":")}::/64`;
}

/** Keys that are kept; beyond it the one that was used longest ago goes. */
const MAX_KEYS = 10_000;

/** Buckets in memory, for one process. */
export class MemoryLimiter implements Limiter {
  private readonly buckets = new Map<string, Filled>();

  constructor(private readonly now: () => number = Date.now) {}

  async take(key: string, rate: Rate): Promise<number> {
    const [bucket, seconds] = taken(this.buckets.get(key), rate, this.now());
    this.buckets.delete(key);
    this.buckets.set(key, bucket);
    const [oldest] = this.buckets.keys();
    if (this.buckets.size > MAX_KEYS && oldest !== undefined) this.buckets.delete(oldest);
    return seconds;
  }
}

/** The part of a namespace of Durable Objects that is used. */
export interface ObjectNamespace {
  idFromName(name: string): unknown;
  get(id: unknown): { fetch(url: string, init?: object): Promise<{ text(): Promise<string> }> };
}

/** The Durable Object: one bucket, in its memory. It forgets when it is evicted, which takes longer than a bucket to fill. */
export class RateLimitObject {
  private bucket: Filled | undefined;

  async fetch(request: { readonly url: string }): Promise<unknown> {
    const { searchParams } = new URL(request.url);
    const rate = { per_minute: Number(searchParams.get("per_minute")), burst: Number(searchParams.get("burst")) };
    const [bucket, seconds] = taken(this.bucket, rate, Date.now());
    this.bucket = bucket;
    return new Response(String(seconds));
  }
}

/** Asks the Durable Object of a key. While an object does not answer, since it restarts or has too much to do, the limit holds for this isolate. */
export class ObjectLimiter implements Limiter {
  private readonly own = new MemoryLimiter();

  constructor(private readonly namespace: ObjectNamespace) {}

  async take(key: string, rate: Rate): Promise<number> {
    try {
      const object = this.namespace.get(this.namespace.idFromName(key));
      const answer = await object.fetch(`https://rate/?per_minute=${rate.per_minute}&burst=${rate.burst}`);
      const seconds = Number(await answer.text());
      if (Number.isFinite(seconds)) return seconds;
    } catch {
      // answered below
    }
    return this.own.take(key, rate);
  }
}
