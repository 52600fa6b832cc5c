/**
 * Trust in what a repository's settings load, read or write: given once, for these values and these files, and kept in the user's folder.
 * Everything else in the file is data, and holds without it (docs/decisions/0018-trust.md).
 */

import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";

import { PortolanError } from "../errors.js";
import { eachPiece } from "../node/regular-file.js";
import {
  identityOf,
  listPrivate,
  nameFor,
  readPrivate,
  removePrivate,
  userFolder,
  writePrivate,
} from "../node/user-folder.js";
import { MAX_BYTES_OF } from "./limits.js";

/** A key of a settings file that does not hold without trust. */
export interface Wanted {
  readonly key: string;
  /** `portolan.toml:3`. */
  readonly place: string;
  readonly value: unknown;
  /** The files that are read because of it, those that are there. */
  readonly files: readonly string[];
}

export interface TrustedFile {
  readonly path: string;
  /** Behind links. */
  readonly real: string;
  readonly sha256: string;
  /** As `identityOf` says: while it is the same, nothing is read again. */
  readonly identity: string;
}

/** A record of trust, as it is kept. */
export interface TrustRecord {
  /** The settings file. */
  readonly settings: string;
  readonly keys: readonly (readonly [key: string, value: unknown])[];
  readonly files: readonly TrustedFile[];
  /** ISO 8601. */
  readonly at: string;
}

export type Verdict =
  | { readonly is: "trusted" }
  | { readonly is: "new" }
  /** Keys and files that changed since they were trusted. */
  | { readonly is: "changed"; readonly what: readonly string[] };

const RECORDS = "trusted";

/** Whether these keys of a settings file were trusted as they and their files are now. */
export function verdictOn(settings: string, wanted: readonly Wanted[]): Verdict {
  const folder = folderFor(settings);
  const record = folder === undefined ? undefined : recordOf(folder, settings);
  if (!record) return { is: "new" };
  const kept = new Map(record.keys.map(([key, value]) => [key, JSON.stringify(value)]));
  const keys = wanted.filter(({ key, value }) => kept.get(key) !== JSON.stringify(value)).map(({ key }) => key);
  const files = [...new Set(wanted.flatMap(({ files }) => files))];
  const known = new Map(record.files.map((file) => [file.path, file]));
  const others = files.filter((path) => !isAsTrusted(path, known.get(path)));
  const gone = wanted.length === record.keys.length ? record.files.filter(({ path }) => !files.includes(path)) : [];
  const what = [...keys, ...others, ...gone.map(({ path }) => path)];
  return what.length === 0 ? { is: "trusted" } : { is: "changed", what };
}

/** Returns the record that would be kept. Throws `input.unreadable` where a path is no file, or the file is too large. */
export function describeTrust(settings: string, wanted: readonly Wanted[]): TrustRecord {
  const paths = [...new Set(wanted.flatMap(({ files }) => files))];
  return {
    settings: realpathSync(settings),
    keys: wanted.map(({ key, value }) => [key, value] as const),
    files: paths.map(describeFile),
    at: new Date().toISOString(),
  };
}

/** Keeps it. Throws `trust.unkept` where there is no folder for it. */
export function keepTrust(record: TrustRecord): void {
  const folder = folderFor(record.settings);
  try {
    if (folder === undefined) throw new Error("there is no folder of your own outside of this repository");
    writePrivate(folder, nameOf(record.settings), `${JSON.stringify(record, null, 1)}\n`);
  } catch (error) {
    throw new PortolanError(
      "trust.unkept",
      `it cannot be noted that this is trusted: ${(error as Error).message}`,
      "give what the settings say as options instead, or set XDG_CONFIG_HOME to a folder of your own",
      { cause: error },
    );
  }
}

/** Takes trust back; whether there was any. */
export function revokeTrust(settings: string): boolean {
  const folder = folderFor(settings);
  if (folder === undefined || !recordOf(folder, settings)) return false;
  removePrivate(folder, nameOf(realOf(settings)));
  return true;
}

/** All that was trusted, by the path of the settings. */
export function allTrusted(): TrustRecord[] {
  const folder = userFolder();
  if (folder === undefined) return [];
  const records = listPrivate(folder, RECORDS).map((name) => parsed(readPrivate(folder, join(RECORDS, name))));
  return records
    .filter((record): record is TrustRecord => record !== undefined)
    .sort((a, b) => (a.settings < b.settings ? -1 : 1));
}

function folderFor(settings: string): string | undefined {
  return userFolder(dirname(realOf(settings)));
}

function recordOf(folder: string, settings: string): TrustRecord | undefined {
  const real = realOf(settings);
  const record = parsed(readPrivate(folder, nameOf(real)));
  return record?.settings === real ? record : undefined;
}

function nameOf(settings: string): string {
  return join(RECORDS, `${nameFor(settings)}.json`);
}

function parsed(text: string | undefined): TrustRecord | undefined {
  try {
    const record = JSON.parse(text ?? "") as TrustRecord;
    return typeof record.settings === "string" && Array.isArray(record.keys) && Array.isArray(record.files)
      ? record
      : undefined;
  } catch {
    return undefined;
  }
}

function isAsTrusted(path: string, kept: TrustedFile | undefined): boolean {
  const real = realOf(path);
  if (!kept || kept.real !== real) return false;
  return kept.identity === identityOf(real) || kept.sha256 === digestOf(real);
}

function describeFile(path: string): TrustedFile {
  const real = realOf(path);
  const identity = identityOf(real) ?? "";
  return { path, real, sha256: digestOf(real), identity };
}

function digestOf(path: string): string {
  const hash = createHash("sha256");
  eachPiece(path, MAX_BYTES_OF.model, (piece) => hash.update(piece));
  return hash.digest("hex");
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
