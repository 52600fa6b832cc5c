/** `portolan/edge`: the Worker that answers over HTTP and MCP from snapshots in a bucket. */

/** The part of an R2 bucket that is used; `R2Bucket` of `@cloudflare/workers-types` is one. */
export interface Bucket {
  get(key: string, options?: object): Promise<unknown>;
  list?(options?: object): Promise<unknown>;
}

/** What the configuration of wrangler binds. Vars are strings; docs/edge.md has their defaults. */
export interface Env {
  /** `NAME.portolan`, and the models of NAME's vectors. */
  readonly SNAPSHOTS: Bucket;
  /** Asked where a request names none. */
  readonly DEFAULT_REPOSITORY?: string;
  /** Kept open at the same time, in bytes; a question that reads more is refused. */
  readonly MAX_SNAPSHOT_BYTES?: string;
  /** Of a snapshot that is larger only what questions read is fetched. */
  readonly WHOLE_SNAPSHOT_BYTES?: string;
  /** How old an answer may be after a snapshot was replaced. */
  readonly REFRESH_SECONDS?: string;
  readonly CACHE_CONTROL?: string;
  /** Origins of pages that may ask, separated by commas; `*` is every page, empty none. */
  readonly CORS_ORIGIN?: string;
  /** A secret: opens the snapshots that are encrypted. */
  readonly PASSPHRASE?: string;
  /** `tokens`: a server of shared indexes, which wants a token of every request; else everybody may read. */
  readonly ACCESS?: string;
  /** The address of this Worker, as tokens of CI name it. */
  readonly AUDIENCE?: string;
  /** Patterns of repositories that everybody may read, separated by commas. */
  readonly PUBLIC?: string;
  /** Origins of pages that may ask, separated by commas. */
  readonly ORIGINS?: string;
  /** Requests of a token in a minute; 1200 without it. */
  readonly RATE_PER_MINUTE?: string;
  /** Durable Objects of the class `RateLimitObject`; without them limits hold for each isolate. */
  readonly RATE_LIMITS?: unknown;
  /** Durable Objects of the class `ShardObject`; without them one isolate answers for all shards, and for all repositories. */
  readonly SHARDS?: unknown;
  /** Milliseconds that a shard has for a round of a search, and a search of every repository. */
  readonly SHARD_MILLIS?: string;
  readonly ALL_MILLIS?: string;
  /** Durable Objects of the class `MetricsObject`; without them `/metrics` counts the requests of one isolate. */
  readonly METRICS?: unknown;
}

/** The Durable Object of `RATE_LIMITS`. */
export declare class RateLimitObject {
  fetch(request: { readonly url: string }): Promise<unknown>;
}

/** The Durable Object of `SHARDS`. */
export declare class ShardObject {
  constructor(state: { waitUntil(promise: Promise<unknown>): void }, env: Env);
  fetch(request: Class<"Request">): Promise<Class<"Response">>;
}

/** The Durable Object of `METRICS`. */
export declare class MetricsObject {
  constructor(state: {
    readonly storage: { get(key: string): Promise<unknown>; put(key: string, value: unknown): Promise<void> };
  });
  fetch(request: { json(): Promise<unknown> }): Promise<unknown>;
}

type Class<Name extends string> =
  typeof globalThis extends Record<Name, { prototype: infer Instance }> ? Instance : never;

declare const worker: {
  fetch(
    request: Class<"Request">,
    env: Env,
    context: { waitUntil(promise: Promise<unknown>): void },
  ): Promise<Class<"Response">>;
};
export default worker;
