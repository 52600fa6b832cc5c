/**
 * Remembers how the files of a repository looked when it was indexed: sizes and times of files, names in folders. From that it is known,
 * without the engine and without reading a file, whether anything has changed since.
 *
 * A look is kept in the user's folder, bound to the index file by its number, size and times: whatever else writes an index makes it void.
 */

import { createRequire } from "node:module";
import type * as Zlib from "node:zlib";
import { lstatSync, readdirSync, statSync, type Dirent, type Stats } from "node:fs";
import { join, resolve, sep } from "node:path";

import type { FolderEntry } from "../host.js";
import { attempt, INDEX_FOLDER, placeOf } from "./own-index.js";
import {
  identityOf,
  listPrivate,
  nameFor,
  readPrivateBytes,
  removePrivate,
  userFolder,
  writePrivate,
} from "./user-folder.js";

const LOOKS = "looks";
const VERSION = 1;
const MAX_INFLATED = 64 * 1024 * 1024;
/** Number of looks from which those of deleted indexes are removed. */
const MANY_LOOKS = 200;
/** A larger file that was not taken in may have been too large: its size matters. */
const MAYBE_TOO_LARGE = 64 * 1024;

/** Name, size and time of a file. */
type SeenFile = readonly [name: string, n_bytes: number, changed: number];
/** Path below the root, time of its last change, digest of its names, files. */
export type SeenFolder = readonly [path: string, changed: number, names: string, files: readonly SeenFile[]];

interface Look {
  readonly version: number;
  /** The index file, and its identity. */
  readonly file: string;
  readonly identity: string;
  /** The root, the options and the version that the index was made with. */
  readonly key: string;
  readonly root: string;
  /** The command's summary of the index. */
  readonly summary: unknown;
  readonly folders: readonly SeenFolder[];
}

/** Folders as a walk saw them. */
export interface Seen {
  /** The folders, with paths below `root`; nothing where not all could be looked at. */
  seen(root: string): readonly SeenFolder[] | undefined;
}

/** Records the entries of a walk, which `files.ts` reports. */
export class LookRecorder implements Seen {
  private readonly folders = new Map<string, { changed: number; names: string; files: Map<string, SeenFile> }>();
  /** False once something could not be looked at. */
  private isWhole = true;

  /** Notes a folder before and after its names are read. */
  folder(path: string, list: () => FolderEntry[]): FolderEntry[] {
    try {
      const changed = statSync(path).mtimeMs;
      const entries = list();
      const names = digestOf(entries.map(({ name, kind }) => `${kind} ${name}`));
      this.folders.set(path, { changed, names, files: new Map() });
      return entries;
    } catch (error) {
      this.isWhole = false;
      throw error;
    }
  }

  /** Notes a file whose size was asked for; `isTaken` once its time is asked for, too, or its text. */
  file(path: string, stats: Stats, isTaken: boolean): void {
    const at = path.lastIndexOf(sep);
    const name = path.slice(at + 1);
    if (isTaken || stats.size > MAYBE_TOO_LARGE)
      this.folders.get(path.slice(0, at))?.files.set(name, [name, stats.size, changedAt(stats)]);
  }

  seen(root: string): SeenFolder[] | undefined {
    const below = (path: string) => (path === root ? "" : path.slice(root.length + 1));
    return this.isWhole && this.folders.size > 0
      ? [...this.folders].map(([path, { changed, names, files }]) => [below(path), changed, names, [...files.values()]])
      : undefined;
  }
}

/** Keeps a look beside the record of the index, packed where space counts more than the half millisecond of reading it. Never fails: without it the next run reads all files again. */
export function keepLook(
  index: string,
  key: string,
  root: string,
  summary: unknown,
  recorder: Seen,
  isPacked = false,
): void {
  const place = placeOf(index);
  const identity = place && identityOf(place.file);
  const folder = userFolder(place?.root);
  const folders = recorder.seen(resolve(root));
  if (!place || identity === undefined || folder === undefined || folders === undefined) return;
  const { file } = place;
  const look: Look = { version: VERSION, file, identity, key, root: resolve(root), summary, folders };
  try {
    const text = JSON.stringify(look);
    writePrivate(folder, nameOf(file), isPacked ? zlib().deflateRawSync(text, { level: 1 }) : text);
    forgetOld(folder);
  } catch {
    // full disk, read-only home
  }
}

/** The look of an index that is still the one that was written then. */
export function lookOf(index: string): Look | undefined {
  const place = placeOf(index);
  const identity = place && identityOf(place.file);
  const folder = userFolder(place?.root);
  if (!place || folder === undefined) return undefined;
  try {
    const text = textOf(folder, nameOf(place.file));
    if (text === undefined) return undefined;
    const look = JSON.parse(text) as Look;
    return look.version === VERSION && look.file === place.file && look.identity === identity ? look : undefined;
  } catch {
    return undefined;
  }
}

/** The text of a look, packed or not. */
function textOf(folder: string, name: string): string | undefined {
  const bytes = readPrivateBytes(folder, name);
  if (bytes === undefined || bytes[0] === "{".charCodeAt(0)) return bytes?.toString("utf8");
  return zlib().inflateRawSync(bytes, { maxOutputLength: MAX_INFLATED }).toString("utf8");
}

/** Loaded when it is needed: most looks are not packed. */
function zlib(): typeof Zlib {
  return createRequire(import.meta.url)("node:zlib") as typeof Zlib;
}

/** The differences from the last look. */
export interface Changed {
  /** Paths of files that were touched or are gone, and of folders, with a `/`, in which other names are. */
  readonly paths: readonly string[];
  /** False where time was up before all was looked at. */
  readonly isWhole: boolean;
}

/** Looks at the files again, at most `millis` long; ends at the first difference where `isFirstEnough`. */
export function changedSince({ root, folders }: Look, millis = Infinity, isFirstEnough = false): Changed {
  const started = performance.now();
  const paths: string[] = [];
  for (const [path, changed, names, files] of folders) {
    if (performance.now() - started > millis) return { paths, isWhole: false };
    const place = join(root, path);
    const stats = statSync(place, { throwIfNoEntry: false });
    if (stats?.mtimeMs !== changed && namesIn(place) !== names) paths.push(`${path}/`);
    for (const [name, n_bytes, time] of files) {
      const now = lstatSync(join(place, name), { throwIfNoEntry: false });
      if (now?.size !== n_bytes || changedAt(now) !== time) paths.push(path === "" ? name : `${path}/${name}`);
    }
    if (isFirstEnough && paths.length > 0) break;
  }
  return { paths, isWhole: true };
}

/**
 * The time of a file's last change. An archive can set the time of writing (`mtime`), so a changed file could look unchanged;
 * the time of its last change (`ctime`) is the system's. Where there is none the former is all there is.
 */
export function changedAt({ ctimeMs, mtimeMs }: Stats): number {
  return ctimeMs > 0 ? ctimeMs : mtimeMs;
}

/** Returns the kind of an entry of a folder. */
export function kindOf(entry: Dirent): FolderEntry["kind"] {
  if (entry.isDirectory()) return "folder";
  return entry.isFile() ? "file" : "other";
}

function namesIn(place: string): string | undefined {
  try {
    return digestOf(readdirSync(place, { withFileTypes: true }).map((entry) => `${kindOf(entry)} ${entry.name}`));
  } catch {
    return undefined;
  }
}

/** Of the names in a folder, without that of the index's own folder, which an index run makes. */
function digestOf(names: readonly string[]): string {
  const others = names.filter((name) => name !== `folder ${INDEX_FOLDER}`).sort();
  return `${others.length} ${nameFor(others.join("\n"))}`;
}

function nameOf(file: string): string {
  return join(LOOKS, nameFor(file));
}

function forgetOld(folder: string): void {
  const names = listPrivate(folder, LOOKS);
  if (names.length < MANY_LOOKS) return;
  for (const name of names) {
    const start = attempt(() => textOf(folder, join(LOOKS, name)))?.slice(0, 5_000) ?? "";
    const file = /^\{"version":\d+,"file":("(?:[^"\\]|\\.)*")/.exec(start)?.[1];
    if (file === undefined || statSync(JSON.parse(file) as string, { throwIfNoEntry: false }) === undefined)
      removePrivate(folder, join(LOOKS, name));
  }
}
