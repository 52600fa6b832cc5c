/** Ports over Web Workers. */

import { stale } from "../errors.js";
import type { Port } from "../host.js";
import type { Places } from "./assets.js";
import { tellRequests } from "./requests.js";

/** The starting end. The first message says where files are: see `startedBy`. */
export function portToWorker(worker: Worker, places: Places): Port {
  worker.postMessage(places);
  return {
    post: (message, transfer = []) => worker.postMessage(message, transfer),
    listen: (onMessage) => worker.addEventListener("message", (event) => onMessage(event.data)),
    onFailure(handler) {
      let failed = false;
      const fail = (error: Error) => {
        if (!failed) handler(error);
        failed = true;
      };
      // Only what a script throws has words: without them there was no script.
      worker.addEventListener("error", (event) =>
        fail(event.message ? new Error(event.message) : stale("its program could not be loaded", event)),
      );
      worker.addEventListener("messageerror", () => fail(new Error("a message could not be read")));
    },
    awaiting: () => {},
    close: () => worker.terminate(),
  };
}

/** Inside a worker: calls `serve` when the first message has come. Those that follow wait until the script of this one is done. */
export function startedBy(serve: (port: Port, places: Places) => void): void {
  const scope = self as unknown as DedicatedWorkerGlobalScope;
  tellRequests();
  scope.addEventListener("message", (event) => serve(portOfWorker(scope), event.data as Places), { once: true });
}

/** The end inside the worker. */
function portOfWorker(scope: DedicatedWorkerGlobalScope): Port {
  return {
    post: (message, transfer = []) => scope.postMessage(message, transfer),
    listen: (onMessage) => scope.addEventListener("message", (event) => onMessage(event.data)),
    onFailure: () => {},
    awaiting: () => {},
    close: () => scope.close(),
  };
}

/** The part of a worker's global scope that is used; the DOM library describes windows. */
interface DedicatedWorkerGlobalScope {
  postMessage(message: unknown, transfer: Transferable[]): void;
  addEventListener(type: "message", listener: (event: MessageEvent) => void, options?: { once: boolean }): void;
  close(): void;
}
