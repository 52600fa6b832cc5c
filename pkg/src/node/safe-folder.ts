/**
 * A folder below a root, opened part by part without following links, so that no write ends up elsewhere.
 *
 * On Linux each part is opened with `O_NOFOLLOW`, and the next one is seen from its descriptor (`/proc/self/fd/N/name`), so that it
 * does not matter who replaces a folder by a link meanwhile. Node has no `openat`; on other systems each folder is compared by device
 * and inode before every use. A process that swaps a folder for a link within that moment is not noticed there; a repository, which is
 * data, cannot.
 */

import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  type Stats,
} from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

import { PortolanError } from "../errors.js";

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
const BY_DESCRIPTOR = process.platform === "linux" && existsSync("/proc/self/fd");

/** On Windows a colon would name a stream of another file. */
const NO_NAME = process.platform === "win32" ? /[/\\:\0]/ : /[/\0]/;

/** A file that may not be there: the folder that is trusted, the folders below it that are checked, and the name. */
export interface Place {
  readonly root: string;
  readonly parts: readonly string[];
  readonly name: string;
}

export class SafeFolder {
  private constructor(
    readonly path: string,
    private readonly descriptor: number | undefined,
    private readonly identity: Stats,
  ) {}

  /**
   * Opens the folder `parts` of `root`; `make` makes those that are missing. Links in the path of `root` itself are followed. Throws
   * `output.link` where a part is a link, and what the system says.
   */
  static open(root: string, parts: readonly string[] = [], make = false): SafeFolder {
    const real = realpathSync(root);
    let folder = SafeFolder.opened(real, real);
    for (const part of parts) {
      const before: SafeFolder = folder;
      try {
        folder = before.enter(part, make);
      } catch (error) {
        throw inWords(error, before);
      } finally {
        before.close();
      }
    }
    return folder;
  }

  /** The path by which the system is given an entry: good until the folder is closed. */
  entry(name: string): string {
    if (name === "" || name === "." || name === ".." || NO_NAME.test(name))
      throw new PortolanError("output.outside", `${JSON.stringify(name)} is no name of a file`);
    if (this.descriptor !== undefined) return `/proc/self/fd/${this.descriptor}/${name}`;
    const now = lstatSync(this.path);
    if (now.ino !== this.identity.ino || now.dev !== this.identity.dev || realpathSync(this.path) !== this.path)
      throw new PortolanError("output.link", `${this.path} was replaced meanwhile`, "try again");
    return join(this.path, name);
  }

  /** Returns the kind of an entry, without following links; nothing where there is none. */
  stats(name: string): Stats | undefined {
    return lstatSync(this.entry(name), { throwIfNoEntry: false });
  }

  /** The names of its entries. */
  list(): string[] {
    return readdirSync(this.descriptor === undefined ? this.path : `/proc/self/fd/${this.descriptor}`);
  }

  /** The path of an entry for people. */
  shown(name: string): string {
    return join(this.path, name);
  }

  /** Has the system put the entries on the disk, where it can do so for folders (not on Windows). */
  sync(): void {
    try {
      const descriptor = this.descriptor ?? openSync(this.path, O_RDONLY);
      try {
        fsyncSync(descriptor);
      } finally {
        if (descriptor !== this.descriptor) closeSync(descriptor);
      }
    } catch {
      // The files are whole either way.
    }
  }

  close(): void {
    if (this.descriptor !== undefined) closeSync(this.descriptor);
  }

  private enter(part: string, make: boolean): SafeFolder {
    const place = this.entry(part);
    if (make && lstatSync(place, { throwIfNoEntry: false }) === undefined) makeFolder(place);
    return SafeFolder.opened(place, join(this.path, part));
  }

  private static opened(place: string, path: string): SafeFolder {
    const stats = lstatSync(place);
    if (stats.isSymbolicLink()) throw isLink(path);
    if (!stats.isDirectory()) throw new PortolanError("output.foreign", `${path} is no folder`, "name another place");
    if (!BY_DESCRIPTOR) return new SafeFolder(path, undefined, stats);
    const descriptor = openSync(place, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    return new SafeFolder(path, descriptor, fstatSync(descriptor));
  }
}

/** Two processes may make it at once. */
function makeFolder(place: string): void {
  try {
    mkdirSync(place);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/** The error of a link where there may be none. */
export function isLink(path: string): PortolanError {
  let target = "";
  try {
    target = realpathSync(path);
  } catch {
    // It leads nowhere.
  }
  const instead = target === "" ? "" : `; if you trust it, name ${target} instead`;
  return new PortolanError(
    "output.link",
    `${path} is a link, and nothing is written through links`,
    `delete the link${instead}`,
  );
}

/** Returns the system's message, with the path of the folder in place of the number of a descriptor. */
export function inWords(error: unknown, folder: SafeFolder): unknown {
  if (!(error instanceof Error) || error instanceof PortolanError) return error;
  error.message = error.message.replaceAll(/\/proc\/self\/fd\/\d+/g, () => folder.path);
  return error;
}

/** Folders in which version control keeps its own, code that it runs included. */
const OF_VERSION_CONTROL = new Set([".git", ".hg", ".jj", ".svn", "git~1"]);

/** A place in a root. Throws `output.outside` for a path that leads out of it, and `output.foreign` for one that is git's own. */
export function placeIn(root: string, path: string): Place {
  const inside = relative(resolve(root), resolve(root, path));
  const parts = inside.split(sep);
  const name = parts.pop() ?? "";
  if (name === "" || isAbsolute(inside) || parts[0] === ".." || name === "..")
    throw new PortolanError("output.outside", `${path} is not inside ${root}`);
  if ([...parts, name].some((part) => OF_VERSION_CONTROL.has(part.toLowerCase().replace(/[. ]+$/, ""))))
    throw new PortolanError("output.foreign", `${path} belongs to version control`, "name another place");
  return { root, parts, name };
}

/**
 * The place of a file that a person named. Inside of `repositories` no part may be a link, since a repository can bring links; elsewhere
 * links of folders are followed, as every program does.
 */
export function placeNamed(path: string, repositories: readonly string[]): Place {
  const absolute = resolve(path);
  const base = rootAbove(absolute, repositories);
  if (base === undefined) {
    const existing = nearestFolder(dirname(absolute));
    return placeIn(realpathSync(existing), join(realpathSync(existing), relative(existing, absolute)));
  }
  return placeIn(base, absolute);
}

/** The highest folder above `path` that is one of the repositories, by whatever name. */
function rootAbove(path: string, repositories: readonly string[]): string | undefined {
  const wanted = repositories.map((folder) => (existsSync(folder) ? realpathSync(folder) : resolve(folder)));
  let found: string | undefined;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (existsSync(folder) && wanted.includes(realpathSync(folder))) found = folder;
    if (folder === dirname(folder)) return found;
  }
}

function nearestFolder(path: string): string {
  let folder = path;
  while (!existsSync(folder)) folder = dirname(folder);
  return folder;
}
