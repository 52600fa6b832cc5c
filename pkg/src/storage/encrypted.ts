/** Recognises an encrypted snapshot. A module apart from the one that decrypts, which few need. */

import { PortolanError } from "../errors.js";
import type { Assets } from "../host.js";
import type { OpenLimits, Protection } from "../types.js";
import { checkKdf } from "./open-limits.js";

/** How one begins. */
const MAGIC = "PORTSEAL";
/** Number of bytes that show it. */
export const N_MAGIC = MAGIC.length;

/** Whether a snapshot can be opened with a passphrase only. */
export function isSealed(bytes: Uint8Array): boolean {
  return [...MAGIC].every((letter, at) => bytes[at] === letter.charCodeAt(0));
}

/** Whether a snapshot is saved in another way than as it is. */
export function protects({ passphrase, pathKey }: Protection): boolean {
  return passphrase !== undefined || pathKey !== undefined;
}

/** A passphrase was given for a file that is not encrypted. */
export function notEncrypted(): PortolanError {
  return new PortolanError(
    "seal.not-encrypted",
    "a passphrase is given, and the snapshot is not encrypted: anybody may have put it there",
    "open it without a passphrase if you trust it, or get the encrypted one again",
  );
}

/**
 * The snapshot in an encrypted one; one that is not encrypted as it is, where no passphrase is given: who gives one counts on nobody having
 * changed it. With a key, with its paths as they were. Rejects with `seal.…`.
 * A passphrase takes half a second and 64 MiB.
 */
export async function unsealed(
  assets: Assets,
  bytes: Uint8Array,
  passphrase: string | undefined,
  pathKey?: string,
  limits?: OpenLimits,
): Promise<Uint8Array> {
  if (passphrase !== undefined && !isSealed(bytes)) throw notEncrypted();
  if (passphrase !== undefined) checkKdf(bytes, limits);
  const opened = isSealed(bytes) ? await (await import("./encryption.js")).unseal(assets, bytes, passphrase) : bytes;
  return pathKey === undefined ? opened : (await import("./path-obfuscation.js")).restored(assets, opened, pathKey);
}
