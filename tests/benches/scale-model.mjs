// Costs of a server of shared indexes on Cloudflare, and its first limits: published prices and limits, and figures that a run measured.
// Nothing is measured here.

/** US dollars. Read on 2026-11-27 in the sources of Cloudflare's documentation: workers/platform/pricing, r2/pricing, durable-objects/platform/pricing. */
export const PRICES = {
  /** The Workers Paid plan, for a month. */
  plan: 5,
  requests: { included: 10e6, per_million: 0.3 },
  cpu_ms: { included: 30e6, per_million: 0.02 },
  object_requests: { included: 1e6, per_million: 0.15 },
  /** Of a Durable Object while it works, at 128 MB. One that is idle and could hibernate is not billed (the same page, read again on 2026-11-29). */
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
  /** An object that is idle for longer is removed from memory, with what it had open (durable-objects/concepts/durable-object-lifecycle). */
  object_idle_s: 10,
  writes_of_a_key_per_s: 1,
};

/** Limits of ours, of docs/edge.md and docs/shared.md. */
export const OURS = {
  snapshot_bytes: 64 * 1024 * 1024,
  /** Repositories that one search over all of them asks, in how long, and how many one object is given where sizes are not known: several.mjs, groups.mjs. */
  searched_at_once: 10_000,
  all_s: 10,
  fitting: 8,
  /** Repositories in a page of `GET /v1/repos`: serving.ts. */
  listed: 1000,
  /** Reads that are on their way at once while an index is opened. */
  reads_at_once: 4,
  /** Seconds after which an isolate hands its counts to the object METRICS: metrics.ts. */
  flush_s: 5,
  tokens: 10_000,
};

/** Habits of people, by assumption; each is a parameter. Twenty working days of a month. */
export const HABITS = {
  /** Searches, symbols and calls of agents for each person and day. */
  queries: 200,
  /** Searches of every repository for each person and day: one a week. */
  searches_of_all: 0.2,
  /** Queries of an index in shards, as a share, and its shards. */
  sharded: 0.01,
  shards: 8,
  /** Commits that are pushed for each repository and day. */
  pushes: 5,
  /** Fresh clones and new commits that are pulled for each person and day. */
  pulls: 10,
  /** Share of queries that find their repository open in the isolate. */
  warm: 0.8,
  /** Versions that pruning keeps. */
  kept: 20,
  days: 20,
  hours: 8,
  /** People whose requests one isolate answers. */
  people_of_isolate: 10,
  /** Milliseconds of a read of the bucket over the network, and of a round of a search in a shard. Neither was measured on Cloudflare. */
  read_ms: 30,
  round_ms: 10,
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
  const scale = chunks / repositories / measured.chunks;
  const queries = people * habits.queries * habits.days;
  const pulls = people * habits.pulls * habits.days;
  const pushes = repositories * habits.pushes * habits.days;
  const [warm, cold] = [queries * habits.warm, queries * (1 - habits.warm)];
  const all = searchesOfAll({ repositories, people, chunks }, measured, habits);
  // Pieces have a mean size, so the operations of pushes, pulls and cold queries, which read an index whole, grow with it.
  const a = pushes * measured.push.a * scale;
  const b =
    pushes * measured.push.b * scale +
    pulls * measured.pull.b * scale +
    warm * measured.warm.b +
    cold * measured.cold.b * scale +
    all.b;
  const bytes = repositories * scale * (measured.bytes + (habits.kept - 1) * measured.new_bytes);
  // Of a pull the client asks for each piece that it lacks.
  const requests = queries + pulls * measured.pull.requests * scale + pushes * measured.push.requests * scale + all.n;
  const cpu =
    warm * measured.cpu_ms.warm + cold * measured.cpu_ms.cold * scale + (requests - queries) * measured.cpu_ms.other;
  const objects = objectsOf({ requests, queries, people, all }, habits);
  const sumOf = (of) => Object.values(objects).reduce((sum, kind) => sum + kind[of], 0);
  const parts = {
    plan: PRICES.plan,
    requests: charge(requests, PRICES.requests),
    cpu: charge(cpu, PRICES.cpu_ms),
    objects: charge(sumOf("requests"), PRICES.object_requests) + charge(sumOf("gb_s"), PRICES.object_gb_s),
    storage: charge(bytes / 1e9, PRICES.r2_gb_month),
    operations: charge(a, PRICES.r2_class_a) + charge(b, PRICES.r2_class_b),
  };
  const dollars = Object.values(parts).reduce((sum, one) => sum + one, 0);
  return { requests, cpu, bytes, a, b, all, objects, parts, dollars };
}

/** Requests to Durable Objects and their GB-seconds, by kind. */
function objectsOf({ requests, queries, people, all }, habits) {
  const working_s = habits.days * habits.hours * 3600;
  const rounds = 2 * habits.shards * queries * habits.sharded;
  const flushes = Math.min(requests, (Math.ceil(people / habits.people_of_isolate) * working_s) / OURS.flush_s);
  const kind = (n, seconds) => ({ requests: n, gb_s: n * seconds * OBJECT_GB });
  return {
    // The object of a token counts one request, and METRICS stores its sums.
    tokens: kind(requests, 0.001),
    metrics: kind(flushes, 0.01),
    shards: kind(rounds, habits.round_ms / 1000),
    groups: all.groups,
  };
}

const OBJECT_GB = 0.128;

/** Groups of a search of every repository, and how long one takes whose repositories have all to be opened. */
export function groupsOfAll({ repositories, chunks }, measured, habits = HABITS) {
  let n_groups = 1;
  while (n_groups * OURS.fitting < repositories) n_groups *= 2;
  const of_group = repositories / n_groups;
  const scale = chunks / repositories / measured.chunks;
  const reads = measured.cold.b * scale;
  const cold_ms = measured.cpu_ms.cold * scale + (reads / OURS.reads_at_once) * habits.read_ms;
  return { n_groups, of_group, reads, cold_s: (of_group * cold_ms) / 1000 };
}

/** Searches of every repository in a month. Groups that nobody asked for a while have to open their repositories. */
function searchesOfAll(size, measured, habits) {
  const { n_groups, of_group, reads, cold_s } = groupsOfAll(size, measured, habits);
  const n = size.people * habits.searches_of_all * habits.days;
  const each_s = (habits.days * habits.hours * 3600) / n;
  const cold = Math.exp(-LIMITS.object_idle_s / each_s);
  const warm_s = (of_group * measured.cpu_ms.warm) / 1000;
  // One group is asked in the isolate of the request.
  const requests = n_groups === 1 ? 0 : n * n_groups;
  const b_of_cold = size.repositories * reads;
  const gb_s_of_cold = n_groups * cold_s * OBJECT_GB;
  return {
    n,
    cold,
    b_of_cold,
    b: n * cold * b_of_cold,
    groups: { requests, gb_s: requests * (cold * cold_s + (1 - cold) * warm_s) * OBJECT_GB },
    // At the prices beyond what is included.
    dollars_of_cold:
      (b_of_cold * PRICES.r2_class_b.per_million +
        n_groups * PRICES.object_requests.per_million +
        gb_s_of_cold * PRICES.object_gb_s.per_million) /
      1e6,
  };
}

/** Limits of such a server, the nearest first: each with the share of its limit that is used. */
export function limitsOf({ repositories, people, chunks }, measured, habits = HABITS) {
  const open = (chunks / repositories / measured.chunks) * measured.needed_bytes;
  // The names of all, a thousand at a time, then a document of each in a page.
  const listed =
    Math.min(repositories, OURS.listed) * measured.list.each + measured.list.pages * Math.ceil(repositories / 1000);
  const { n_groups, of_group, cold_s } = groupsOfAll({ repositories, chunks }, measured, habits);
  const found = [
    [
      "memory of an isolate: the sections that a search of one repository reads",
      open / OURS.snapshot_bytes,
      "shards: `portolan index --shards N`",
    ],
    ["`repo=*`: repositories of one search", repositories / OURS.searched_at_once, "name repositories"],
    [
      `\`repo=*\`: time of a group of ${of_group.toFixed(1)} of which none is open, as far as ${OURS.all_s} s allow`,
      cold_s / OURS.all_s,
      "the next searches reach the rest",
    ],
    [
      `\`repo=*\`: memory of a group that stays open, of the limit of an isolate`,
      (of_group * open) / OURS.snapshot_bytes,
      "the rest is opened anew in each search",
    ],
    ["`repo=*`: subrequests, one for each group", n_groups / LIMITS.subrequests, "name repositories"],
    ["subrequests of a page of `GET /v1/repos`", listed / LIMITS.subrequests, "shorter pages"],
    ["tokens", people / OURS.tokens, "tokens of CI by rules, one token for a group"],
    [
      "requests to the Durable Object of one token",
      1200 / 60 / LIMITS.object_requests_per_s,
      "none: its rate limit is far below",
    ],
  ];
  return found.map(([what, share, then]) => ({ what, share, then })).sort((x, y) => y.share - x.share);
}
