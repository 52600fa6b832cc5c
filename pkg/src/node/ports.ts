/** Ports over worker_threads. */

import { parentPort, type Worker } from "node:worker_threads";

import type { Port } from "../host.js";

/** The data that a parsing thread starts with: other threads can load its file, too. */
export const TO_PARSE = "portolan parse";

/** The starting end. */
export function portToThread(worker: Worker): Port {
  let closing = false;
  worker.unref();
  return {
    post: (message, transfer = []) => worker.postMessage(message, transfer),
    listen: (onMessage) => void worker.on("message", onMessage),
    onFailure(handler) {
      let failed = false;
      const fail = (error: Error) => {
        if (!failed && !closing) handler(error);
        failed = true;
      };
      worker.on("error", (error) => fail(error instanceof Error ? error : new Error(String(error))));
      worker.on("messageerror", fail);
      worker.on("exit", (code) => fail(new Error(`it ended with exit code ${code}`)));
    },
    awaiting: (busy) => (busy ? worker.ref() : worker.unref()),
    close() {
      closing = true;
      void worker.terminate();
    },
  };
}

/** The end inside the thread. */
export function portOfThread(): Port {
  const port = parentPort;
  if (!port) throw new Error("this file is the entry of a worker thread");
  return {
    post: (message, transfer = []) => port.postMessage(message, transfer),
    listen: (onMessage) => void port.on("message", onMessage),
    onFailure: () => {},
    awaiting: () => {},
    close: () => port.close(),
  };
}
