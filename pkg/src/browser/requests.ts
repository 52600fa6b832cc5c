/**
 * Tells pages of this site of the files that a worker fetched, as the browser's own timeline lists them: a page can then show every request.
 * Only addresses, times and sizes; pages of other sites cannot hear them.
 */

/** The explorer listens here: www/src/state/seen.ts. */
const CHANNEL = "portolan requests";

/** Starts telling. Where the browser lacks an interface for it, nothing is told. */
export function tellRequests(): void {
  if (typeof BroadcastChannel === "undefined" || typeof PerformanceObserver === "undefined") return;
  const channel = new BroadcastChannel(CHANNEL);
  const { timeOrigin } = performance;
  new PerformanceObserver((list) =>
    channel.postMessage(
      (list.getEntries() as PerformanceResourceTiming[]).map((entry) => ({
        url: entry.name,
        from: "worker",
        by: entry.initiatorType,
        at: timeOrigin + entry.startTime,
        end: timeOrigin + entry.responseEnd,
        network: entry.transferSize,
        body: entry.encodedBodySize,
      })),
    ),
  ).observe({ type: "resource", buffered: true });
}
