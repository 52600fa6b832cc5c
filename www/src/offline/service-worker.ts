//! The service worker: the page, its scripts, wasm, grammars and model from a cache, so that it starts without a network.
//!
//! Files with a hash in their name never change: cache first. Everything else (the page, the sample) comes from the network
//! where there is one. Built by build/offline.ts, which fills in the lists.

declare const SHELL: readonly string[];
declare const REST: readonly string[];
declare const VERSION: string;
declare const POLICY: string;

// The parts of the service worker's world that TypeScript's list for pages leaves out.
interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface FetchEvent extends ExtendableEvent {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}
interface Clients {
  claim(): Promise<void>;
}

const { clients } = self as unknown as { clients: Clients };

const scope = new URL("./", self.location.href);
// Caches belong to a host: two pages under different paths of it must leave each other's alone.
const prefix = `portolan ${scope.pathname} `;
const cacheName = prefix + VERSION;
const absolute = (path: string) => new URL(path, scope).href;
const hashed = new Set([...SHELL, ...REST].filter((path) => path.startsWith("assets/")).map(absolute));

self.addEventListener("install", (event) => (event as ExtendableEvent).waitUntil(install()));
self.addEventListener("activate", (event) => (event as ExtendableEvent).waitUntil(activate()));
self.addEventListener("message", (event) => (event as unknown as ExtendableEvent).waitUntil(fetchRest()));
self.addEventListener("fetch", (event) => {
  const { request } = event as FetchEvent;
  const url = new URL(request.url);
  if (!url.href.startsWith(scope.href) || (request.method !== "GET" && request.method !== "HEAD")) return;
  (event as FetchEvent).respondWith(answer(request, url));
});

async function install(): Promise<void> {
  const cache = await caches.open(cacheName);
  await cache.addAll(SHELL.map((path) => new Request(absolute(path), { cache: "no-cache" })));
}

async function activate(): Promise<void> {
  for (const name of await caches.keys()) if (name.startsWith(prefix) && name !== cacheName) await caches.delete(name);
  await clients.claim();
}

// One at a time: a user who is indexing should not wait for optional files. Files that fail are fetched next time.
async function fetchRest(): Promise<void> {
  const cache = await caches.open(cacheName);
  for (const path of REST) {
    await keep(cache, absolute(path)).catch((error) => console.info(`not kept for offline use: ${path}:`, error));
  }
}

async function keep(cache: Cache, url: string): Promise<void> {
  if (await cache.match(url)) return;
  const response = await fetch(url);
  if (response.ok && isPart(response)) await cache.put(url, response);
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
      await cache.put(key, response.clone());
    return guarded(response, request);
  } catch (error) {
    const kept = await cache.match(key, { ignoreMethod: true });
    if (!kept) throw error;
    return request.method === "HEAD" ? new Response(null, { headers: kept.headers }) : guarded(kept, request);
  }
}

// A host that answers every unknown address with the page must not put the page into the place of a part.
function isPart(response: Response): boolean {
  return !(response.headers.get("content-type") ?? "").includes("text/html");
}

// A worker has the policy of its own response, not that of the page: without this header it could talk to anyone. Of the page only a
// header can say who may show it in a frame.
function guarded(response: Response, request: Request): Response {
  if (request.destination !== "worker" && request.mode !== "navigate") return response;
  if (response.type === "opaqueredirect" || response.type === "error") return response;
  const headers = new Headers(response.headers);
  headers.set("Content-Security-Policy", POLICY);
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}
