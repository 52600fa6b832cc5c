/** What tells an encrypted snapshot; apart from what opens it, which few need. */

import type { Assets } from "./host.js";

/** How one begins. */
const MAGIC = "PORTSEAL";
/** So many bytes tell it. */
export const N_MAGIC = MAGIC.length;

/** Whether a snapshot can be opened with a passphrase only. */
export function isSealed(bytes: Uint8Array): boolean {
  return [...MAGIC].every((letter, at) => bytes[at] === letter.charCodeAt(0));
}

/** The snapshot in an encrypted one; one that is not encrypted as it is. Rejects with `seal.…`. Takes half a second and 64 MiB. */
export async function unsealed(assets: Assets, bytes: Uint8Array, passphrase: string | undefined): Promise<Uint8Array> {
  return isSealed(bytes) ? (await import("./sealing.js")).unseal(assets, bytes, passphrase) : bytes;
}
