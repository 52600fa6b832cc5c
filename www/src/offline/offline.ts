//! Registers the service worker and brings the page's orders to it.

import { hearSeen } from "../state/watch.ts";
import type { Told } from "../state/seen.ts";
import { hear, reach, type Order, type Parts } from "../state/offline.ts";

const quietMillis = 2000;

export function keepOffline(): void {
  // In development there is no service worker; where the browser has none (private windows, plain http) the page needs its network.
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  const { serviceWorker } = navigator;
  const send = (order: Order) => void serviceWorker.ready.then(({ active }) => active?.postMessage(order));
  serviceWorker.addEventListener("message", ({ data }: MessageEvent<Parts | Told>) =>
    "seen" in data ? hearSeen(data) : hear(data),
  );
  serviceWorker.startMessages();
  const register = async () => {
    try {
      const isFirst = serviceWorker.controller === null;
      await serviceWorker.register("./service-worker.js", { scope: "./" });
      await serviceWorker.ready;
      // Requests of this page that were made before it could hear of them.
      send({ order: "seen" });
      if (isFirst) send({ order: "used", addresses: usedBefore() });
      setTimeout(() => reach(send), quietMillis);
    } catch (error) {
      console.info("no offline use:", error);
    }
  };
  if (document.readyState === "complete") void register();
  else addEventListener("load", () => void register(), { once: true });
}

// The first visit begins without a service worker: what it has fetched is in the browser's own cache only.
function usedBefore(): string[] {
  return performance.getEntriesByType("resource").map(({ name }) => name);
}
