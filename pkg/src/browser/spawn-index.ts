/** Starts the index worker, which starts the others, and a worker for a cross-encoder: this file is all of them that a page's bundle holds. */

import type { Port } from "../host.js";
import { portToWorker } from "./ports.js";

export function spawnIndex(): Port {
  return portToWorker(new Worker(new URL("./index.js", import.meta.url), { type: "module", name: "portolan index" }));
}

export function spawnEmbed(): Port {
  return portToWorker(new Worker(new URL("./embed.js", import.meta.url), { type: "module", name: "portolan embed" }));
}
