/**
 * Indexes that were made here, kept in the user's cache folder: an index of nearly the same files, another clone's or worktree's, starts from
 * the nearest one, and overlays build on them. The least recently used go first; a file without its note, or changed since, is none.
 *
 * `$XDG_CACHE_HOME/portolan/indexes` or `~/.cache/portolan/indexes`, on Windows `%LOCALAPPDATA%\portolan\indexes`. PORTOLAN_INDEX_CACHE names another
 * folder or is `off`; PORTOLAN_INDEX_CACHE_MB bounds it. Only its owner can write there.
 */

import {
  chmodSync,
  closeSync,
  copyFileSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

import { identityOf, ifPrivate, readPrivate, writePrivate } from "./user-folder.js";

const DEFAULT_MEGABYTES = 1024;
/** One index takes at most this part of the cache. */
const LARGEST_SHARE = 1 / 4;
const INDEX = ".portolan";
const NOTE = ".json";
const VERSION = 1;
/** The time of use is not written more often. */
const TOUCHED_MS = 60_000;

/** The note beside a kept index. */
export interface Note {
  /** Names of the repository: see `GitIdentity`. */
  readonly names: readonly string[];
  /** The options and the version that it was made with. */
  readonly key: string;
  /** SHA-256 of the file. */
  readonly digest: string;
  /** The folder that was indexed, to be shown. */
  readonly root: string;
  readonly n_files: number;
  /** The commit that was checked out; empty if unknown. */
  readonly head: string;
}

export interface KeptIndex extends Note {
  readonly path: string;
  readonly n_bytes: number;
  /** Milliseconds since 1970. */
  readonly kept_at: number;
}

interface Written {
  readonly version: number;
  /** The file as it was written: its number, size and times. */
  readonly identity: string;
  readonly note: unknown;
}

/** The folder; nothing where nothing is to be kept, it is not the user's alone, or it is inside `root`. */
export function cacheFolder(root?: string): string | undefined {
  const folder = place();
  return folder === undefined || limit() <= 0 ? undefined : ifPrivate(folder, root);
}

function place(): string | undefined {
  const { PORTOLAN_INDEX_CACHE: own, XDG_CACHE_HOME: cache, LOCALAPPDATA: local } = process.env;
  // A relative path would lead into whatever folder is worked in; a word such as `off` means none.
  if (own !== undefined && own !== "") return isAbsolute(own) ? own : undefined;
  const below = join("portolan", "indexes");
  if (cache !== undefined && isAbsolute(cache)) return join(cache, below);
  if (process.platform === "win32" && local !== undefined && isAbsolute(local)) return join(local, below);
  return isAbsolute(homedir()) ? join(homedir(), ".cache", below) : undefined;
}

/** Bytes that the cache may take. */
function limit(): number {
  const given = Number(process.env.PORTOLAN_INDEX_CACHE_MB);
  return (Number.isFinite(given) && process.env.PORTOLAN_INDEX_CACHE_MB ? given : DEFAULT_MEGABYTES) * 1e6;
}

/**
 * Keeps a copy of a file under a name, with a note. A copy and no link: a link changes the times of the file, by which it is known to be the
 * one that was written. False where it is too large or there is no place.
 */
export function keep(folder: string, name: string, file: string, note: unknown): boolean {
  try {
    if (statSync(file).size > limit() * LARGEST_SHARE) return false;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, name + INDEX);
    const beside = `${path}.${process.pid}.tmp`;
    try {
      copyFileSync(file, beside);
      chmodSync(beside, 0o600);
      onDisk(beside);
      renameSync(beside, path);
    } finally {
      rmSync(beside, { force: true });
    }
    noteKept(folder, name, note);
    return true;
  } catch {
    return false; // full disk, read-only home
  }
}

/** Has the system put a file on the disk: after a crash the note must not vouch for other bytes. */
function onDisk(path: string): void {
  const descriptor = openSync(path, "r+");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Notes a file that was just written to `keptPath`. */
export function noteKept(folder: string, name: string, note: unknown): void {
  const written: Written = { version: VERSION, identity: identityOf(keptPath(folder, name)) ?? "", note };
  writePrivate(folder, name + NOTE, JSON.stringify(written));
  forgetOldest(folder);
}

export function keptPath(folder: string, name: string): string {
  return join(folder, name + INDEX);
}

/** The note of a kept file, if that is still the one that was written. It counts as used. */
export function noteOf(folder: string, name: string): unknown {
  try {
    const text = readPrivate(folder, name + NOTE);
    const written = text === undefined ? undefined : (JSON.parse(text) as Written);
    if (written?.version !== VERSION || identityOf(keptPath(folder, name)) !== written.identity) return undefined;
    touch(join(folder, name + NOTE));
    return written.note;
  } catch {
    return undefined;
  }
}

function touch(path: string): void {
  const now = Date.now();
  if (now - statSync(path).mtimeMs > TOUCHED_MS) utimesSync(path, now / 1000, now / 1000);
}

/** A kept index of this repository that was made with the same options: of the same clone, else at the same commit, else the newest. */
export function nearest(folder: string, names: readonly string[], key: string, head: string): KeptIndex | undefined {
  const fitting = keptIndexes(folder).filter((kept) => kept.key === key && kept.names.some((n) => names.includes(n)));
  const rank = (kept: KeptIndex) => 2 * Number(kept.names[0] === names[0]) + Number(head !== "" && kept.head === head);
  const [best] = fitting.sort((a, b) => rank(b) - rank(a) || b.kept_at - a.kept_at);
  if (best) noteOf(folder, best.digest);
  return best;
}

/** The kept index with this digest. */
export function keptIndex(folder: string, digest: string): KeptIndex | undefined {
  return keptIndexes(folder).find((kept) => kept.digest === digest);
}

function keptIndexes(folder: string): KeptIndex[] {
  return entries(folder).flatMap(({ name, n_bytes, kept_at }) => {
    const text = readPrivate(folder, name + NOTE);
    try {
      const { version, identity, note } = JSON.parse(text ?? "") as Written;
      const path = keptPath(folder, name);
      const known = note as Note;
      if (version !== VERSION || known.digest !== name || identityOf(path) !== identity) return [];
      return [{ ...known, path, n_bytes, kept_at }];
    } catch {
      return [];
    }
  });
}

/** Forgets the kept indexes of a folder that were made with these options, but for the newest `n`. */
export function keepNewest(folder: string, { root, key }: Pick<Note, "root" | "key">, n: number): void {
  const own = keptIndexes(folder).filter((kept) => kept.root === root && kept.key === key);
  for (const { digest } of own.sort((a, b) => b.kept_at - a.kept_at).slice(n)) forget(folder, digest);
}

/** Number and size of the indexes in the cache. */
export function cacheSummary(folder: string): { n_indexes: number; n_bytes: number; limit: number } {
  const all = entries(folder);
  return { n_indexes: all.length, n_bytes: all.reduce((sum, { n_bytes }) => sum + n_bytes, 0), limit: limit() };
}

/** Deletes all of it, and nothing else that may be in the folder. */
export function clearCache(folder: string): void {
  for (const { name } of entries(folder)) forget(folder, name);
}

interface Entry {
  readonly name: string;
  readonly n_bytes: number;
  readonly kept_at: number;
  readonly used_at: number;
}

function entries(folder: string): Entry[] {
  return namesIn(folder).flatMap((file) => {
    const name = file.endsWith(INDEX) ? file.slice(0, -INDEX.length) : undefined;
    if (name === undefined || !/^(made-)?[0-9a-f]+$/.test(name)) return [];
    const stats = statSync(join(folder, file), { throwIfNoEntry: false });
    if (!stats) return [];
    const note = statSync(join(folder, name + NOTE), { throwIfNoEntry: false });
    return [{ name, n_bytes: stats.size, kept_at: stats.mtimeMs, used_at: note?.mtimeMs ?? 0 }];
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function forgetOldest(folder: string): void {
  const all = entries(folder).sort((a, b) => b.used_at - a.used_at);
  let n_bytes = 0;
  for (const entry of all) {
    n_bytes += entry.n_bytes;
    if (n_bytes > limit()) forget(folder, entry.name);
  }
}

/** Deletes a kept file and its note. */
export function forget(folder: string, name: string): void {
  rmSync(join(folder, name + NOTE), { force: true });
  rmSync(join(folder, name + INDEX), { force: true });
}
