/** Opens files of a served folder: only regular files, and only such whose real path is in the folder. */

import { constants } from "node:fs";
import { open, readlink, realpath, stat, type FileHandle } from "node:fs/promises";
import { join, sep } from "node:path";

/** Names that no file of a page has on Windows: devices, and streams of other files. */
const UNSAFE_ON_WINDOWS = /[:*?"<>|]|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)|[. ]$/i;
/** Without waiting for the other end of a FIFO, and without following a link that took the file's place. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The status that a fault of the system is answered with. */
export function statusOfFault(error: unknown): number {
  switch ((error as NodeJS.ErrnoException | undefined)?.code) {
    case "ENOENT":
    case "ENOTDIR":
    case "ENAMETOOLONG":
    case "ELOOP":
    case "EISDIR":
    case "EINVAL":
    case "ENXIO":
    case "ERR_INVALID_ARG_VALUE":
      return 404;
    case "EACCES":
    case "EPERM":
      return 403;
    case "EMFILE":
    case "ENFILE":
    case "ENOMEM":
    case "EAGAIN":
      return 503;
    default:
      return 500;
  }
}

/** The names in the path of a request, decoded; nothing where it leads out of the folder or is no path. */
export function namesIn(path: string): string[] | undefined {
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return undefined;
  }
  if (/[\0\\]/.test(decoded)) return undefined;
  const names = decoded.split("/");
  if (names.at(-1) === "") names.splice(-1, 1, "index.html");
  const isUnsafe = (name: string) =>
    name === "" || name === "." || name === ".." || (process.platform === "win32" && UNSAFE_ON_WINDOWS.test(name));
  return names.some(isUnsafe) ? undefined : names;
}

/** An open file. Who gets it closes it. */
export interface ServedFile {
  readonly handle: FileHandle;
  readonly n_bytes: number;
}

/**
 * Opens a file below `root`, which is a real path. Links are followed as long as they stay in the folder; nothing where they lead out
 * of it, or to what is no regular file. Rejects with the fault of the system.
 */
export async function openInside(root: string, names: readonly string[]): Promise<ServedFile | undefined> {
  const real = await realpath(join(root, ...names));
  if (!isInside(root, real)) return undefined;
  const handle = await open(real, FLAGS);
  try {
    const stats = await handle.stat();
    // A folder on the way may have become a link since: only the open file counts.
    if (stats.isFile() && isInside(root, await pathOf(handle, real))) return { handle, n_bytes: stats.size };
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  return undefined;
}

/** The path of an open file. Only Linux reports it; elsewhere the present target of the name, if it is the same file. */
async function pathOf(handle: FileHandle, name: string): Promise<string> {
  if (process.platform === "linux") return readlink(`/proc/self/fd/${handle.fd}`);
  const [path, named, opened] = await Promise.all([realpath(name), stat(name), handle.stat()]);
  return named.ino === opened.ino && named.dev === opened.dev ? path : "";
}

function isInside(root: string, path: string): boolean {
  return path.startsWith(root.endsWith(sep) ? root : root + sep);
}
