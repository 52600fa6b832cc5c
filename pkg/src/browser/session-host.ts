/** The browser as a session sees it, from inside a worker. */

import type { SessionHost } from "../host.js";
import { IndexedDbStore } from "../storage/indexed-db.js";
import { FetchedAssets, type Places } from "./assets.js";
import { portToWorker } from "./ports.js";
import { staleHandle } from "./stale.js";
import { watchHandle } from "./watch.js";

export function browserSessionHost(places: Places): SessionHost {
  const store = new IndexedDbStore();
  return {
    assets: new FetchedAssets(places),
    parallelism: navigator.hardwareConcurrency || 2,
    memory: deviceMemory(),
    spawn(role) {
      // Written out one by one: bundlers read these lines.
      if (role === "parse")
        return portToWorker(
          new Worker(new URL("./parse.js", import.meta.url), { type: "module", name: "portolan parse" }),
          places,
        );
      if (role === "seal")
        return portToWorker(
          new Worker(new URL("./seal.js", import.meta.url), { type: "module", name: "portolan seal" }),
          places,
        );
      return portToWorker(
        new Worker(new URL("./embed.js", import.meta.url), { type: "module", name: "portolan embed" }),
        places,
      );
    },
    fetchesBy: "files",
    store: () => store,
    watch: watchHandle,
    stale: staleHandle,
  };
}

/** Of what the device has, half: the rest is for the workers that parse, for other pages and the system. Not every browser tells; eight is the most that is told. */
function deviceMemory(): number | undefined {
  const { deviceMemory } = navigator as { deviceMemory?: number };
  return deviceMemory === undefined || deviceMemory >= 8 ? undefined : (deviceMemory / 2) * 2 ** 30;
}
