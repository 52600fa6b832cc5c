/**
 * Files written where a repository may have laid a trap. A file that is written is a new one, beside the target and under a random
 * name; then it is renamed over the target. A target that is a link, or that is not ours, stays as it is.
 */

import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";

import { PortolanError } from "../errors.js";
import { inWords, isLink, SafeFolder, type Place } from "./safe-folder.js";

const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
/** Number of bytes of a file that tell whether it is ours. */
const N_START = 4096;

export interface ReplaceOptions {
  /** Whether a file that is there may be replaced, by its first bytes. */
  readonly isOurs: (start: Uint8Array) => boolean;
  /** Access bits of the new file; else those that the process gives its files. */
  readonly mode?: number;
  /** False for what a crash of the system may take: it is renamed without waiting for the disk. */
  readonly isDurable?: boolean;
}

/** Bytes, text, or what writes pieces at offsets. */
export type Content = Uint8Array | string | ((give: (at: number, piece: Uint8Array) => void) => void);

/**
 * Writes a file as a whole or not at all, and returns its length: a reader meanwhile, or after a crash, finds the old one or the
 * new one. Missing folders are made. Throws `output.link`, `output.foreign`, and what the system says, with the path in its words.
 */
export function replaceFile(place: Place, content: Content, options: ReplaceOptions): number {
  const folder = SafeFolder.open(place.root, place.parts, true);
  try {
    return replaceIn(folder, place.name, content, options);
  } catch (error) {
    throw inWords(error, folder);
  } finally {
    folder.close();
  }
}

/** As `replaceFile`, for a program that writes by the descriptor. */
export async function replaceBy(
  place: Place,
  write: (descriptor: number) => Promise<void>,
  options: ReplaceOptions,
): Promise<void> {
  const folder = SafeFolder.open(place.root, place.parts, true);
  try {
    const file = new Replacement(folder, place.name, options);
    try {
      await write(file.descriptor);
    } catch (error) {
      file.abandon();
      throw error;
    }
    file.commit();
  } catch (error) {
    throw inWords(error, folder);
  } finally {
    folder.close();
  }
}

/** Sixteen digits. Not by `node:crypto`, which takes longer to load than a question has: questions read by this module, too. */
function random(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(8))).toString("hex");
}

/** As `replaceFile`, in a folder that is open. */
export function replaceIn(folder: SafeFolder, name: string, content: Content, options: ReplaceOptions): number {
  const file = new Replacement(folder, name, options);
  try {
    writeContent(file.descriptor, content);
  } catch (error) {
    file.abandon();
    throw error;
  }
  return file.commit();
}

/** A new file beside the one that it replaces, for who writes it by its descriptor. The folder stays open until it is done. */
export class Replacement {
  readonly descriptor: number;
  private readonly temporary = `.portolan-${process.pid}-${random()}.tmp`;
  private isOpen = true;

  constructor(
    private readonly folder: SafeFolder,
    private readonly name: string,
    private readonly options: ReplaceOptions,
  ) {
    const { isOurs, mode } = options;
    refuseForeign(folder, name, isOurs);
    removeLeftovers(folder);
    this.descriptor = openNew(folder, this.temporary, mode);
  }

  /** Puts it in place of the other one and returns its length. Where that fails it is removed. */
  commit(): number {
    const { isOurs, isDurable = true } = this.options;
    try {
      const n_bytes = fstatSync(this.descriptor).size;
      if (isDurable) fsyncSync(this.descriptor);
      this.close();
      // Another program may have put something there meanwhile.
      refuseForeign(this.folder, this.name, isOurs);
      renameOver(this.folder, this.temporary, this.name);
      if (isDurable) this.folder.sync();
      return n_bytes;
    } catch (error) {
      this.abandon();
      throw error;
    }
  }

  /** Removes it; the other one stays. */
  abandon(): void {
    this.close();
    rmSync(this.folder.entry(this.temporary), { force: true });
  }

  private close(): void {
    if (this.isOpen) closeSync(this.descriptor);
    this.isOpen = false;
  }
}

/** Writes a file that was not there; false where something is, which stays. */
export function createIn(folder: SafeFolder, name: string, content: Content, mode?: number): boolean {
  try {
    writeNew(folder, name, content, mode);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** The error of an output that could not be written: `storage.quota` where the disk is full, else `output.unwritable`. */
export function unwritable(path: string, error: unknown): PortolanError {
  if (error instanceof PortolanError) return error;
  const isFull = ["ENOSPC", "EDQUOT"].includes((error as NodeJS.ErrnoException).code ?? "");
  const help = isFull ? "free some space, or name another disk with -o" : "";
  const code = isFull ? "storage.quota" : "output.unwritable";
  return new PortolanError(code, `${path}: ${(error as Error).message}`, help, { cause: error });
}

/** Whether a path names a pipe or a device, as `-o /dev/stdout` does: it is written to, since there is nothing to replace. */
export function isStream(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && !stats.isFile() && !stats.isDirectory();
}

/** Deletes a file of ours, if it is there; a link is not deleted. */
export function removeFile(place: Place, isOurs: ReplaceOptions["isOurs"]): void {
  const folder = SafeFolder.open(place.root, place.parts);
  try {
    refuseForeign(folder, place.name, isOurs);
    rmSync(folder.entry(place.name), { force: true });
  } catch (error) {
    throw inWords(error, folder);
  } finally {
    folder.close();
  }
}

/** A regular file in an open folder, with its access bits; links are not followed. */
export function readIn(folder: SafeFolder, name: string): { bytes: Uint8Array; mode: number } {
  const descriptor = openSync(folder.entry(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw notRegular(folder.shown(name));
    return { bytes: readFileSync(descriptor), mode: stats.mode & 0o7777 };
  } finally {
    closeSync(descriptor);
  }
}

/** All of a regular file. A named pipe would keep its reader waiting, a device has no end: both throw `input.not-a-file`. */
export function readRegular(path: string, { pipes = false } = {}): Uint8Array<ArrayBuffer> {
  const descriptor = openRegular(path, { pipes });
  try {
    const bytes = readFileSync(descriptor);
    return bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
  } finally {
    closeSync(descriptor);
  }
}

/** The descriptor of a regular file, opened for reading. Pipes of the shell (`<(…)`, `/dev/stdin`) pass, where `pipes` says so. */
export function openRegular(path: string | URL, { pipes = false, follow = true } = {}): number {
  const isOfShell = pipes && /^\/(?:dev|proc\/\w+)\/(?:fd\/\d+|stdin)$/.test(String(path));
  if (isOfShell) return openSync(path, O_RDONLY);
  const descriptor = openSync(path, O_RDONLY | O_NONBLOCK | (follow ? 0 : O_NOFOLLOW));
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  throw notRegular(String(path));
}

function notRegular(path: string): PortolanError {
  return new PortolanError(
    "input.not-a-file",
    `${path} is no regular file`,
    "name a file, not a folder, a pipe or a device",
  );
}

function refuseForeign(folder: SafeFolder, name: string, isOurs: ReplaceOptions["isOurs"]): void {
  const stats = folder.stats(name);
  if (stats === undefined) return;
  if (stats.isSymbolicLink()) throw isLink(folder.shown(name));
  if (!stats.isFile() || !isOurs(startOf(folder, name)))
    throw new PortolanError(
      "output.foreign",
      `${folder.shown(name)} is not Portolan's, so it is not replaced`,
      "name another file, or delete this one",
    );
}

function startOf(folder: SafeFolder, name: string): Uint8Array {
  const descriptor = openSync(folder.entry(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const start = new Uint8Array(N_START);
    return start.subarray(0, readSync(descriptor, start, 0, N_START, 0));
  } finally {
    closeSync(descriptor);
  }
}

/** Writes a file that was not there and has the system put it on the disk. */
function writeNew(folder: SafeFolder, name: string, content: Content, mode?: number): void {
  const descriptor = openNew(folder, name, mode);
  try {
    writeContent(descriptor, content);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Makes a file that was not there, opened for writing. */
function openNew(folder: SafeFolder, name: string, mode?: number): number {
  const descriptor = openSync(folder.entry(name), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode ?? 0o666);
  if (mode !== undefined) fchmodSync(descriptor, mode);
  return descriptor;
}

/** Writes all of it to an open file. */
export function writeContent(descriptor: number, content: Content): void {
  if (typeof content !== "function") {
    writeFileSync(descriptor, content);
    return;
  }
  content((at, piece) => {
    for (let n_written = 0; n_written < piece.length; )
      n_written += writeSync(descriptor, piece, n_written, piece.length - n_written, at + n_written);
  });
}

const RENAME_PAUSE_MS = 50;
const MAX_RENAME_MS = 2_000;

/** On Windows a file that a question has open just now cannot be replaced: soon it can. */
function renameOver(folder: SafeFolder, from: string, to: string): void {
  for (let waited = 0; ; waited += RENAME_PAUSE_MS) {
    try {
      renameSync(folder.entry(from), folder.entry(to));
      return;
    } catch (error) {
      const { code = "" } = error as NodeJS.ErrnoException;
      const isInUse = process.platform === "win32" && ["EPERM", "EACCES", "EBUSY"].includes(code);
      if (!isInUse || waited >= MAX_RENAME_MS) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RENAME_PAUSE_MS);
    }
  }
}

/** Files that processes left which were killed while they wrote. */
function removeLeftovers(folder: SafeFolder): void {
  for (const name of folder.list()) {
    const pid = /^\.portolan-(\d+)-[0-9a-f]{16}\.tmp$/.exec(name)?.[1];
    if (pid && !isRunning(Number(pid))) rmSync(folder.entry(name), { force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
