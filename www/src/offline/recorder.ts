//! In the service worker: every request of the pages and workers that it serves, to whatever host, as the browser hands it over.

import { type Seen, type Timed, timedOf, type Told } from "../state/seen.ts";

/** The parts of an event for a request that are read. */
export interface RequestEvent {
  readonly request: Request;
  readonly clientId: string;
  readonly resultingClientId: string;
  waitUntil(work: Promise<unknown>): void;
}

interface Listener {
  readonly id: string;
  readonly type: string;
  postMessage(message: Told): void;
}

export interface Listeners {
  matchAll(options: { includeUncontrolled: boolean }): Promise<readonly Listener[]>;
  get(id: string): Promise<Listener | undefined>;
}

const mostKept = 5_000;

/** Remembers requests as long as this service worker runs, and tells every page of each at once. */
export class Recorder {
  // Ids of one run must differ from those of the run before, of which pages know.
  readonly #run = Math.random().toString(36).slice(2);
  readonly #kept: { seen: Seen; client: string }[] = [];
  #n = 0;
  readonly #timed: Timed[] = [];

  constructor(private readonly listeners: Listeners) {
    if (typeof PerformanceObserver === "undefined") return;
    new PerformanceObserver((list) => {
      const timed = (list.getEntries() as PerformanceResourceTiming[]).map((entry) => timedOf(entry, "service worker"));
      this.#timed.push(...timed);
      this.#timed.splice(0, this.#timed.length - mostKept);
      void this.#pages().then((pages) => {
        for (const page of pages) page.postMessage({ seen: [], timed });
      });
    }).observe({ type: "resource", buffered: true });
  }

  /** Must be called before the request is answered: its body can be read only until then. */
  record(event: RequestEvent): void {
    const { request } = event;
    const at = Date.now();
    this.#n += 1;
    const id = `${this.#run} ${this.#n}`;
    const client = event.clientId || event.resultingClientId;
    const isPlain = request.method === "GET" || request.method === "HEAD";
    const copy = isPlain ? null : copyOf(request);
    const told = sizeOf(isPlain, copy).then((sent) => {
      const { url, method, destination } = request;
      return this.#keep({ id, url, method, destination, at, sent }, client);
    });
    event.waitUntil(told);
  }

  /** Tells one page of all that was remembered. */
  async tell(page: Listener | undefined): Promise<void> {
    if (!page) return;
    const others = await this.#otherPages(page.id);
    const seen = this.#kept.filter(({ client }) => !others.has(client)).map((one) => one.seen);
    page.postMessage({ seen, timed: this.#timed });
  }

  async #keep(seen: Seen, client: string): Promise<void> {
    this.#kept.push({ seen, client });
    if (this.#kept.length > mostKept) this.#kept.shift();
    const pages = await this.#pages();
    // A page's own requests are told to that page; those of a worker to all, since the browser does not say whose it is.
    const isOfPage = pages.some(({ id }) => id === client);
    for (const page of pages) if (!isOfPage || page.id === client) page.postMessage({ seen: [seen], timed: [] });
  }

  #pages(): Promise<readonly Listener[]> {
    return this.listeners.matchAll({ includeUncontrolled: true });
  }

  async #otherPages(own: string): Promise<ReadonlySet<string>> {
    const pages = await this.#pages();
    return new Set(pages.map(({ id }) => id).filter((id) => id !== own));
  }
}

function copyOf(request: Request): Request | null {
  try {
    return request.clone();
  } catch {
    return null;
  }
}

async function sizeOf(isPlain: boolean, copy: Request | null): Promise<number | null> {
  if (isPlain) return 0;
  if (!copy) return null;
  try {
    return (await copy.arrayBuffer()).byteLength;
  } catch {
    return null;
  }
}
