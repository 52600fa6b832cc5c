/** Starts the history worker. Its wasm is named here, so that only builds that import `portolan/history` take it along. */

import type { Asset } from "../asset.js";
import type { Port } from "../host.js";
import { placesOf } from "./assets.js";
import { portToWorker } from "./ports.js";

const HISTORY: Asset = { history: () => new URL("../../wasm/history_bg.wasm", import.meta.url) };

export function spawnHistory(): Port {
  return portToWorker(
    new Worker(new URL("./history.js", import.meta.url), { type: "module", name: "portolan history" }),
    placesOf([HISTORY]),
  );
}
