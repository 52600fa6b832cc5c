/** Snapshots as files: `.portolan/NAME.portolan`, replaced by renaming, in a folder that keeps itself out of git. */

import { readdirSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

import { PortolanError } from "../errors.js";
import type { Store, StoredSnapshot, WriteSnapshot } from "../host.js";
import { joined } from "../storage/pieces.js";
import type { SavedIndex } from "../types.js";
import { bindIndex } from "./bind-index.js";
import { isRootAt } from "./index-file.js";
import { isOverlay } from "./overlay-file.js";
import { isOwnIndex } from "./own-index.js";
import { findRoot, INDEX_FOLDER } from "./root.js";
import { createIn, isStream, readRegular, removeFile, Replacement, writeContent, type Content } from "./safe-files.js";
import { inWords, placeIn, placeNamed, SafeFolder, type Place } from "./safe-folder.js";

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
    const place = this.place(name);
    attempt(`${this.folder} cannot be written`, () => replaced(place, write));
    bindIndex(resolve(this.path(name)));
  }

  isForeign(name: string): boolean {
    return exists(this.path(name)) && !isOwnIndex(resolve(this.path(name)));
  }

  async get(name: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return attempt(`${this.path(name)} cannot be read`, () => {
      const path = resolve(this.path(name));
      // The times of files in the index of an overlay are those of another folder's: nothing can start from them. Nor from a root.
      return exists(path) && !isOverlay(path) && !isRootAt(path) ? readRegular(path) : undefined;
    });
  }

  async list(): Promise<SavedIndex[]> {
    const files = attempt(`${this.folder} cannot be read`, () => (exists(this.folder) ? readdirSync(this.folder) : []));
    const names = files.filter((file) => file.endsWith(ENDING) && file !== ENDING);
    return Promise.all(names.map((file) => this.entry(file)));
  }

  async delete(name: string): Promise<void> {
    attempt(`${this.path(name)} cannot be deleted`, () => {
      if (exists(this.folder)) removeFile(this.place(name), () => true);
    });
  }

  private async entry(file: string): Promise<SavedIndex> {
    const path = join(this.folder, file);
    const { mtimeMs, size } = statSync(path);
    const n_files = await this.countFiles(readRegular(path)).catch(() => 0);
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

  private place(name: string): Place {
    return placeIn(dirname(resolve(this.folder)), resolve(this.path(name)));
  }
}

/** How an index begins: a snapshot, an encrypted one, the root of an index in shards. */
const MAGICS = ["PORTOLAN", "PORTSEAL", "PTLNROOT"];

/** Where an index is written. */
export interface SnapshotTarget {
  /**
   * A person may name a place anywhere; below these folders no part of the path may be a link, since repositories can bring links.
   * Default: the repository of the working directory.
   */
  readonly repositories?: readonly string[];
}

/**
 * Writes beside the target, has the system put it on the disk, then renames: whatever is killed when, a reader sees the old
 * file or the new one, never half of one. Returns how many bytes it has. A file that is no index is not replaced, and nothing is written
 * through links: `output.foreign`, `output.link`.
 */
export function writeSnapshot(
  path: string,
  snapshot: Uint8Array | WriteSnapshot,
  { repositories = [findRoot()] }: SnapshotTarget = {},
): number {
  return attempt(`${path} cannot be written`, () =>
    isStream(path) && !isInIndexFolder(path)
      ? toStream(path, snapshot)
      : replaced(placeNamed(path, repositories), snapshot),
  );
}

/**
 * As `writeSnapshot`, for a program that writes by a descriptor: the file is there when it is committed. Nothing where `path` is a pipe or
 * a device.
 */
export function newSnapshot(path: string, { repositories = [findRoot()] }: SnapshotTarget = {}): NewFile | undefined {
  if (isStream(path) && !isInIndexFolder(path)) return undefined;
  const what = `${path} cannot be written`;
  const file = attempt(what, () => new NewSnapshot(placeNamed(path, repositories)));
  return {
    descriptor: file.descriptor,
    commit: () => attempt(what, () => file.commit()),
    abandon: () => file.abandon(),
  };
}

/** A file that is written, and then put in its place or removed. */
export interface NewFile {
  readonly descriptor: number;
  /** Returns its length. */
  commit(): number;
  abandon(): void;
}

function isInIndexFolder(path: string): boolean {
  return basename(dirname(resolve(path))) === INDEX_FOLDER;
}

function toStream(path: string, snapshot: Uint8Array | WriteSnapshot): number {
  const bytes = snapshot instanceof Uint8Array ? snapshot : joined(snapshot);
  writeFileSync(path, bytes);
  return bytes.length;
}

function replaced(place: Place, snapshot: Uint8Array | WriteSnapshot): number {
  const file = new NewSnapshot(place);
  try {
    writeContent(file.descriptor, snapshot as Content);
  } catch (error) {
    file.abandon();
    throw error;
  }
  return file.commit();
}

/** A snapshot beside the file that it is to replace. */
class NewSnapshot implements NewFile {
  private readonly folder: SafeFolder;
  private readonly file: Replacement;

  constructor({ root, parts, name }: Place) {
    const isKept = parts.at(-1) === INDEX_FOLDER;
    this.folder = SafeFolder.open(root, parts, true);
    this.file = this.orClosed(() => {
      // Ours or not, one that is there says what git is to see.
      if (isKept) createIn(this.folder, ".gitignore", "*\n");
      // In its own folder a damaged index is replaced, too.
      return new Replacement(this.folder, name, { isOurs: (start) => isKept || isSnapshot(start) });
    });
  }

  /** For who writes it, this process or another one. */
  get descriptor(): number {
    return this.file.descriptor;
  }

  /** Puts it in place of the earlier file; returns its length. */
  commit(): number {
    const n_bytes = this.orClosed(() => this.file.commit());
    this.folder.close();
    return n_bytes;
  }

  /** Removes it; the earlier file stays. */
  abandon(): void {
    this.file.abandon();
    this.folder.close();
  }

  private orClosed<T>(step: () => T): T {
    try {
      return step();
    } catch (error) {
      this.folder.close();
      throw inWords(error, this.folder);
    }
  }
}

/** Whether a file begins as an index does; an empty one may become one. */
export function isSnapshot(start: Uint8Array): boolean {
  return start.length === 0 || MAGICS.some((magic) => Buffer.from(start).toString("latin1").startsWith(magic));
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
      ["ENOSPC", "EDQUOT"].includes(code) ? "storage.quota" : "storage.failed",
      `${what}: ${(error as Error).message}`,
      help,
      { cause: error },
    );
  }
}
