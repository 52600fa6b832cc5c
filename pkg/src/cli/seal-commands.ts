/** Snapshots to share: encrypted with a passphrase, or with paths that only a key makes readable; and back. */

import { resolve } from "node:path";

import { openSnapshot } from "../reading/answering.js";
import { PortolanError } from "../errors.js";
import { FileAssets } from "../node/assets.js";
import { isSnapshot, writeSnapshot } from "../node/file-store.js";
import { bindIndex } from "../node/bind-index.js";
import { wholeIndex } from "../node/overlay.js";
import { findRoot, indexPathOf, requireIndex } from "../node/root.js";
import { readRegular, replaceFile, unwritable } from "../node/safe-files.js";
import { placeNamed } from "../node/safe-folder.js";
import { isSealed } from "../storage/encrypted.js";
import { newPathKey, parsePathKey } from "../storage/path-key.js";
import { pathCipher, sealed, unseal } from "../storage/encryption.js";
import { noOperands, operand, UsageError, type Command } from "../commands/options.js";
import { passphraseOf } from "./passphrase.js";
import { quantity } from "../quantity.js";

/** Whether `export` is asked for a snapshot, not for the graph. */
export function exportsSnapshot({ options }: Command): boolean {
  return options["obfuscate-paths"] === true || options.passphrase === true || options["passphrase-file"] !== undefined;
}

export async function exportSnapshot(command: Command): Promise<string> {
  noOperands(command);
  const { options } = command;
  if (options.format !== undefined)
    throw new UsageError("export: give either --format, or --passphrase and --obfuscate-paths");
  if (options.output === undefined) throw new UsageError("export: a snapshot goes to a file: -o FILE");
  if (options["obfuscate-paths"] === true && options["key-file"] === undefined)
    throw new UsageError("export: --obfuscate-paths needs a --key-file; it is created if it does not exist");
  const assets = new FileAssets();
  const source = options.index === undefined ? requireIndex() : resolve(options.index);
  let bytes: Uint8Array = read(await wholeIndex(source));
  if (isSealed(bytes))
    throw new PortolanError("seal.closed", "this index is encrypted", "decrypt it with `portolan import` first");
  const notes: string[] = [];
  if (options["obfuscate-paths"] === true) {
    const { key, isNew } = keyIn(options["key-file"] as string, true);
    if (isNew)
      notes.push(
        `the new key is in ${options["key-file"]}: whoever has it can read the paths; without it nobody can\n`,
      );
    bytes = await (await import("../storage/path-obfuscation.js")).obfuscated(
      assets,
      bytes,
      key,
      options["keep-texts"] === true,
    );
  }
  if (options.passphrase === true || options["passphrase-file"] !== undefined)
    bytes = await sealed(assets, bytes, await passphraseOf(command, true));
  const target = resolve(options.output);
  writePrivately(target, bytes);
  if (options.json === true)
    return `${JSON.stringify({ file: target, n_bytes: bytes.length, encrypted: isSealed(bytes), obfuscated: options["obfuscate-paths"] === true })}\n`;
  return `${target} (${(bytes.length / 1e6).toFixed(1)} MB)\n${notes.join("")}`;
}

/** `portolan import FILE`: decrypted, with its paths where there is a key, checked, and kept as the index of this repository. */
export async function importSnapshot(command: Command): Promise<string> {
  const file = operand(command, "FILE");
  const { options } = command;
  const assets = new FileAssets();
  let bytes: Uint8Array = await opened(read(file), command, file);
  if (options["key-file"] !== undefined)
    bytes = await (await import("../storage/path-obfuscation.js")).restored(
      assets,
      bytes,
      keyIn(options["key-file"], false).key,
    );
  const index = await openSnapshot(assets, bytes);
  const { name, n_files } = await index.ask("status", {});
  // Putting everything together also compares the sections that were not read with their checksums.
  index.save();
  index.free();
  const target = options.output === undefined ? indexPathOf(findRoot()) : resolve(options.output);
  writeSnapshot(target, bytes);
  // Who names a file to take in trusts who made it.
  bindIndex(target);
  return options.json === true
    ? `${JSON.stringify({ index: target, name, n_files, n_bytes: bytes.length })}\n`
    : `${name}: ${quantity(n_files, "file")}\n${target}\n`;
}

/** The bytes of a snapshot that may be encrypted. */
export async function opened(bytes: Uint8Array, command: Command, path: string): Promise<Uint8Array> {
  if (!isSealed(bytes)) return bytes;
  try {
    return await unseal(new FileAssets(), bytes, await passphraseOf(command, false));
  } catch (error) {
    if (error instanceof PortolanError && error.code.startsWith("seal."))
      throw new PortolanError(error.code, `${path}: ${error.message}`, error.help, { cause: error });
    throw error;
  }
}

/** `portolan reveal PATH…`: decrypts paths. */
export async function reveal({ operands, options }: Command): Promise<string> {
  if (options["key-file"] === undefined) throw new UsageError("reveal: --key-file is missing");
  if (operands.length === 0) throw new UsageError("reveal: PATH is missing");
  const cipher = await pathCipher(new FileAssets(), parsePathKey(keyIn(options["key-file"], false).key));
  const paths = operands.map((path) => ({ path, plain: cipher.decipher(path) }));
  return options.json === true ? `${JSON.stringify({ paths })}\n` : paths.map(({ plain }) => `${plain}\n`).join("");
}

/** The text of a key file; a new one where there is none and one is to be made. */
function keyIn(file: string, make: boolean): { key: string; isNew: boolean } {
  let key: string;
  try {
    key = Buffer.from(readRegular(file, { pipes: true })).toString("utf8");
  } catch (error) {
    if (!make || (error as NodeJS.ErrnoException).code !== "ENOENT")
      throw new PortolanError("input.unreadable", `${file}: ${(error as Error).message}`, "", { cause: error });
    key = newPathKey();
    replaceFile(placeNamed(file, [findRoot()]), key, { isOurs: () => false, mode: 0o600 });
    return { key, isNew: true };
  }
  // Named here, where the file is known.
  parsePathKey(key, file);
  return { key, isNew: false };
}

function read(path: string): Uint8Array {
  try {
    return readRegular(path, { pipes: true });
  } catch (error) {
    throw new PortolanError("input.unreadable", `${path}: ${(error as Error).message}`, "", { cause: error });
  }
}

/** Readable by its owner only until he shares it. */
function writePrivately(path: string, bytes: Uint8Array): void {
  try {
    replaceFile(placeNamed(path, [findRoot()]), bytes, { isOurs: isSnapshot, mode: 0o600 });
  } catch (error) {
    throw unwritable(path, error);
  }
}
