// Costs of a server of shared indexes on Cloudflare, and its first limits: published prices and limits, and figures that a run measured.
// Nothing is measured here.

/** US dollars. Read on 2026-11-27 in the sources of Cloudflare's documentation: workers/platform/pricing, r2/pricing, durable-objects/platform/pricing. */
export const PRICES = {
  /** The Workers Paid plan, for a month. */
  plan: 5,
  requests: { included: 10e6, per_million: 0.3 },
  cpu_ms: { included: 30e6, per_million: 0.02 },
  object_requests: { included: 1e6, per_million: 0.15 },
  /** Of a Durable Object while it is in memory, at 128 MB. */
  object_gb_s: { included: 400_000, per_million: 12.5 },
  r2_gb_month: { included: 10, each: 0.015 },
  r2_class_a: { included: 1e6, per_million: 4.5 },
  r2_class_b: { included: 10e6, per_million: 0.36 },
};

/** Read on the same day: workers/platform/limits, durable-objects/platform/limits, r2/platform/limits. */
export const LIMITS = {
  isolate_bytes: 128e6,
  subrequests: 10_000,
  connections: 6,
  object_requests_per_s: 1000,
  writes_of_a_key_per_s: 1,
};

/** Limits of ours, of docs/edge.md and docs/shared.md. */
export const OURS = {
  snapshot_bytes: 64 * 1024 * 1024,
  /** Repositories that one search over all of them asks. */
  searched_at_once: 10_000,
  tokens: 10_000,
};

/** Habits of people, by assumption; each is a parameter. Twenty working days of a month. */
export const HABITS = {
  /** Searches, symbols and calls of agents for each person and day. */
  queries: 200,
  /** Commits that are pushed for each repository and day. */
  pushes: 5,
  /** Fresh clones and new commits that are pulled for each person and day. */
  pulls: 10,
  /** Share of queries that find their repository open in the isolate. */
  warm: 0.8,
  /** Versions that pruning keeps. */
  kept: 20,
  days: 20,
};

/** Dollars for an amount beyond what is included. */
export function charge(amount, { included, per_million, each }) {
  const beyond = Math.max(0, amount - included);
  return each === undefined ? (beyond / 1e6) * per_million : beyond * each;
}

/**
 * The month of a server. `measured` has, for one repository: `chunks`, `bytes` of a version, `new_bytes` of the next one, bucket operations
 * of a `push`, a `pull`, a `cold` and a `warm` query (each `{ a, b }`), and `cpu_ms` of a cold and a warm query.
 */
export function month({ repositories, people, chunks }, measured, habits = HABITS) {
  const perRepository = chunks / repositories;
  const scale = perRepository / measured.chunks;
  const queries = people * habits.queries * habits.days;
  const pulls = people * habits.pulls * habits.days;
  const pushes = repositories * habits.pushes * habits.days;
  const [warm, cold] = [queries * habits.warm, queries * (1 - habits.warm)];
  // Pieces have a mean size, so the operations of pushes and pulls grow with the index; those of queries do not: they read what they need.
  const a = pushes * measured.push.a * scale;
  const b =
    pushes * measured.push.b * scale +
    pulls * measured.pull.b * scale +
    warm * measured.warm.b +
    cold * measured.cold.b;
  const bytes = repositories * scale * (measured.bytes + (habits.kept - 1) * measured.new_bytes);
  // Of a pull the client asks for each piece that it lacks.
  const requests = queries + pulls * measured.pull.requests * scale + pushes * measured.push.requests * scale;
  const cpu = warm * measured.cpu_ms.warm + cold * measured.cpu_ms.cold + (requests - queries) * measured.cpu_ms.other;
  // One Durable Object answers for each token in a millisecond, and stays in memory ten seconds after the last request of a burst.
  const awake_s = people * habits.days * 3600;
  const parts = {
    plan: PRICES.plan,
    requests: charge(requests, PRICES.requests),
    cpu: charge(cpu, PRICES.cpu_ms),
    limits: charge(requests, PRICES.object_requests) + charge(awake_s * 0.128, PRICES.object_gb_s),
    storage: charge(bytes / 1e9, PRICES.r2_gb_month),
    operations: charge(a, PRICES.r2_class_a) + charge(b, PRICES.r2_class_b),
  };
  const dollars = Object.values(parts).reduce((sum, one) => sum + one, 0);
  return { requests, cpu, bytes, a, b, parts, dollars };
}

/** Limits of such a server, the nearest first: each with the share of its limit that is used. */
export function limitsOf({ repositories, people, chunks }, measured) {
  const perRepository = chunks / repositories;
  const open = (perRepository / measured.chunks) * measured.needed_bytes;
  const listed = repositories * measured.list_b;
  const found = [
    [
      "memory of an isolate: the sections that a search of one repository reads",
      open / OURS.snapshot_bytes,
      "shards: `portolan index --shards N`",
    ],
    ["a search over all repositories (`repo=*`)", repositories / OURS.searched_at_once, "name repositories"],
    ["subrequests of `GET /v1/repos`", listed / LIMITS.subrequests, "a list in one document"],
    ["tokens", people / OURS.tokens, "tokens of CI by rules, one token for a group"],
    [
      "requests to the Durable Object of one token",
      1200 / 60 / LIMITS.object_requests_per_s,
      "none: its rate limit is far below",
    ],
  ];
  return found.map(([what, share, then]) => ({ what, share, then })).sort((x, y) => y.share - x.share);
}
