/** Entry of a parsing worker thread; loaded by another thread, it parses there. */

import { workerData } from "node:worker_threads";

import type { Port } from "../host.js";
import { serveParse } from "../workers/parse-worker.js";
import { FileAssets } from "./assets.js";
import { portOfThread, TO_PARSE } from "./ports.js";

/** Answers at `port`, in this thread, with an engine of its own. */
export function parseAt(port: Port): void {
  serveParse(port, new FileAssets());
}

if (workerData === TO_PARSE) parseAt(portOfThread());
