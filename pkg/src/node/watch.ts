/**
 * Changes in a folder, as the system reports them. Each folder that counts is watched separately: folders that are ignored
 * (`node_modules`) cost nothing, and new ones are added after the next walk.
 */

import { statfsSync, statSync, watch, type FSWatcher } from "node:fs";
import { join, resolve } from "node:path";

import type { Watcher } from "../host.js";
import type { Input } from "../types.js";
import { INDEX_FOLDER } from "./root.js";

/** Where the system has no watches left, folders are looked at so often. */
const POLL_MS = 2_000;

/** File systems of Linux that only this machine writes to (`statfs(2)`): every write is reported before it returns. */
const LOCAL: ReadonlySet<number> = new Set([
  ...[0xef53, 0x58465342, 0x9123683e, 0xf2f52010], // ext2 to ext4, XFS, Btrfs, F2FS
  ...[0x01021994, 0x794c7630, 0x2fc12fc1, 0xca451a4e], // tmpfs, overlayfs, ZFS, bcachefs
]);

/** A watch of a folder, and which folder had the path then. */
interface Watched {
  readonly watcher: FSWatcher;
  readonly identity: string;
}

export function watchInput(
  input: Input | undefined,
  onChange: () => void,
  onError: (error: Error) => void,
): Watcher | undefined {
  return typeof input === "string" ? watchFolder(input, onChange, onError) : undefined;
}

export function watchFolder(root: string, onChange: () => void, onError: (error: Error) => void): Watcher {
  const base = resolve(root);
  const watchers = new Map<string, Watched>();
  const device = deviceOf(base);
  let isLocal = device !== undefined;
  let poll: NodeJS.Timeout | undefined;

  const lose = (path: string) => {
    watchers.get(path)?.watcher.close();
    watchers.delete(path);
  };
  const add = (path: string) => {
    try {
      const watcher = watch(join(base, path), { persistent: true }, (_event, name) => {
        if (path !== "" || name !== INDEX_FOLDER) onChange();
      });
      // The folder is gone: the next walk shows the rest.
      watcher.on("error", () => {
        lose(path);
        onChange();
      });
      const folder = folderAt(join(base, path));
      isLocal &&= folder?.device === device;
      watchers.set(path, { watcher, identity: folder?.identity ?? "" });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOENT") return onChange();
      if (poll) return;
      poll = setInterval(onChange, POLL_MS);
      onError(
        new Error(
          `the system watches no more folders (${code ?? (error as Error).message}); they are looked at every ${POLL_MS / 1000} s`,
        ),
      );
    }
  };
  return {
    folders(paths) {
      const wanted = new Set(paths);
      for (const [path, { identity }] of watchers) {
        // A watch stays with its folder: another one may have taken its path.
        if (!wanted.has(path) || folderAt(join(base, path))?.identity !== identity) lose(path);
      }
      const n_before = watchers.size;
      for (const path of wanted) if (!watchers.has(path)) add(path);
      return watchers.size > n_before;
    },
    async settled() {
      if (!isLocal || poll !== undefined) return false;
      // The first may come in a turn of the loop that has asked the system already.
      for (let turn = 0; turn < 2; turn++) await new Promise((next) => setImmediate(next));
      return true;
    },
    close() {
      clearInterval(poll);
      for (const path of [...watchers.keys()]) lose(path);
    },
  };
}

/** The device of a folder whose file system reports every change at once; nothing elsewhere. */
function deviceOf(folder: string): number | undefined {
  try {
    return process.platform === "linux" && LOCAL.has(statfsSync(folder).type) ? statSync(folder).dev : undefined;
  } catch {
    return undefined;
  }
}

function folderAt(path: string): { readonly device: number; readonly identity: string } | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  // A number is soon given to another folder.
  return stats && { device: stats.dev, identity: `${stats.dev} ${stats.ino} ${stats.birthtimeMs}` };
}
