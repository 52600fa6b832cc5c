/** Folders and archives of the file system. */

import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

import { PortolanError } from "../errors.js";
import type { FileHandle, Folder, FolderEntry, OpenedInput } from "../host.js";
import { nameOfArchive } from "../sources.js";

/** A folder or an archive by its path. */
export function openPath(path: string): OpenedInput {
  const absolute = resolve(path);
  try {
    if (statSync(absolute).isDirectory()) return { folder: folderAt(absolute), name: basename(absolute) || "root" };
    return { archive: readFileSync(absolute), name: nameOfArchive(basename(absolute)) };
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): PortolanError {
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
  return {
    list(): FolderEntry[] {
      const entries = readdirSync(path, { withFileTypes: true });
      entries.sort((a, b) => (a.name < b.name ? -1 : 1));
      return entries.map((entry): FolderEntry => {
        const { name } = entry;
        const below = join(path, name);
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
    modified = stats.mtimeMs;
    return stats.size;
  };
  return { size, modified: () => modified, read: () => readWhole(path) };
}

/** A buffer of its own for each file: small reads share one large buffer, which messages would copy whole. */
function readWhole(path: string): Uint8Array {
  const bytes = readFileSync(path);
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
}
