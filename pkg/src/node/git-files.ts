/** The files of `.git` in a folder, read synchronously in a worker thread. No link is followed, and nothing beside it is read. */

import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";

import type { GitFiles } from "../workers/history-worker.js";
import { DEEPEST, keptElsewhere, noRepository, WANTED } from "../workers/git-names.js";
import { SafeFolder } from "./safe-folder.js";

const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
const GIT = ".git";
/** Maximum number of files that stay open: packs and their indexes are read piece by piece. */
const MOST_OPEN = 64;
const MOST_NAMES = 200_000;

interface Open {
  readonly descriptor: number;
  readonly size: number;
}

/** Opens `.git` of a folder. Throws `history.no-repository`, or `history.outside` for a worktree or a submodule. */
export function openGitFiles(root: string): GitFiles & { close(): void } {
  const stats = lstatSync(`${root}/${GIT}`, { throwIfNoEntry: false });
  if (stats === undefined) throw noRepository();
  if (!stats.isDirectory()) throw keptElsewhere("its history is in another folder, which is not read");
  return new FolderFiles(root);
}

class FolderFiles implements GitFiles {
  /** In the order last asked. */
  private readonly open = new Map<string, Open>();

  constructor(private readonly root: string) {}

  size(name: string): number | undefined {
    return this.opened(name)?.size;
  }

  read(name: string, start: number, end: number): Uint8Array {
    const file = this.opened(name);
    if (!file) throw new Error("there is no such file");
    const bytes = new Uint8Array(Math.max(0, Math.min(end, file.size) - start));
    for (let at = 0; at < bytes.length; ) {
      const n_read = readSync(file.descriptor, bytes, at, bytes.length - at, start + at);
      if (n_read === 0) return bytes.subarray(0, at);
      at += n_read;
    }
    return bytes;
  }

  list(folder: string): string[] {
    return attempt(() => within(this.root, folder, (open) => open.list().slice(0, MOST_NAMES))) ?? [];
  }

  below(folder: string): string[] {
    const names: string[] = [];
    const pending = [{ folder, depth: 0 }];
    for (let next = pending.pop(); next && names.length < MOST_NAMES; next = pending.pop()) {
      const { folder: path, depth } = next;
      attempt(() =>
        within(this.root, path, (open) => {
          for (const name of open.list()) {
            const stats = open.stats(name);
            if (stats?.isFile()) names.push(`${path}/${name}`);
            else if (stats?.isDirectory() && depth < DEEPEST)
              pending.push({ folder: `${path}/${name}`, depth: depth + 1 });
          }
        }),
      );
    }
    return names;
  }

  close(): void {
    for (const { descriptor } of this.open.values()) closeSync(descriptor);
    this.open.clear();
  }

  private opened(name: string): Open | undefined {
    const known = this.open.get(name);
    if (known) {
      this.open.delete(name);
      this.open.set(name, known);
      return known;
    }
    const file = WANTED.test(name) ? attempt(() => openIn(this.root, name)) : undefined;
    if (!file) return undefined;
    this.open.set(name, file);
    const [oldest] = this.open;
    if (this.open.size > MOST_OPEN && oldest) {
      this.open.delete(oldest[0]);
      closeSync(oldest[1].descriptor);
    }
    return file;
  }
}

function openIn(root: string, name: string): Open | undefined {
  const end = name.lastIndexOf("/");
  return within(root, name.slice(0, Math.max(0, end)), (folder) => {
    const descriptor = openSync(folder.entry(name.slice(end + 1)), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const stats = fstatSync(descriptor);
    if (stats.isFile()) return { descriptor, size: stats.size };
    closeSync(descriptor);
    return undefined;
  });
}

/** Does something in a folder of `.git`. */
function within<T>(root: string, folder: string, run: (open: SafeFolder) => T): T {
  const open = SafeFolder.open(root, [GIT, ...folder.split("/").filter((part) => part !== "")]);
  try {
    return run(open);
  } finally {
    open.close();
  }
}

/** A file or folder that is not there, or is a link. */
function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
