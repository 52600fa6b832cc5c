/** Folders and archives of the file system. */

import { closeSync, readdirSync, readSync, statSync, type Stats } from "node:fs";
import { basename, dirname, resolve, sep } from "node:path";

import { PortolanError } from "../errors.js";
import type { FileHandle, Folder, FolderEntry, OpenedInput } from "../host.js";
import { nameOfArchive } from "../indexing/sources.js";
import { openRegular, readRegular } from "./safe-files.js";

/** A folder or an archive by its path. */
export function openPath(path: string): OpenedInput {
  const absolute = resolve(path);
  try {
    if (statSync(absolute).isDirectory()) return { folder: folderAt(absolute), name: basename(absolute) || "root" };
    return { archive: readRegular(absolute), name: nameOfArchive(basename(absolute)) };
  } catch (error) {
    throw unreadable(path, error);
  }
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
function folderAt(path: string): Folder {
  // `join` looks at every part of a path again, which is clean.
  const before = path.endsWith(sep) ? path : path + sep;
  return {
    list(): FolderEntry[] {
      const entries = readdirSync(path, { withFileTypes: true });
      entries.sort((a, b) => (a.name < b.name ? -1 : 1));
      return entries.map((entry): FolderEntry => {
        const { name } = entry;
        const below = before + name;
        if (entry.isDirectory()) return { name, kind: "folder", folder: folderAt(below) };
        return entry.isFile() ? { name, kind: "file", file: fileAt(below) } : { name, kind: "other" };
      });
    },
  };
}

function fileAt(path: string): FileHandle {
  let modified: number | undefined;
  const size = () => {
    const stats = statSync(path);
    modified = changedAt(stats);
    return stats.size;
  };
  return { size, modified: () => modified, read: () => readWhole(path) };
}

/**
 * When the file became what it is. An archive sets the time of its writing (`mtime`) as it likes, so a changed file could look as it was;
 * the time of its last change (`ctime`) is the system's. Where there is none the former is all there is.
 */
function changedAt({ ctimeMs, mtimeMs }: Stats): number {
  return ctimeMs > 0 ? ctimeMs : mtimeMs;
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
