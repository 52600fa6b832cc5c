/** Folders and archives of the file system. */

import { closeSync, existsSync, readdirSync, readSync, statSync, type Stats } from "node:fs";
import { basename, dirname, resolve, sep } from "node:path";

import { PortolanError } from "../errors.js";
import type { FileHandle, Folder, FolderEntry, OpenedInput } from "../host.js";
import { nameOfArchive } from "../indexing/sources.js";
import { changedAt, kindOf, type LookRecorder } from "./look.js";
import { openRegular, readRegular } from "./safe-files.js";

/** A folder or an archive by its path; `recorder` gets the entries of a folder. */
export function openPath(path: string, recorder?: LookRecorder): OpenedInput {
  const absolute = resolve(path);
  try {
    if (statSync(absolute).isDirectory())
      return { folder: folderAt(absolute, recorder), name: basename(absolute) || "root" };
    return { archive: readRegular(absolute), name: nameOfArchive(basename(absolute)) };
  } catch (error) {
    throw unreadable(path, error);
  }
}

/**
 * Whether a text is a path: it exists, is written like one, or begins with a folder that is here. A misspelt path must not be asked of
 * another host.
 */
export function isPath(text: string): boolean {
  if (/^(\.{0,2}[\\/]|~|\.{1,2}$|[a-z]:[\\/])/i.test(text)) return true;
  if (/^[\w-]+:/.test(text)) return existsSync(text);
  return existsSync(text) || existsSync(text.split(/[\\/]/)[0] as string);
}

function unreadable(path: string, error: unknown): PortolanError {
  if (error instanceof PortolanError) return error;
  const code = (error as NodeJS.ErrnoException).code;
  const reason = code === "ENOENT" ? "there is no such file or folder" : (error as Error).message;
  return new PortolanError("input.unreadable", `${path}: ${reason}`, "", { cause: error });
}

/** The folder in which an index of this path is kept: the folder itself, or that of the archive. */
export function folderOf(path: string): string {
  const absolute = resolve(path);
  try {
    return statSync(absolute).isDirectory() ? absolute : dirname(absolute);
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** Synchronous on purpose: it runs in a worker thread, and one system call after the other is fastest for small files. */
function folderAt(path: string, recorder?: LookRecorder): Folder {
  // `join` looks at every part of a path again, which is clean.
  const before = path.endsWith(sep) ? path : path + sep;
  const list = (): FolderEntry[] => {
    const entries = readdirSync(path, { withFileTypes: true });
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    return entries.map((entry): FolderEntry => {
      const { name } = entry;
      const below = before + name;
      const kind = kindOf(entry);
      if (kind === "folder") return { name, kind, folder: folderAt(below, recorder) };
      return kind === "file" ? { name, kind, file: fileAt(below, recorder) } : { name, kind };
    });
  };
  return { list: () => (recorder ? recorder.folder(path, list) : list()) };
}

function fileAt(path: string, recorder?: LookRecorder): FileHandle {
  let stats: Stats | undefined;
  const size = () => {
    stats = statSync(path);
    recorder?.file(path, stats, false);
    return stats.size;
  };
  const modified = () => {
    if (stats) recorder?.file(path, stats, true);
    return stats && changedAt(stats);
  };
  const read = () => {
    // An ignore file is read before its size is asked for.
    if (recorder) recorder.file(path, stats ?? statSync(path), true);
    return readWhole(path);
  };
  return { size, modified, read, handsOver: true };
}

/** A buffer that most files fit: reading them takes one system call. */
let desk: Uint8Array | undefined;
const N_DESK = 256 * 1024;

/** A buffer of its own for each file, so that it can change hands. A fifth of the time of `readFileSync`, which asks for sizes first. */
function readWhole(path: string): Uint8Array {
  desk ??= new Uint8Array(N_DESK);
  const descriptor = openRegular(path, { follow: false });
  try {
    let n_read = 0;
    while (n_read < N_DESK) {
      const n = readSync(descriptor, desk, n_read, N_DESK - n_read, null);
      if (n === 0) return desk.slice(0, n_read);
      n_read += n;
    }
  } finally {
    closeSync(descriptor);
  }
  return readRegular(path);
}
