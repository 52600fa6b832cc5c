/**
 * The repositories that were indexed on this machine, for servers that are to answer about several. A file for each, so that
 * two commands at once never overwrite each other's; an entry whose index is gone is gone with it.
 *
 * They are in `$PORTOLAN_HOME`, or else in `portolan/` of the system's folder for data. If `PORTOLAN_HOME` is empty,
 * nothing is kept.
 */

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, isAbsolute, join } from "node:path";

import { replaceFile } from "./safe-files.js";
import { placeNamed } from "./safe-folder.js";

/** An index that was made here. */
export interface Registered {
  readonly name: string;
  readonly root: string;
  readonly index: string;
  /** Milliseconds since 1970. */
  readonly indexed_at?: number | undefined;
  readonly n_files?: number | undefined;
  readonly n_symbols?: number | undefined;
}

/** Keeps in mind that `index` is that of `root`. Never fails: a home that cannot be written to means a shorter list. */
export function remember(root: string, index: string, counts: { n_files: number; n_symbols?: number }): void {
  const folder = registryFolder();
  if (folder === undefined) return;
  try {
    const file = join(folder, `${createHash("sha256").update(index).digest("hex").slice(0, 16)}.json`);
    const { n_files, n_symbols } = counts;
    const text = JSON.stringify({ name: basename(root) || "root", root, index, n_files, n_symbols });
    replaceFile(placeNamed(file, []), `${text}\n`, { isOurs: () => true, isDurable: false });
  } catch {
    // read-only home, full disk
  }
}

/** Returns the entries whose index is still there, by name. */
export function registered(): Registered[] {
  const folder = registryFolder();
  if (folder === undefined) return [];
  const entries = filesIn(folder).map((file) => entryOf(join(folder, file)));
  return entries.filter((entry): entry is Registered => entry !== undefined).sort((a, b) => (a.root < b.root ? -1 : 1));
}

function registryFolder(): string | undefined {
  const folder = dataFolder();
  return folder && join(folder, "repositories");
}

/** The folder for data about this machine; none if nothing is to be kept. */
export function dataFolder(): string | undefined {
  const { PORTOLAN_HOME: own, XDG_DATA_HOME: data, LOCALAPPDATA: local } = process.env;
  if (own !== undefined) return own === "" ? undefined : own;
  if (process.platform === "win32" && local) return join(local, "portolan");
  // A relative path would lead into whatever folder is worked in; the XDG specification says to ignore it.
  return join(data && isAbsolute(data) ? data : join(homedir(), ".local", "share"), "portolan");
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((file) => file.endsWith(".json"));
  } catch {
    return [];
  }
}

function entryOf(file: string): Registered | undefined {
  try {
    const { name, root, index, n_files, n_symbols } = JSON.parse(readFileSync(file, "utf8")) as Registered;
    if (typeof name !== "string" || typeof root !== "string" || typeof index !== "string") return undefined;
    const stats = statSync(index, { throwIfNoEntry: false });
    if (stats?.isFile()) return { name, root, index, n_files, n_symbols, indexed_at: Math.round(stats.mtimeMs) };
    rmSync(file, { force: true });
  } catch {
    // written by another version, or by hand
  }
  return undefined;
}
