/** Encrypted snapshots and paths under a key, by an artifact of its own that is loaded only for those. */

import * as seal from "../../wasm/seal.js";
import { closeSnapshot, openSnapshot, PathKey } from "../../wasm/seal.js";
import { fromThrown, PortolanError } from "../errors.js";
import type { Assets } from "../host.js";
import { Instance, type Glue } from "../engine/instance.js";
import type { Protection, SealPhase } from "../types.js";

const sealInstance = new Instance({
  initSync: (input) => seal.initSync(input),
  restart: (seal as Partial<Glue>).restart,
  restarted: (seal as Partial<Glue>).restarted,
});

/** Returns the snapshot to share: with encrypted paths first, then encrypted as a whole, each on request. */
export async function protect(
  assets: Assets,
  bytes: Uint8Array<ArrayBuffer>,
  { passphrase, pathKey, keepTexts = false }: Protection,
  onPhase?: (phase: SealPhase) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  if (passphrase === "") throw withoutPassphrase();
  let made = bytes;
  if (pathKey !== undefined) {
    onPhase?.("paths");
    made = await (await import("./path-obfuscation.js")).obfuscated(assets, made, pathKey, keepTexts);
  }
  if (passphrase === undefined) return made;
  onPhase?.("encrypting");
  return sealed(assets, made, passphrase);
}

/** The snapshot in an encrypted one. Rejects with `seal.…`. */
export async function unseal(assets: Assets, bytes: Uint8Array, passphrase: string | undefined): Promise<Uint8Array> {
  if (passphrase === undefined)
    throw new PortolanError("seal.passphrase-missing", "the snapshot is encrypted", "give its passphrase");
  return guarded(assets, () => openSnapshot(bytes, passphrase.normalize("NFC")));
}

/** The snapshot as it opens with this passphrase only. */
export async function sealed(assets: Assets, bytes: Uint8Array, passphrase: string): Promise<Uint8Array<ArrayBuffer>> {
  if (passphrase === "") throw withoutPassphrase();
  return guarded(
    assets,
    () => closeSnapshot(bytes, passphrase.normalize("NFC"), random(16), random(12)) as Uint8Array<ArrayBuffer>,
  );
}

function withoutPassphrase(): PortolanError {
  return new PortolanError(
    "seal.passphrase-missing",
    "an empty passphrase protects nothing",
    "give one of several words",
  );
}

/** A key for paths, and its operations. */
export interface PathCipher {
  /** The path as others see it, the same every time. */
  encipher(path: string): string;
  /** Reverses `encipher`. Throws `seal.key`. */
  decipher(path: string): string;
  /** Closes bytes under a name, with a new nonce. */
  close(what: string, bytes: Uint8Array): Uint8Array;
  open(what: string, bytes: Uint8Array): Uint8Array;
}

/** The key of 32 secret bytes. */
export async function pathCipher(assets: Assets, secret: Uint8Array): Promise<PathCipher> {
  const key = await guarded(assets, () => new PathKey(secret));
  const attempt = <T>(run: () => T): T => {
    try {
      return run();
    } catch (error) {
      throw fromThrown(error);
    }
  };
  return {
    encipher: (path) => key.encipher(path),
    decipher: (path) => attempt(() => key.decipher(path)),
    close: (what, bytes) => attempt(() => key.close(random(12), what, bytes)),
    open: (what, bytes) => attempt(() => key.open(what, bytes)),
  };
}

/** Random bytes of the host. */
function random(n: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(n));
}

async function guarded<T>(assets: Assets, run: () => T): Promise<T> {
  sealInstance.start(await assets.module("seal"));
  try {
    return sealInstance.run("to encrypt or decrypt", run);
  } catch (error) {
    throw fromThrown(error);
  }
}
