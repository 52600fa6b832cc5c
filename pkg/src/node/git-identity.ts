/**
 * Which repository a folder belongs to, whatever clone or worktree of it: the folder that its worktrees share, and its remotes. Read from
 * git's files; no program is run and no link followed.
 *
 * It only tells where to look for an index of nearly the same files: each file is compared by its digest all the same, so a repository that
 * claims to be another one gains nothing.
 */

import { realpathSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";

import { commonOf, gitFolder, textIn } from "./head.js";
import { nameFor } from "./user-folder.js";

const MAX_REMOTES = 8;

export interface GitIdentity {
  /** A short name for git's folder, which all worktrees of a clone share. */
  readonly clone: string;
  /** The same and one for each remote: clones that have a name in common are of one repository. */
  readonly names: readonly string[];
  /** Whether this is a worktree beside the first one, and git's folder knows it. */
  readonly isWorktree: boolean;
}

/** The identity of a work tree by its root; nothing where there is no repository. */
export function gitIdentity(root: string): GitIdentity | undefined {
  try {
    const place = join(root, ".git");
    const git = gitFolder(place);
    const common = realpathSync(commonOf(git));
    const clone = nameFor(common);
    const isWorktree = realpathSync(git) !== common && isKnown(git, place);
    return { clone, names: [clone, ...remotes(common).map(nameFor)], isWorktree };
  } catch {
    return undefined;
  }
}

/** Git notes the place of each worktree: a `.git` file that was only copied, or written by somebody else, is none. */
function isKnown(git: string, place: string): boolean {
  return realpathSync(resolve(git, textIn(git, "gitdir").trim())) === realpathSync(place);
}

/** Where the remotes are, without names and passwords. That of a clone on this machine is named as that clone names itself. */
function remotes(common: string): string[] {
  const found = textIn(common, "config").matchAll(/^\s*url\s*=\s*(\S+)\s*$/gm);
  return [...found].slice(0, MAX_REMOTES).map(([, url = ""]) => {
    const path = url.replace(/^file:\/\//, "");
    if (isAbsolute(path)) return localClone(path);
    return url
      .replace(/^[\w+.-]+:\/\//, "")
      .replace(/^[^@/]*@/, "")
      .replace(":", "/")
      .replace(/(\.git)?\/*$/, "")
      .toLowerCase();
  });
}

function localClone(path: string): string {
  try {
    return realpathSync(commonOf(gitFolder(join(path, ".git"))));
  } catch {
    return path; // a bare repository, or gone
  }
}
