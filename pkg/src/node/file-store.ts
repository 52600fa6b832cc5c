/** Snapshots as files: `.portolan/NAME.portolan`, replaced by renaming, in a folder that keeps itself out of git. */

import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

import { PortolanError } from "../errors.js";
import type { Store, StoredSnapshot, WriteSnapshot } from "../host.js";
import { joined } from "../pieces.js";
import type { SavedIndex } from "../types.js";

/** Folder and file of an index, relative to what was indexed. */
export const INDEX_FOLDER = ".portolan";
export const INDEX_FILE = "index.portolan";
const ENDING = ".portolan";

export class FileStore implements Store {
  /**
   * @param folder usually `…/.portolan`.
   * @param file where everything is put, whatever its name: a folder that was indexed has one index.
   * @param countFiles how many files an index holds, for lists; 0 where it cannot be opened.
   */
  constructor(
    private readonly folder: string,
    private readonly file?: string,
    private readonly countFiles: (snapshot: Uint8Array) => Promise<number> = async () => 0,
  ) {}

  async put({ name, write }: StoredSnapshot): Promise<void> {
    attempt(`${this.folder} cannot be written`, () => writeSnapshot(this.path(name), write));
  }

  async get(name: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return attempt(`${this.path(name)} cannot be read`, () =>
      exists(this.path(name)) ? new Uint8Array(readFileSync(this.path(name))) : undefined,
    );
  }

  async list(): Promise<SavedIndex[]> {
    const files = attempt(`${this.folder} cannot be read`, () => (exists(this.folder) ? readdirSync(this.folder) : []));
    const names = files.filter((file) => file.endsWith(ENDING) && file !== ENDING);
    return Promise.all(names.map((file) => this.entry(file)));
  }

  async delete(name: string): Promise<void> {
    attempt(`${this.path(name)} cannot be deleted`, () => rmSync(this.path(name), { force: true }));
  }

  private async entry(file: string): Promise<SavedIndex> {
    const path = join(this.folder, file);
    const { mtimeMs, size } = statSync(path);
    const n_files = await this.countFiles(readFileSync(path)).catch(() => 0);
    return {
      name: decodeURIComponent(file.slice(0, -ENDING.length)),
      saved_at: Math.round(mtimeMs),
      n_bytes: size,
      n_files,
    };
  }

  private path(name: string): string {
    return join(this.folder, this.file ?? encodeURIComponent(name) + ENDING);
  }
}

/**
 * Writes beside the target, has the system put it on the disk, then renames: whatever is killed when, a reader sees the old
 * file or the new one, never half of one. Returns how many bytes it has.
 */
export function writeSnapshot(path: string, snapshot: Uint8Array | WriteSnapshot): number {
  return attempt(`${path} cannot be written`, () => written(path, snapshot));
}

function written(path: string, snapshot: Uint8Array | WriteSnapshot): number {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true });
  if (basename(folder) === INDEX_FOLDER) writeFileSync(join(folder, ".gitignore"), "*\n");
  // A pipe or a device (`-o /dev/null`) is written to; renaming over it would replace it.
  if (exists(path) && !statSync(path).isFile()) {
    const bytes = snapshot instanceof Uint8Array ? snapshot : joined(snapshot);
    writeFileSync(path, bytes);
    return bytes.length;
  }
  removeLeftovers(path);
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    const n_bytes = writePieces(
      temporary,
      snapshot instanceof Uint8Array ? (give) => give(0, snapshot as Uint8Array<ArrayBuffer>) : snapshot,
    );
    renameOver(temporary, path);
    syncFolder(folder);
    return n_bytes;
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Writes a file and has the system put it on the disk; its length. */
function writePieces(path: string, write: WriteSnapshot): number {
  const descriptor = openSync(path, "w");
  try {
    let n_bytes = 0;
    write((at, piece) => {
      for (let n_written = 0; n_written < piece.length; )
        n_written += writeSync(descriptor, piece, n_written, piece.length - n_written, at + n_written);
      n_bytes = Math.max(n_bytes, at + piece.length);
    });
    fsyncSync(descriptor);
    return n_bytes;
  } finally {
    closeSync(descriptor);
  }
}

/** On Windows a file that a question has open just now cannot be replaced: soon it can. */
function renameOver(from: string, to: string): void {
  for (let waited = 0; ; waited += RENAME_PAUSE_MS) {
    try {
      renameSync(from, to);
      return;
    } catch (error) {
      const isInUse =
        process.platform === "win32" &&
        ["EPERM", "EACCES", "EBUSY"].includes((error as NodeJS.ErrnoException).code ?? "");
      if (!isInUse || waited >= MAX_RENAME_MS) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RENAME_PAUSE_MS);
    }
  }
}

const RENAME_PAUSE_MS = 50;
const MAX_RENAME_MS = 2_000;

/** The rename itself outlives a power cut, where folders can be synced (not on Windows). */
function syncFolder(folder: string): void {
  try {
    const descriptor = openSync(folder, "r");
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // The file is whole either way.
  }
}

/** What processes that were killed while they wrote have left. */
function removeLeftovers(path: string): void {
  const start = `${basename(path)}.`;
  for (const file of readdirSync(dirname(path))) {
    const pid = file.startsWith(start) && /^(\d+)\.tmp$/.exec(file.slice(start.length))?.[1];
    if (pid && !isRunning(Number(pid))) rmSync(join(dirname(path), file), { force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

function attempt<T>(what: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof PortolanError) throw error;
    const { code = "" } = error as NodeJS.ErrnoException;
    const help = ["EACCES", "EPERM", "EROFS"].includes(code)
      ? "with `--output FILE` an index lies elsewhere, and `--index FILE` names it"
      : "";
    throw new PortolanError(
      code === "ENOSPC" ? "storage.quota" : "storage.failed",
      `${what}: ${(error as Error).message}`,
      help,
      { cause: error },
    );
  }
}
