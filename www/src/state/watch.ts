//! Listens to the browser: the timeline of this page, those of its workers, and the events of the service worker.

import { computed, effect, signal } from "@preact/signals";
import { job, repository } from "./repository.ts";
import { joined, type Made, statementOf, verdictOf } from "./requests.ts";
import { channelName, type Seen, type Timed, timedOf, type Told } from "./seen.ts";

/** Whether the list of requests is open. */
export const shieldOpen = signal(false);

const timed = signal<readonly Timed[]>([]);
const seen = signal<ReadonlyMap<string, Seen>>(new Map());
const codeSince = signal<number | null>(null);

/** Every request, the first one first. */
export const requests = computed<readonly Made[]>(() =>
  joined(timed.value, [...seen.value.values()], typeof location === "undefined" ? "" : `${location.origin}/`),
);
export const verdict = computed(() => verdictOf(requests.value, codeSince.value));
export const statement = computed(() => statementOf(verdict.value));

/** Why parts of the page contact an origin, in their own words. */
export const reasons = signal<ReadonlyMap<string, string>>(new Map());

/** Says why an origin is contacted, for the list. */
export function explain(origin: string, words: string): void {
  reasons.value = new Map([...reasons.peek(), [origin, words]]);
}

/** A page that shows changes one by one would draw a thousand times while a repository is fetched. */
const pause = 250;
let waiting: Timed[] = [];

function add(entries: readonly Timed[]): void {
  if (waiting.length === 0 && entries.length > 0) setTimeout(showWaiting, pause);
  waiting.push(...entries);
}

function showWaiting(): void {
  timed.value = [...timed.peek(), ...waiting];
  waiting = [];
}

/** Takes a message of the service worker. */
export function hearSeen({ seen: told, timed: entries }: Told): void {
  // An earlier request is another page's.
  const since = performance.timeOrigin - 1000;
  const known = new Set([...timed.peek(), ...waiting].map(keyOf));
  add(entries.filter((entry) => entry.at >= since && !known.has(keyOf(entry))));
  const next = new Map(seen.peek());
  for (const one of told) if (one.at >= since) next.set(one.id, one);
  if (next.size !== seen.peek().size) seen.value = next;
}

/** The service worker sends its timeline more than once. */
const keyOf = ({ url, at, from }: Timed) => `${from} ${at} ${url}`;

/** Starts listening. As early as possible, although the timeline includes earlier requests, too. */
export function keepRequests(): void {
  effect(() => {
    if (codeSince.peek() === null && (job.value !== null || repository.value !== null)) codeSince.value = Date.now();
  });
  const read = (list: PerformanceEntryList) =>
    add((list as PerformanceResourceTiming[]).map((entry) => timedOf(entry, "page")));
  for (const type of ["navigation", "resource"])
    new PerformanceObserver((list) => read(list.getEntries())).observe({ type, buffered: true });
  if (typeof BroadcastChannel === "undefined") return;
  const channel = new BroadcastChannel(channelName);
  channel.onmessage = ({ data }: MessageEvent<readonly Timed[]>) => add(data);
}
