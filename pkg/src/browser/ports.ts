/** Ports over Web Workers. */

import type { Port } from "../host.js";

/** The starting end. */
export function portToWorker(worker: Worker): Port {
  return {
    post: (message, transfer = []) => worker.postMessage(message, transfer),
    listen: (onMessage) => worker.addEventListener("message", (event) => onMessage(event.data)),
    onFailure(handler) {
      let failed = false;
      const fail = (message: string) => {
        if (!failed) handler(new Error(message));
        failed = true;
      };
      worker.addEventListener("error", (event) => fail(event.message || "it could not be started"));
      worker.addEventListener("messageerror", () => fail("a message could not be read"));
    },
    awaiting: () => {},
    close: () => worker.terminate(),
  };
}

/** The end inside the worker. */
export function portOfWorker(scope: DedicatedWorkerGlobalScope): Port {
  return {
    post: (message, transfer = []) => scope.postMessage(message, transfer),
    listen: (onMessage) => scope.addEventListener("message", (event) => onMessage(event.data)),
    onFailure: () => {},
    awaiting: () => {},
    close: () => scope.close(),
  };
}

/** What is used of a worker's global scope; the DOM library describes windows. */
export interface DedicatedWorkerGlobalScope {
  postMessage(message: unknown, transfer: Transferable[]): void;
  addEventListener(type: "message", listener: (event: MessageEvent) => void): void;
  close(): void;
}
