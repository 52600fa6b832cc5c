/** Chooses the index that a run starts from, and those that are kept for other folders: see `node/index-cache.ts`. */

import { statSync } from "node:fs";

import { headOf } from "../node/head.js";
import { gitIdentity } from "../node/git-identity.js";
import { cacheFolder, keep, keepNewest, nearest, type KeptIndex, type Note } from "../node/index-cache.js";
import { madeIndex } from "../node/made-index.js";
import { digestOf } from "../node/overlay.js";
import { isRootAt } from "../node/index-file.js";
import { isOverlay } from "../node/overlay-file.js";

/** An index of which more than this part of the files differs from the nearest kept one is kept, too. */
const MUCH = 1 / 20;
/** Overlays may build on an older one. */
const OF_ONE_FOLDER = 3;
const A_DAY_MS = 24 * 60 * 60 * 1000;

/** An earlier index to start from. */
export interface Start {
  readonly file: string;
  /** Of another folder: sizes and times of its files say nothing about these. */
  readonly isElsewhere: boolean;
  /** The folder that it is of, if another one. */
  readonly root?: string;
}

/** The index at `target`; else the nearest one that is kept, of this repository and made with the same options. */
export function startOf(target: string, root: string | undefined, key: string): Start | undefined {
  // Shards are made anew each time: nothing starts from them.
  if (isFile(target) && !isRootAt(target)) {
    const made = isOverlay(target) ? madeIndex(target) : target;
    // The times in one that was made of an overlay are those of the base's files.
    if (made !== undefined) return { file: made, isElsewhere: made !== target };
  }
  const kept = root === undefined ? undefined : nearestTo(root, key);
  return kept && { file: kept.path, isElsewhere: true, root: kept.root };
}

/** The nearest kept index for a folder. */
export function nearestTo(root: string, key: string): KeptIndex | undefined {
  const folder = cacheFolder(root);
  const identity = folder === undefined ? undefined : gitIdentity(root);
  return folder !== undefined && identity ? nearest(folder, identity.names, key, headOf(root) ?? "") : undefined;
}

/**
 * Keeps an index that was written for other clones and worktrees, unless one is kept that is nearly the same: a copy for each run would push
 * out those of other repositories.
 */
export function keepForOthers(file: string, root: string, key: string, n_files: number, n_changed: number): void {
  const folder = cacheFolder(root);
  const identity = folder === undefined ? undefined : gitIdentity(root);
  if (folder === undefined || !identity) return;
  const head = headOf(root) ?? "";
  const known = nearest(folder, identity.names, key, head);
  const isOfClone = known?.names[0] === identity.clone;
  const isOld = known !== undefined && n_changed > 0 && Date.now() - known.kept_at > A_DAY_MS;
  // Where all was read anew nobody knows how much differs: at the same commit it is likely little.
  const isNear = n_changed <= n_files * MUCH || (n_changed === Number.POSITIVE_INFINITY && known?.head === head);
  if (known && isOfClone && !isOld && isNear) return;
  const note: Note = { names: identity.names, key, digest: digestOf(file), root, n_files, head };
  if (keep(folder, note.digest, file, note)) keepNewest(folder, note, OF_ONE_FOLDER);
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return true; // who reads it says what is wrong
  }
}
