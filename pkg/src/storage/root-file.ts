/** How the root of an index in shards begins. */

const MAGIC = "PTLNROOT";

/** Number of bytes that tell whether a file is a root. */
export const N_ROOT_START = MAGIC.length;

/** Whether a file begins as the root of an index in shards does. */
export function isRoot(start: Uint8Array): boolean {
  return new TextDecoder("latin1").decode(start.subarray(0, N_ROOT_START)) === MAGIC;
}
