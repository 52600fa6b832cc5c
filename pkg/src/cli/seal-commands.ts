/** Snapshots to share: encrypted with a passphrase, or with paths that only a key makes readable; and back. */

import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";

import { openSnapshot } from "../answering.js";
import { fromThrown, PortolanError } from "../errors.js";
import { FileAssets } from "../node/assets.js";
import { writeSnapshot } from "../node/file-store.js";
import { findRoot, indexPathOf, requireIndex } from "../node/root.js";
import { isSealed } from "../sealed.js";
import { pathCipher, random, sealed, unseal, type PathCipher } from "../sealing.js";
import { noOperands, operand, UsageError, type Command } from "./options.js";
import { passphraseOf } from "./passphrase.js";

const KEY_HEAD = "portolan-path-key-1";

/** Whether `export` is asked for a snapshot, not for the graph. */
export function exportsSnapshot({ options }: Command): boolean {
  return options["obfuscate-paths"] === true || options.passphrase === true || options["passphrase-file"] !== undefined;
}

export async function exportSnapshot(command: Command): Promise<string> {
  noOperands(command);
  const { options } = command;
  if (options.format !== undefined) throw new UsageError("export: give either --format, or --passphrase and --obfuscate-paths");
  if (options.output === undefined) throw new UsageError("export: a snapshot goes to a file: -o FILE");
  if (options["obfuscate-paths"] === true && options["key-file"] === undefined) throw new UsageError("export: --obfuscate-paths wants a --key-file; it is made if it is not there");
  const assets = new FileAssets();
  let bytes: Uint8Array = read(options.index === undefined ? requireIndex() : resolve(options.index));
  if (isSealed(bytes)) throw new PortolanError("seal.closed", "this index is encrypted", "take it in with `portolan import` first");
  const notes: string[] = [];
  if (options["obfuscate-paths"] === true) {
    const { secret, isNew } = keyOf(options["key-file"] as string, true);
    if (isNew) notes.push(`the new key is in ${options["key-file"]}: whoever has it can read the paths; without it nobody can\n`);
    bytes = await obfuscated(bytes, await pathCipher(assets, secret), options["keep-texts"] === true);
  }
  if (options.passphrase === true || options["passphrase-file"] !== undefined) bytes = await sealed(assets, bytes, await passphraseOf(command, true));
  const target = resolve(options.output);
  writePrivately(target, bytes);
  if (options.json === true) return `${JSON.stringify({ file: target, n_bytes: bytes.length, encrypted: isSealed(bytes), obfuscated: options["obfuscate-paths"] === true })}\n`;
  return `${target} (${(bytes.length / 1e6).toFixed(1)} MB)\n${notes.join("")}`;
}

/** `portolan import FILE`: decrypted, with its paths where there is a key, checked, and kept as the index of this repository. */
export async function importSnapshot(command: Command): Promise<string> {
  const file = operand(command, "FILE");
  const { options } = command;
  const assets = new FileAssets();
  let bytes: Uint8Array = await opened(read(file), command, file);
  if (options["key-file"] !== undefined) bytes = await restored(bytes, await pathCipher(assets, keyOf(options["key-file"], false).secret));
  const index = await openSnapshot(assets, bytes);
  const { name, n_files } = await index.ask("status", {});
  // What has not been read is compared with its checksum, too, where all is put together.
  index.save();
  index.free();
  const target = options.output === undefined ? indexPathOf(findRoot()) : resolve(options.output);
  writeSnapshot(target, bytes);
  return options.json === true ? `${JSON.stringify({ index: target, name, n_files, n_bytes: bytes.length })}\n` : `${name}: ${n_files} files\n${target}\n`;
}

/** The bytes of a snapshot that may be encrypted. */
export async function opened(bytes: Uint8Array, command: Command, path: string): Promise<Uint8Array> {
  if (!isSealed(bytes)) return bytes;
  try {
    return await unseal(new FileAssets(), bytes, await passphraseOf(command, false));
  } catch (error) {
    if (error instanceof PortolanError && error.code.startsWith("seal.")) throw new PortolanError(error.code, `${path}: ${error.message}`, error.help, { cause: error });
    throw error;
  }
}

/** `portolan reveal PATH…`: what obfuscated paths stand for. */
export async function reveal({ operands, options }: Command): Promise<string> {
  if (options["key-file"] === undefined) throw new UsageError("reveal: --key-file is missing");
  if (operands.length === 0) throw new UsageError("reveal: PATH is missing");
  const cipher = await pathCipher(new FileAssets(), keyOf(options["key-file"], false).secret);
  const paths = operands.map((path) => ({ path, plain: cipher.decipher(path) }));
  return options.json === true ? `${JSON.stringify({ paths })}\n` : paths.map(({ plain }) => `${plain}\n`).join("");
}

/** Name of the sealed section, and of what is closed in it. */
const ORIGINALS = "originals";

async function obfuscated(bytes: Uint8Array, cipher: PathCipher, keepTexts: boolean): Promise<Uint8Array> {
  const { HiddenSnapshot } = await engine();
  return guarded(() => {
    const hidden = new HiddenSnapshot(bytes, keepTexts, (path: string) => cipher.encipher(path));
    try {
      return hidden.finish(cipher.close(ORIGINALS, hidden.originals()));
    } finally {
      hidden.free();
    }
  });
}

async function restored(bytes: Uint8Array, cipher: PathCipher): Promise<Uint8Array> {
  const { closedOriginals, restorePaths } = await engine();
  return guarded(() => {
    const closed = closedOriginals(bytes);
    if (!closed) throw new PortolanError("seal.foreign", "the paths of this snapshot are not obfuscated", "import it without --key-file");
    return restorePaths(bytes, cipher.open(ORIGINALS, closed));
  });
}

function guarded<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw fromThrown(error);
  }
}

/** Paths are changed by the artifact that writes snapshots. */
async function engine() {
  const module = await import("../../wasm/engine.js");
  module.initSync({ module: await new FileAssets().module("engine") });
  return module;
}

/** The key in a file; a new one where there is none and one is to be made. */
function keyOf(file: string, make: boolean): { secret: Uint8Array; isNew: boolean } {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (!make || (error as NodeJS.ErrnoException).code !== "ENOENT") throw new PortolanError("input.unreadable", `${file}: ${(error as Error).message}`, "", { cause: error });
    const secret = random(32);
    mkdirSync(dirname(resolve(file)), { recursive: true });
    writeFileSync(file, `${KEY_HEAD} ${Buffer.from(secret).toString("hex")}\n`, { mode: 0o600, flag: "wx" });
    return { secret, isNew: true };
  }
  const [, hex] = new RegExp(`^${KEY_HEAD} ([0-9a-f]{64})\\s*$`).exec(text) ?? [];
  if (hex === undefined) throw new PortolanError("seal.key", `${file} is no key file`, `it has one line: ${KEY_HEAD} and 64 digits from 0 to f`);
  return { secret: Buffer.from(hex, "hex"), isNew: false };
}

function read(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new PortolanError("input.unreadable", `${path}: ${(error as Error).message}`, "", { cause: error });
  }
}

/** Beside it first, then over it; readable by its owner only until he shares it. */
function writePrivately(path: string, bytes: Uint8Array): void {
  const beside = `${path}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(beside, bytes, { mode: 0o600 });
    renameSync(beside, path);
  } catch (error) {
    rmSync(beside, { force: true });
    throw new PortolanError("output.unwritable", `${path}: ${(error as Error).message}`, "", { cause: error });
  }
}
