/**
 * Counts and latencies of requests as Prometheus text. Routes are those of the tables, so that no client can make up label values. Names of
 * repositories are shown only to a principal that may read them.
 *
 * Each isolate of a Worker counts for itself and is gone after a while; so the counts go to a Durable Object, if one is bound, and the text
 * is made from its sums. In Node the process is the only one.
 */

import { TOOLS } from "../commands/tools/tools.js";
import { isRepositoryName } from "./names.js";
import { SHARED_ROUTES } from "./routes.js";

/** A request that was answered. */
export interface Observed {
  /** The name of a route of shared indexes, or what `routeOf` returns. */
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly milliseconds: number;
  /** The one that was asked, by the client's word: counted where it was answered from. */
  readonly repository?: string | undefined;
}

/** Sums, as they travel to the Durable Object. */
export interface Counts {
  /** By route, method and status, separated by spaces. */
  readonly requests: Record<string, number>;
  /** By route: the number in each bucket of `BOUNDS` and above them, then the sum of seconds. */
  readonly durations: Record<string, number[]>;
  readonly repositories: Record<string, number>;
}

/** Upper bounds of the histogram, in seconds. */
export const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10] as const;
/** Repositories that are counted one by one; further ones are counted together, under the empty name. */
const MAX_REPOSITORIES = 1000;
/** An isolate hands its counts on at most this often. */
const FLUSH_MS = 5_000;

const TOOL_PATHS = new Set(TOOLS.flatMap(({ name, rest }) => [`/v1/${name}`, ...(rest ? [rest.path] : [])]));
const OTHER_PATHS = new Set(["/healthz", "/metrics", "/openapi.json", "/v1/tools", "/mcp"]);
const PATHS = new Map(SHARED_ROUTES.map(({ name, path }) => [name, path]));

/** The route of a path that is not below `/v1/repos`; `other` for one that is no route. */
export function routeOf(pathname: string): string {
  return TOOL_PATHS.has(pathname) || OTHER_PATHS.has(pathname) ? pathname : "other";
}

export function noCounts(): Counts {
  return { requests: {}, durations: {}, repositories: {} };
}

/** Adds `more` to `sums`. */
export function addCounts(sums: Counts, more: Counts): void {
  for (const [key, n] of Object.entries(more.requests)) add(sums.requests, key, n);
  for (const [name, n] of Object.entries(more.repositories)) countRepository(sums, name, n);
  for (const [route, values] of Object.entries(more.durations)) {
    const before = Object.hasOwn(sums.durations, route) ? sums.durations[route] : undefined;
    sums.durations[route] = values.map((value, at) => value + (before?.[at] ?? 0));
  }
}

function countRepository({ repositories }: Counts, name: string, n: number): void {
  const isKnown = Object.hasOwn(repositories, name) || Object.keys(repositories).length < MAX_REPOSITORIES;
  add(repositories, isKnown ? name : "", n);
}

/** Names of repositories may be those of every object, such as `constructor`. */
function add(counts: Record<string, number>, key: string, n: number): void {
  counts[key] = (Object.hasOwn(counts, key) ? (counts[key] ?? 0) : 0) + n;
}

/** Where the sums of all isolates are. */
export interface CountsKeeper {
  /** Adds counts, and returns the sums. */
  add(counts: Counts): Promise<Counts>;
}

export class Metrics {
  private pending = noCounts();
  private flushed_at = 0;

  constructor(
    private readonly keeper?: CountsKeeper,
    private readonly now: () => number = Date.now,
  ) {}

  /** Counts a request. Returns the work of handing counts on, where it is time for that. */
  observe({ route, method, status, milliseconds, repository }: Observed): Promise<unknown> | undefined {
    const label = PATHS.get(route) ?? route;
    const isAnswered = repository !== undefined && status < 400 && isRepositoryName(repository);
    const seconds = milliseconds / 1000;
    const bucket = BOUNDS.findIndex((bound) => seconds <= bound);
    const durations = [...BOUNDS, 0, seconds].map((_, at) => Number(at === (bucket < 0 ? BOUNDS.length : bucket)));
    durations[durations.length - 1] = seconds;
    addCounts(this.pending, {
      requests: { [`${label} ${method} ${status}`]: 1 },
      durations: { [label]: durations },
      repositories: isAnswered ? { [repository]: 1 } : {},
    });
    if (!this.keeper || this.now() - this.flushed_at < FLUSH_MS) return undefined;
    return this.sums().catch(() => {});
  }

  /** The text, with the repositories for which `mayRead` is true. */
  async text(mayRead: (repository: string) => boolean): Promise<string> {
    return prometheusText(await this.sums(), mayRead);
  }

  private async sums(): Promise<Counts> {
    if (!this.keeper) return this.pending;
    const handed = this.pending;
    this.pending = noCounts();
    this.flushed_at = this.now();
    try {
      return await this.keeper.add(handed);
    } catch (error) {
      addCounts(this.pending, handed);
      throw error;
    }
  }
}

/** The exposition format, version 0.0.4. */
export function prometheusText(counts: Counts, mayRead: (repository: string) => boolean): string {
  const requests = sorted(counts.requests).map(([key, n]) => {
    const [route, method, status] = key.split(" ");
    return `portolan_requests_total{route="${route}",method="${method}",status="${status}"} ${n}`;
  });
  const durations = sorted(counts.durations).flatMap(([route, values]) => histogram(route, values));
  const repositories = sorted(counts.repositories)
    .filter(([name]) => name !== "" && mayRead(name))
    .map(([name, n]) => `portolan_repository_requests_total{repository="${name}"} ${n}`);
  const families = [
    ["portolan_requests_total", "counter", "Requests by route, method and status.", requests],
    ["portolan_request_duration_seconds", "histogram", "Time until the answer begins, by route.", durations],
    ["portolan_repository_requests_total", "counter", "Requests by repository that the token may read.", repositories],
  ] as const;
  return families
    .filter(([, , , lines]) => lines.length > 0)
    .map(([name, type, help, lines]) => `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("\n")}\n`)
    .join("");
}

function histogram(route: string, values: readonly number[]): string[] {
  const name = "portolan_request_duration_seconds";
  let n = 0;
  const buckets = [...BOUNDS, "+Inf"].map((bound, at) => {
    n += values[at] ?? 0;
    return `${name}_bucket{route="${route}",le="${bound}"} ${n}`;
  });
  const sum = Number((values.at(-1) ?? 0).toFixed(6));
  return [...buckets, `${name}_sum{route="${route}"} ${sum}`, `${name}_count{route="${route}"} ${n}`];
}

function sorted<T>(record: Record<string, T>): [string, T][] {
  return Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
}
