/** Paths of a snapshot under a key: made unreadable and readable again, by the artifact that writes snapshots. */

import { closedOriginals, HiddenSnapshot, restorePaths } from "../../wasm/engine.js";
import { engineInstance } from "../engine/engine-instance.js";
import { fromThrown, PortolanError } from "../errors.js";
import type { Assets } from "../host.js";
import { parsePathKey } from "./path-key.js";
import { pathCipher } from "./encryption.js";

/** Names of the encrypted section and of its contents. */
const ORIGINALS = "originals";

/** The snapshot with paths that only the key makes readable; without its sources unless they are to stay. Rejects with `snapshot.…`, `seal.key`. */
export async function obfuscated(
  assets: Assets,
  bytes: Uint8Array,
  pathKey: string,
  keepTexts: boolean,
): Promise<Uint8Array<ArrayBuffer>> {
  const cipher = await pathCipher(assets, parsePathKey(pathKey));
  return withEngine(assets, () => {
    const hidden = new HiddenSnapshot(bytes, keepTexts, (path: string) => cipher.encipher(path));
    const made = hidden.finish(cipher.close(ORIGINALS, hidden.originals())) as Uint8Array<ArrayBuffer>;
    hidden.free(); // after a fault the engine frees it, or it went with its instance
    return made;
  });
}

/** Reverses `obfuscated`. Rejects with `seal.foreign` where nothing was hidden, with `seal.key` under another key. */
export async function restored(assets: Assets, bytes: Uint8Array, pathKey: string): Promise<Uint8Array<ArrayBuffer>> {
  const cipher = await pathCipher(assets, parsePathKey(pathKey));
  return withEngine(assets, () => {
    const closed = closedOriginals(bytes);
    if (!closed)
      throw new PortolanError("seal.foreign", "the paths of this snapshot are not obfuscated", "open it without a key");
    return restorePaths(bytes, cipher.open(ORIGINALS, closed)) as Uint8Array<ArrayBuffer>;
  });
}

async function withEngine<T>(assets: Assets, run: () => T): Promise<T> {
  engineInstance.start(await assets.module("engine"));
  try {
    return engineInstance.run("to change the paths of a snapshot", run);
  } catch (error) {
    throw fromThrown(error);
  }
}
