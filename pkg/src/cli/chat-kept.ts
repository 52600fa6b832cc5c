/**
 * The last conversation about each repository, in the user's own folder for data and never in a repository. Nothing is kept where no searches
 * are: in CI, with `PORTOLAN_HISTORY=false`, or without a folder for data.
 */

import { conversationOf, type Conversation } from "../chat/history.js";
import { keepsHistory } from "../node/history.js";
import { dataFolder } from "../node/registry.js";
import { isInside, nameFor, readPrivate, writePrivate } from "../node/user-folder.js";

/** Keeps it in place of the one before. Never fails: an answer counts more than the note of it. */
export function keepConversation(root: string, conversation: Conversation): void {
  const folder = folderFor(root);
  if (folder === undefined) return;
  try {
    writePrivate(folder, fileOf(root), JSON.stringify({ ...conversation, root }));
  } catch {
    // a read-only home, a full disk
  }
}

/** The last conversation about this repository. */
export function lastConversation(root: string): Conversation | undefined {
  const folder = folderFor(root);
  const text = folder === undefined ? undefined : readPrivate(folder, fileOf(root));
  try {
    const value = JSON.parse(text ?? "null") as { root?: unknown } | null;
    // The name of the file is a digest: another repository may have the same.
    return value?.root === root ? conversationOf(value) : undefined;
  } catch {
    return undefined;
  }
}

function folderFor(root: string): string | undefined {
  const folder = keepsHistory() ? dataFolder() : undefined;
  return folder === undefined || isInside(folder, root) ? undefined : folder;
}

function fileOf(root: string): string {
  return `chats/${nameFor(root)}.json`;
}
