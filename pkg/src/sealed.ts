/** What tells an encrypted snapshot; apart from what opens it, which few need. */

import type { Assets } from "./host.js";
import type { Protection } from "./types.js";

/** How one begins. */
const MAGIC = "PORTSEAL";
/** So many bytes tell it. */
export const N_MAGIC = MAGIC.length;

/** Whether a snapshot can be opened with a passphrase only. */
export function isSealed(bytes: Uint8Array): boolean {
  return [...MAGIC].every((letter, at) => bytes[at] === letter.charCodeAt(0));
}

/** Whether a snapshot is saved in another way than as it is. */
export function protects({ passphrase, pathKey }: Protection): boolean {
  return passphrase !== undefined || pathKey !== undefined;
}

/**
 * The snapshot in an encrypted one; one that is not encrypted as it is. With a key, with its paths as they were. Rejects with `seal.…`.
 * A passphrase takes half a second and 64 MiB.
 */
export async function unsealed(
  assets: Assets,
  bytes: Uint8Array,
  passphrase: string | undefined,
  pathKey?: string,
): Promise<Uint8Array> {
  const opened = isSealed(bytes) ? await (await import("./sealing.js")).unseal(assets, bytes, passphrase) : bytes;
  return pathKey === undefined ? opened : (await import("./hiding.js")).restored(assets, opened, pathKey);
}
