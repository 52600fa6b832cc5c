/** The most that opening a snapshot from elsewhere may cost. The engine's own bounds hold as well. */

import { PortolanError } from "../errors.js";
import type { OpenLimits } from "../types.js";

/** Where the head of an encrypted snapshot says what deriving its key takes: KiB of memory, then passes. */
const KDF_MEMORY_AT = 12;
const KDF_PASSES_AT = 16;

/** Refuses limits that are no numbers, before anything is opened. */
export function checkLimits(limits: OpenLimits | undefined): void {
  for (const [name, value] of Object.entries(limits ?? {})) {
    if (value === undefined || (typeof value === "number" && value >= 0)) continue;
    throw new PortolanError("options.invalid", `limits.${name}: expected a number, got ${String(value)}`);
  }
}

/** Refuses an encrypted snapshot whose key takes more than the caller allows, before any of it is derived. */
export function checkKdf(sealed: Uint8Array, { kdfMemory = Infinity, kdfPasses = Infinity }: OpenLimits = {}): void {
  if (sealed.byteLength < KDF_PASSES_AT + 4) return; // too short for a header, which has an error code of its own
  const head = new DataView(sealed.buffer, sealed.byteOffset, KDF_PASSES_AT + 4);
  const memory = head.getUint32(KDF_MEMORY_AT, true) * 1024;
  const passes = head.getUint32(KDF_PASSES_AT, true);
  if (memory <= kdfMemory && passes <= kdfPasses) return;
  throw new PortolanError(
    "seal.cost",
    `the passphrase of this snapshot takes ${memory} bytes and ${passes} passes to check, more than was allowed`,
    "raise limits.kdfMemory and limits.kdfPasses if you trust where it comes from",
  );
}
