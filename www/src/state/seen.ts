//! A request as the browser reports it, in two ways: by the timeline of the thread that made it (when, how many bytes came), and by an event of
//! the service worker before it is sent (method, and how many bytes its body has).

/** An entry of a timeline. Times are milliseconds since 1970. */
export interface Timed {
  readonly url: string;
  readonly from: "page" | "worker" | "service worker";
  /** Its initiator, in the browser's words: `script`, `fetch`, `img`, … */
  readonly by: string;
  readonly at: number;
  readonly end: number;
  /** Bytes that came over the network, head included; 0 for what this browser had. */
  readonly network: number;
  /** Bytes of the body; 0 also where the other host does not allow the page to know it. */
  readonly body: number;
}

/** An event of the service worker. */
export interface Seen {
  /** The same for the same event, however often it is reported. */
  readonly id: string;
  readonly url: string;
  readonly method: string;
  /** Its destination, in the browser's words; empty for requests of scripts. */
  readonly destination: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Bytes of the request's body; null where the browser did not let it be read. */
  readonly sent: number | null;
}

/** Messages of the service worker to its pages. */
export interface Told {
  readonly seen: readonly Seen[];
  /** The service worker's own timeline: what it fetched to answer pages, and to be ready without a network. */
  readonly timed: readonly Timed[];
}

/** An entry of the timeline of this thread. */
export function timedOf(entry: PerformanceResourceTiming, from: Timed["from"]): Timed {
  const { timeOrigin } = performance;
  return {
    url: entry.name,
    from,
    by: entry.initiatorType,
    at: timeOrigin + entry.startTime,
    end: timeOrigin + entry.responseEnd,
    network: entry.transferSize,
    body: entry.encodedBodySize,
  };
}

/** Workers of the package tell pages of this site of their timelines here: pkg/src/browser/requests.ts. */
export const channelName = "portolan requests";
