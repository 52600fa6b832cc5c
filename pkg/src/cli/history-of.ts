/**
 * The history of the repository that an index is of, for one question of a process that ends. A long one takes longer than the answer, and nothing
 * of it is kept: it is not begun, which the answer tells.
 */

import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { CoChanges } from "../node/co-change.js";
import { rootOfIndex } from "../node/root.js";
import type { ChangesOfFiles } from "../reading/locate-history.js";

/** Bytes of the indexes of packs, some 30 an object: a history of up to 3,000 commits is read within the half second that an answer waits. */
const MAX_INDEXES = 1024 * 1024;

const LATE: ChangesOfFiles = {
  state: async () => "late",
  with: async () => undefined,
  partners: async () => undefined,
};

/** Asks with the history, and ends the thread that reads it after that. */
export async function withHistory<T>(indexPath: string, ask: (changes: ChangesOfFiles) => Promise<T>): Promise<T> {
  const root = rootOfIndex(indexPath);
  if (sizeOfIndexes(root) > MAX_INDEXES) return ask(LATE);
  const changes = new CoChanges(root);
  try {
    return await ask(changes);
  } finally {
    changes.close();
  }
}

function sizeOfIndexes(root: string): number {
  const folder = join(root, ".git", "objects", "pack");
  try {
    const indexes = readdirSync(folder).filter((name) => name.endsWith(".idx"));
    return indexes.reduce((sum, name) => sum + lstatSync(join(folder, name)).size, 0);
  } catch {
    return 0; // none, or one that is not read either
  }
}
