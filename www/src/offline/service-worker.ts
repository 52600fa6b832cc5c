//! The service worker: the page from a cache, so that it starts without a network.
//!
//! Only the shell is fetched ahead. Grammars, engine, model and sample are kept when they were used; all of them once the reader asks
//! for that. A site made by `portolan build` also names its own parts: its index and what reading it takes. They are fetched ahead
//! unless the browser asks to save data.
//!
//! Files with a hash in their name never change: cache first. Everything else (the page, the sample) comes from the network
//! where there is one. Built by build/offline.ts, which writes the list of parts into the first line; `portolan build` edits it there.

import type { Order, Parts } from "../state/offline.ts";
import { admitting, readAllowed } from "../state/allowed-hosts.ts";
import { type Listeners, Recorder, type RequestEvent } from "./recorder.ts";

/** Paths below the page, and sizes in bytes. */
interface Listed {
  readonly version: string;
  readonly shell: readonly string[];
  readonly own: readonly string[];
  readonly rest: readonly (readonly [path: string, bytes: number])[];
}

declare const POLICY: string;

// The parts of the service worker's world that TypeScript's list for pages leaves out.
interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface FetchEvent extends RequestEvent {
  respondWith(answer: Promise<Response>): void;
}
interface MessageEventOfClient extends ExtendableEvent {
  readonly data: Order;
  readonly source: { readonly id: string } | null;
}
interface Client {
  readonly id: string;
  readonly type: string;
  postMessage(message: unknown): void;
}
interface Clients extends Listeners {
  claim(): Promise<void>;
  matchAll(options: { includeUncontrolled: boolean }): Promise<readonly Client[]>;
  get(id: string): Promise<Client | undefined>;
}

const { clients, PORTOLAN_PARTS } = self as unknown as { clients: Clients; PORTOLAN_PARTS: Listed };
const { version, shell, own, rest } = PORTOLAN_PARTS;

const scope = new URL("./", self.location.href);
// Caches belong to a host: two pages under different paths of it must leave each other's alone.
const prefix = `portolan ${scope.pathname} `;
const cacheName = prefix + version;
const absolute = (path: string) => new URL(path, scope).href;
const hashed = new Set([...shell, ...rest.map(([path]) => path)].filter(isHashed).map(absolute));
const isSavingData = () =>
  (navigator as Navigator & { connection?: { saveData?: boolean } }).connection?.saveData === true;

self.addEventListener("install", (event) => (event as ExtendableEvent).waitUntil(install()));
self.addEventListener("activate", (event) => (event as ExtendableEvent).waitUntil(activate()));
self.addEventListener("message", (event) => {
  const message = event as unknown as MessageEventOfClient;
  message.waitUntil(obey(message));
});
const recorder = new Recorder(clients);
self.addEventListener("fetch", (event) => {
  recorder.record(event as unknown as FetchEvent);
  const { request } = event as unknown as FetchEvent;
  const url = new URL(request.url);
  if (!url.href.startsWith(scope.href) || (request.method !== "GET" && request.method !== "HEAD")) return;
  (event as unknown as FetchEvent).respondWith(answer(request, url));
});

async function install(): Promise<void> {
  const cache = await caches.open(cacheName);
  // Hashed files that the page has loaded a moment ago come from the browser's own cache.
  await cache.addAll(
    shell.map((path) => (isHashed(path) ? absolute(path) : new Request(absolute(path), { cache: "no-cache" }))),
  );
}

async function activate(): Promise<void> {
  const cache = await caches.open(cacheName);
  for (const name of await caches.keys()) {
    if (!name.startsWith(prefix) || name === cacheName) continue;
    await takeOver(await caches.open(name), cache);
    await caches.delete(name);
  }
  await clients.claim();
  if (isSavingData()) return;
  for (const path of own) await keep(cache, absolute(path)).catch(() => {});
}

// Parts whose names are those of the version before are the same files: they are not fetched again.
async function takeOver(before: Cache, cache: Cache): Promise<void> {
  for (const request of await before.keys()) {
    if (!hashed.has(request.url) || (await cache.match(request))) continue;
    const response = await before.match(request);
    if (response) await cache.put(request, response);
  }
}

let working = false;

async function obey({ data, source }: MessageEventOfClient): Promise<void> {
  if (data.order === "seen") return recorder.tell(await clients.get(source?.id ?? ""));
  const cache = await caches.open(cacheName);
  let failed = 0;
  let isFull = false;
  // Every tab shows how far it is, also one that was opened later.
  const tell = async () => {
    const now: Parts = { ...(await sizes(cache)), working, failed, isFull };
    for (const client of await clients.matchAll({ includeUncontrolled: true })) client.postMessage(now);
  };
  if (data.order === "stop") working = false;
  else if (data.order === "used") await keepUsed(cache, data.addresses);
  else if (data.order === "drop") {
    working = false;
    for (const [path] of rest) await cache.delete(absolute(path));
  } else if (data.order === "keep" && !working) {
    working = true;
    // One at a time: a user who is indexing should not wait for parts that may never be used.
    for (const [path] of rest) {
      if (!working || isFull) break;
      await tell();
      await keep(cache, absolute(path)).catch((error: unknown) => {
        failed += 1;
        isFull = (error as Partial<Error>).name === "QuotaExceededError";
      });
    }
    working = false;
  }
  await tell();
}

async function sizes(cache: Cache): Promise<{ total: number; kept: number }> {
  const there = new Set((await cache.keys()).map(({ url }) => url));
  const sum = (list: typeof rest) => list.reduce((total, [, bytes]) => total + bytes, 0);
  return { total: sum(rest), kept: sum(rest.filter(([path]) => there.has(absolute(path)))) };
}

async function keepUsed(cache: Cache, addresses: readonly string[]): Promise<void> {
  for (const address of addresses.filter((one) => hashed.has(one) || one.endsWith(".index"))) {
    if (await cache.match(address)) continue;
    // Never a second time over the line.
    const request = new Request(address, { cache: "only-if-cached", mode: "same-origin" });
    const response = await fetch(request).catch(() => null);
    if (response?.status === 200 && isPart(response)) await put(cache, address, response).catch(() => {});
  }
}

async function keep(cache: Cache, url: string): Promise<void> {
  if (await cache.match(url)) return;
  const response = await fetch(url);
  if (!response.ok || !isPart(response)) {
    // The sample is not part of every build.
    if (response.status === 404) return;
    throw new Error(`${url}: ${response.status}`);
  }
  await put(cache, url, response);
}

// The bytes at once: with less than 4 GB of free disk Chromium stores no stream of 18 MB, which the engine for models is.
async function put(cache: Cache, key: string, response: Response): Promise<void> {
  await cache.put(key, new Response(await response.arrayBuffer(), response));
}

async function answer(request: Request, url: URL): Promise<Response> {
  const cache = await caches.open(cacheName);
  const key = request.mode === "navigate" ? absolute("index.html") : url.origin + url.pathname;
  if (hashed.has(key)) {
    const kept = await cache.match(key);
    if (kept) return guarded(kept, request);
  }
  try {
    const response = await fetch(request);
    if (
      response.ok &&
      request.method === "GET" &&
      response.status === 200 &&
      (request.mode === "navigate" || isPart(response))
    )
      // A part that cannot be kept can be used all the same.
      await put(cache, key, response.clone()).catch(() => {});
    return guarded(response, request);
  } catch (error) {
    const kept = await cache.match(key, { ignoreMethod: true });
    if (!kept) throw error;
    return request.method === "HEAD" ? new Response(null, { headers: kept.headers }) : guarded(kept, request);
  }
}

function isHashed(path: string): boolean {
  return path.startsWith("assets/");
}

// A host that answers every unknown address with the page must not put the page into the place of a part.
function isPart(response: Response): boolean {
  return !(response.headers.get("content-type") ?? "").includes("text/html");
}

// A worker has the policy of its own response, not that of the page: without this header it could talk to anyone. Of the page only a
// header can say who may show it in a frame.
async function guarded(response: Response, request: Request): Promise<Response> {
  if (request.destination !== "worker" && request.mode !== "navigate") return response;
  if (response.type === "opaqueredirect" || response.type === "error") return response;
  const allowed = await readAllowed(scope.pathname);
  const headers = new Headers(response.headers);
  headers.set("Content-Security-Policy", admitting(POLICY, allowed));
  // The page carries a policy, too, and the stricter of both holds.
  const isPage = allowed.length > 0 && !isPart(response);
  if (isPage) headers.delete("Content-Length");
  const body = isPage ? admitting(await response.text(), allowed) : response.body;
  return new Response(body, { status: response.status, statusText: response.statusText, headers });
}
