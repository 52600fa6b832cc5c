/** The key of obfuscated paths, as a file holds it. */

import { PortolanError } from "../errors.js";

const HEAD = "portolan-path-key-1";
/** Bytes of a key. */
const N_BYTES = 32;

/** A new key for `save({ pathKey })`: the text of a key file. Keep it: without it the paths cannot be decrypted. */
export function newPathKey(): string {
  const key = crypto.getRandomValues(new Uint8Array(N_BYTES));
  return `${HEAD} ${Array.from(key, (byte) => byte.toString(16).padStart(2, "0")).join("")}\n`;
}

/** The key in a key file's text. Throws `seal.key`; `file` names it in the message. */
export function parsePathKey(text: string, file = "what was given"): Uint8Array<ArrayBuffer> {
  const [, hex] = new RegExp(`^${HEAD} ([0-9a-f]{${2 * N_BYTES}})\\s*$`).exec(text) ?? [];
  if (hex === undefined)
    throw new PortolanError("seal.key", `${file} is no key file`, `it has one line: ${HEAD} and 64 digits from 0 to f`);
  return Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
}
