/** Starts the index worker, which starts the others: this file is all of them that a page's bundle holds. */

import type { Port } from "../host.js";
import { portToWorker } from "./ports.js";

export function spawnIndex(): Port {
  return portToWorker(new Worker(new URL("./index.js", import.meta.url), { type: "module", name: "portolan index" }));
}
