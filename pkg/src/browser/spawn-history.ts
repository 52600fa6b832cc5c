/** Starts the history worker. Its wasm is named here, so that only builds that import `portolan/history` take it along. */

import type { Asset } from "../asset.js";
import type { Port } from "../host.js";
import { placesOf, SCRIPTS } from "./assets.js";
import { portToWorker } from "./ports.js";

const HISTORY: Asset = { history: () => new URL("../../wasm/history_bg.wasm", import.meta.url) };

/** `folder` is the address of what `portolan assets` wrote, where that is used. */
export function spawnHistory(folder?: string): Port {
  const places = placesOf(folder ?? [HISTORY]);
  const name = "portolan history";
  return portToWorker(
    places.folder === undefined
      ? new Worker(new URL("./history.js", import.meta.url), { type: "module", name: "portolan history" })
      : new Worker(`${places.folder}${SCRIPTS}history.js`, { type: "module", name }),
    places,
  );
}
