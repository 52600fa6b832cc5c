/**
 * Changes in a folder, as the system reports them. Each folder that counts is watched separately: folders that are ignored
 * (`node_modules`) cost nothing, and new ones are added after the next walk.
 */

import { watch, type FSWatcher } from "node:fs";
import { join, resolve } from "node:path";

import type { Watcher } from "../host.js";
import { INDEX_FOLDER } from "./root.js";

/** Where the system has no watches left, folders are looked at so often. */
const POLL_MS = 2_000;

export function watchFolder(root: string, onChange: () => void, onError: (error: Error) => void): Watcher {
  const base = resolve(root);
  const watchers = new Map<string, FSWatcher>();
  let poll: NodeJS.Timeout | undefined;

  const lose = (path: string) => {
    watchers.get(path)?.close();
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
      watchers.set(path, watcher);
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
      for (const path of [...watchers.keys()]) if (!wanted.has(path)) lose(path);
      const n_before = watchers.size;
      for (const path of wanted) if (!watchers.has(path)) add(path);
      return watchers.size > n_before;
    },
    close() {
      clearInterval(poll);
      for (const path of [...watchers.keys()]) lose(path);
    },
  };
}
