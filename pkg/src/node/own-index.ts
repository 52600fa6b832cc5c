/**
 * Whether an index was made here. One that came with an archive or a clone can contain anything about the files beside it, so it is never
 * found by looking for it: a user who trusts it names its file.
 *
 * Two witnesses, of which one suffices. A record in the user's folder says which file was written (its number, size and times, as no archive
 * can set them): a question reads it in a tenth of a millisecond. A code of authentication (HMAC-SHA-256 over the whole file) is kept beside the
 * index, by a key that is in the user's folder or in PORTOLAN_INDEX_KEY: it holds after the folder was moved, copied, or restored from a
 * cache, and is worked out only where the record does not fit.
 */

import type * as Crypto from "node:crypto";
import { closeSync, lstatSync, openSync, readFileSync, readSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";

import { PortolanError } from "../errors.js";
import { identityOf, nameFor, readPrivate, userFolder, writePrivate } from "./user-folder.js";

/** Folder and file of an index, relative to the indexed folder. */
export const INDEX_FOLDER = ".portolan";
export const INDEX_FILE = "index.portolan";

const KEY = "index.key";
export const RECORDS = "indexes";
const N_KEY_BYTES = 32;
/** Shorter ones can be guessed. */
const MIN_VARIABLE = 16;
const PIECE = 1024 * 1024;
/** Tells this code of authentication from others that may be made with the same key. */
const PURPOSE = "portolan index 1\n";

/** Whether an index that was found, not named, may be used. */
export function isOwnIndex(path: string): boolean {
  const place = placeOf(path);
  const identity = place && identityOf(place.file);
  if (!place || identity === undefined) return false;
  const folder = userFolder(place.root);
  const known = folder === undefined ? undefined : readPrivate(folder, recordOf(place.file));
  if (known?.startsWith(record(place.file, identity)) === true) return true;
  const key = keyFor(folder, false);
  if (key === undefined || !isAuthentic(place.file, key)) return false;
  if (folder !== undefined) attempt(() => writePrivate(folder, recordOf(place.file), record(place.file, identity)));
  return true;
}

/** As `isOwnIndex`; throws `index.untrusted`, which says what to do. */
export function requireOwnIndex(path: string): string {
  if (isOwnIndex(path)) return path;
  throw new PortolanError(
    "index.untrusted",
    `${path} was not made here, or was changed since: it can say what it likes of the files`,
    `make it anew with \`portolan index\`; if you trust who made it, name it: --index ${path}`,
  );
}

export interface IndexPlace {
  readonly file: string;
  /** The indexed folder, if the place of the index determines it. */
  readonly root: string | undefined;
  /** Whether its folder is only for indexes. */
  readonly isInFolder: boolean;
}

/** The real path of the file; nothing where its folder `.portolan` is a link, which could lead to the index of another repository. */
export function placeOf(path: string): IndexPlace | undefined {
  try {
    const folder = dirname(path);
    const isInFolder = basename(folder) === INDEX_FOLDER;
    if (isInFolder && !lstatSync(folder).isDirectory()) return undefined;
    const real = realpathSync(folder);
    return { file: join(real, basename(path)), root: isInFolder ? dirname(real) : undefined, isInFolder };
  } catch {
    return undefined;
  }
}

export function recordOf(file: string): string {
  return join(RECORDS, nameFor(file));
}

/** The text of a record; `root` is the indexed folder, if the place of the index does not determine it. */
export function record(file: string, identity: string, root?: string): string {
  return `${identity}\n${file}\n${root === undefined ? "" : `${root}\n`}`;
}

/**
 * The folder that an index is of: the one around `.portolan/`; of an index kept elsewhere the recorded one, as long as the file is the one
 * that was written. It is recorded in the user's folder, since an index may be shared, and a path of the machine is nobody else's concern.
 */
export function recordedRoot(path: string): string | undefined {
  const place = placeOf(path);
  const identity = place && identityOf(place.file);
  if (!place || identity === undefined) return undefined;
  if (place.root !== undefined) return place.root;
  const folder = userFolder();
  const known = folder === undefined ? undefined : readPrivate(folder, recordOf(place.file));
  const start = record(place.file, identity);
  return known?.startsWith(start) === true ? known.slice(start.length).trimEnd() || undefined : undefined;
}

export function keyFor(folder: string | undefined, make: boolean): string | undefined {
  const variable = process.env.PORTOLAN_INDEX_KEY;
  if (variable !== undefined && variable !== "") {
    if (variable.length >= MIN_VARIABLE) return variable;
    throw new PortolanError(
      "options.invalid",
      `PORTOLAN_INDEX_KEY has ${variable.length} characters, and needs ${MIN_VARIABLE}`,
      "take 32 random bytes, as `openssl rand -hex 32` prints them",
    );
  }
  if (folder === undefined) return undefined;
  const kept = readPrivate(folder, KEY)?.trim();
  if (kept !== undefined && /^[0-9a-f]{64}$/.test(kept)) return kept;
  if (!make) return undefined;
  const key = crypto().randomBytes(N_KEY_BYTES).toString("hex");
  writePrivate(folder, KEY, `${key}\n`);
  return key;
}

/** Loaded when it is needed: that takes longer than all the rest of a question's check. */
function crypto(): typeof Crypto {
  return createRequire(import.meta.url)("node:crypto") as typeof Crypto;
}

/** The path of the code of authentication. */
export function codeFile(file: string): string {
  return `${file}.mac`;
}

function isAuthentic(file: string, key: string): boolean {
  const path = codeFile(file);
  return (
    attempt(() => {
      const stats = lstatSync(path);
      if (!stats.isFile() || stats.size > 100) return false;
      const kept = Buffer.from(readFileSync(path, "utf8").trim());
      const made = Buffer.from(codeOf(file, key));
      return kept.length === made.length && crypto().timingSafeEqual(kept, made);
    }) === true
  );
}

export function codeOf(file: string, key: string): string {
  const code = crypto().createHmac("sha256", key).update(PURPOSE);
  const piece = Buffer.allocUnsafe(PIECE);
  const descriptor = openSync(file, "r");
  try {
    for (;;) {
      const n_bytes = readSync(descriptor, piece, 0, PIECE, null);
      if (n_bytes === 0) return code.digest("hex");
      code.update(piece.subarray(0, n_bytes));
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Takes a folder that cannot be read or written as absent; a variable with a wrong value is an error. */
export function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    if (error instanceof PortolanError && error.code === "options.invalid") throw error;
    return undefined;
  }
}
