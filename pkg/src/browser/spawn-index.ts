/** Starts the index worker, which starts the others, and a worker for a cross-encoder: this file is all of them that a page's bundle holds. */

import type { Port } from "../host.js";
import { SCRIPTS, type Places } from "./assets.js";
import { portToWorker } from "./ports.js";

export function spawnIndex(places: Places): Port {
  const name = "portolan index";
  return portToWorker(
    places.folder === undefined
      ? new Worker(new URL("./index.js", import.meta.url), { type: "module", name: "portolan index" })
      : new Worker(`${places.folder}${SCRIPTS}index.js`, { type: "module", name }),
    places,
  );
}

export function spawnEmbed(places: Places): Port {
  const name = "portolan embed";
  return portToWorker(
    places.folder === undefined
      ? new Worker(new URL("./embed.js", import.meta.url), { type: "module", name: "portolan embed" })
      : new Worker(`${places.folder}${SCRIPTS}embed.js`, { type: "module", name }),
    places,
  );
}
