/**
 * The user's own folder: the indexes made here, the key that they are bound to, trusted settings, settings for all repositories.
 * `$XDG_CONFIG_HOME/portolan` or `~/.config/portolan`, on Windows `%APPDATA%\portolan`. Only its owner can read and write in it.
 *
 * No archive and no clone can put a file there, so its contents are the user's word. A folder inside the repository that is asked
 * about is none: it may have come with it.
 */

import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, relative } from "node:path";

const MAX_BYTES = 4 * 1024 * 1024;
/** Others may neither read nor write. */
const PRIVATE = { file: 0o600, folder: 0o700 };
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The folder; nothing where there is no home, it belongs to somebody else, or it is inside `root`. It need not exist. */
export function userFolder(root?: string): string | undefined {
  return ifPrivate(place(), root);
}

/** The folder, unless others may write to it or it is inside `root`: it may have come with that. */
export function ifPrivate(folder: string | undefined, root?: string): string | undefined {
  if (folder === undefined || (root !== undefined && isInside(folder, root))) return undefined;
  try {
    const stats = statSync(folder, { throwIfNoEntry: false });
    if (stats === undefined) return folder;
    return stats.isDirectory() && isOurs(stats) && (stats.mode & 0o022 & mask()) === 0 ? folder : undefined;
  } catch {
    return undefined; // its parent is no folder, or cannot be read
  }
}

function place(): string | undefined {
  const { XDG_CONFIG_HOME: config, APPDATA: roaming } = process.env;
  // A relative path would lead into whatever folder is worked in.
  if (config !== undefined && isAbsolute(config)) return join(config, "portolan");
  if (process.platform === "win32" && roaming !== undefined && isAbsolute(roaming)) return join(roaming, "portolan");
  const home = homedir();
  return isAbsolute(home) && dirname(home) !== home ? join(home, ".config", "portolan") : undefined;
}

/** Whether `path` is `root` or below it, as the system sees both. */
export function isInside(path: string, root: string): boolean {
  const way = relative(realPlace(root), realPlace(path));
  return way === "" || (!way.startsWith("..") && !isAbsolute(way));
}

/** The real path of the part that exists, and below it the rest of the name. */
function realPlace(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(realPlace(above), path.slice(above.length));
  }
}

/** The text of a file of the folder; nothing where it is not there, is a link, is another's, or others may write it. */
export function readPrivate(folder: string, name: string): string | undefined {
  return readPrivateBytes(folder, name)?.toString("utf8");
}

/** As `readPrivate`, the bytes. */
export function readPrivateBytes(folder: string, name: string): Buffer | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(join(folder, name), FLAGS);
    const stats = fstatSync(descriptor);
    if (!stats.isFile() || !isOurs(stats) || (stats.mode & 0o077 & mask()) !== 0 || stats.size > MAX_BYTES)
      return undefined;
    const bytes = Buffer.alloc(stats.size);
    return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, 0));
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Replaces a file of the folder in one step; a reader sees the old one or the new one. Throws the error of the system. */
export function writePrivate(folder: string, name: string, content: string | Uint8Array): void {
  const path = join(folder, name);
  mkdirSync(folder, { recursive: true, mode: PRIVATE.folder });
  if (dirname(path) !== folder) mkdirSync(dirname(path), { recursive: true, mode: PRIVATE.folder });
  // Opened only if it is not there: a link under this name is not followed.
  const beside = `${path}.${process.pid}-${Math.random().toString(36).slice(2)}.tmp`;
  const descriptor = openSync(beside, "wx", PRIVATE.file);
  try {
    try {
      writeFileSync(descriptor, content);
    } finally {
      closeSync(descriptor);
    }
    chmodSync(beside, PRIVATE.file);
    renameSync(beside, path);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

export function removePrivate(folder: string, name: string): void {
  rmSync(join(folder, name), { force: true });
}

/** A folder of the folder, made where it is not there; nothing where others can enter it. Throws the error of the system. */
export function privateFolder(folder: string, below: string): string | undefined {
  const path = join(folder, below);
  mkdirSync(path, { recursive: true, mode: PRIVATE.folder });
  const stats = lstatSync(path);
  return stats.isDirectory() && isOurs(stats) && (stats.mode & 0o077 & mask()) === 0 ? path : undefined;
}

/** Names of the files in a folder of the folder. */
export function listPrivate(folder: string, below: string): string[] {
  try {
    return readdirSync(join(folder, below)).filter((name) => !name.endsWith(".tmp"));
  } catch {
    return [];
  }
}

/**
 * Which file this is and since when it is as it is: another text where anything was written to it or in its place. The system itself sets the
 * time of the last change (`ctime`), and no archive can. Nothing where it is a link or no file.
 */
export function identityOf(path: string): string | undefined {
  try {
    const stats = lstatSync(path, { bigint: true });
    const { ino, size, mtimeNs, ctimeNs } = stats;
    return stats.isFile() ? `${ino} ${size} ${mtimeNs} ${ctimeNs}` : undefined;
  } catch {
    return undefined;
  }
}

/** A short name for a path, for files that it identifies: their content has the whole path. */
export function nameFor(path: string): string {
  let [a, b] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < path.length; at++) {
    const unit = path.charCodeAt(at);
    a = Math.imul(a ^ unit, 0x85ebca77);
    b = Math.imul(b ^ unit, 0xc2b2ae3d);
  }
  return [a, b].map((half) => ((half ^ (half >>> 15)) >>> 0).toString(16).padStart(8, "0")).join("");
}

function isOurs({ uid }: { uid: number }): boolean {
  return process.getuid === undefined || uid === process.getuid();
}

/** Windows has no such modes. */
function mask(): number {
  return process.platform === "win32" ? 0 : 0o777;
}
