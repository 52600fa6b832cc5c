// @ts-check
// Encrypted snapshots: a separate artifact of the npm package decrypts them, in memory of its own, which is freed
// afterwards. Deriving the key takes 64 MiB, and an isolate has 128 MB for everything.

import { initSync, nOverhead, openSnapshot, restart } from "../../../pkg/wasm/seal.js";
import { Failure } from "./wasm/edge.js";

/** @type {WebAssembly.Module | undefined} */
let module;

/**
 * Gives the artifact that decrypts, which each host loads in its own way.
 * @param {WebAssembly.Module} compiled
 */
export function useModule(compiled) {
  module = compiled;
}

/** How one begins. */
const MAGIC = "PORTSEAL";
/** With the key's 64 MiB, the file and what is in it must fit into the isolate. */
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * @param {Uint8Array} start
 */
export function isSealed(start) {
  return [...MAGIC].every((letter, at) => start[at] === letter.charCodeAt(0));
}

/**
 * Refuses what cannot be opened here, before it is read.
 * @param {string} repository
 * @param {number} nBytes
 * @param {string | undefined} passphrase
 * @returns {string} the passphrase
 */
export function passphraseFor(repository, nBytes, passphrase) {
  if (passphrase === undefined || passphrase === "") {
    throw new Failure(
      "seal.passphrase-missing",
      `the snapshot of ${repository} is encrypted`,
      "give its passphrase: npx wrangler secret put PASSPHRASE",
    );
  }
  if (nBytes > MOST_BYTES) {
    throw new Failure(
      "snapshot.too-large",
      `the snapshot of ${repository} is encrypted and has ${nBytes} bytes; ${MOST_BYTES} can be opened here`,
      "put it into a private bucket without encryption, or index fewer files",
    );
  }
  return passphrase;
}

/**
 * Returns the contents of an encrypted snapshot. Half a second of processor time.
 * @param {Uint8Array} file
 * @param {string} passphrase
 * @returns {Uint8Array}
 */
export function unsealed(file, passphrase) {
  initSync({ module: /** @type {WebAssembly.Module} */ (module) });
  try {
    return openSnapshot(file, passphrase.normalize("NFC"));
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) throw error;
    const { code, message, help } = /** @type {{ code: string, message: string, help: string }} */ (error);
    throw new Failure(code, message, help);
  } finally {
    restart();
    nOverhead(); // the new instance; the memory of the old one goes
  }
}
