/**
 * Where the history of a folder is: its `.git`, or what the file of that name points to. A worktree keeps its history in another folder, a
 * submodule in that of the repository around it: both are read if they are within what the person opened, and name the folder in turn, as
 * git writes it.
 */

import { PortolanError } from "../errors.js";
import { noRepository } from "../workers/git-names.js";

/** The tree that a person opened: paths with `/` from its top, which is the empty path. */
export interface OpenedTree {
  /** Its name, where the browser tells it. */
  readonly name?: string;
  hasFolder(path: string): Promise<boolean>;
  /** A short text; nothing if there is no such file. */
  text(path: string): Promise<string | undefined>;
}

/** Folders in it. They differ for a worktree, whose newest commit is its own and whose objects are those of the repository. */
export interface GitPlace {
  /** References and objects. */
  readonly common: string;
  /** `HEAD`. */
  readonly own: string;
}

/** Paths in `gitdir` that are tried: an absolute one says nothing about where the opened folder is. */
const MOST_TRIED = 32;

/** Finds the history of the folder `within`. Rejects with `history.no-repository` and `history.outside`. */
export async function placeOfGit(tree: OpenedTree, within: string): Promise<GitPlace> {
  const git = joined(within, ".git") ?? ".git";
  if (await tree.hasFolder(git)) return { common: git, own: git };
  const target = /^gitdir:[ \t]*(.+?)\s*$/m.exec((await tree.text(git)) ?? "")?.[1];
  if (target === undefined) throw noRepository();
  for (const own of candidates(target, within)) {
    if ((await tree.text(`${own}/HEAD`)) === undefined || !(await namesBack(tree, own, within))) continue;
    const shared = (await tree.text(`${own}/commondir`))?.trim();
    const common = shared === undefined ? own : joined(own, shared);
    if (common !== undefined && (await tree.hasFolder(common))) return { common, own };
  }
  throw outside(target);
}

/** The nearest folder at or above a path that has a `.git`; nothing if none has. */
export async function gitFolderAbove(tree: OpenedTree, path: string): Promise<string | undefined> {
  const parts = path.split("/").slice(0, -1);
  for (let n = parts.length; n >= 0; n -= 1) {
    const folder = parts.slice(0, n).join("/");
    const git = joined(folder, ".git") ?? ".git";
    if ((await tree.hasFolder(git)) || (await tree.text(git)) !== undefined) return folder;
  }
  return undefined;
}

function outside(target: string): PortolanError {
  const [, worktreeOf] = /^(.*?)\/?\.git\/worktrees\/[^/]+$/.exec(target) ?? [];
  const [kind, place] = worktreeOf === undefined ? ["submodule", target] : ["worktree", worktreeOf || target];
  return new PortolanError(
    "history.outside",
    `this folder is a ${kind} of git, whose history is kept in ${place}: that is outside of the folder that you opened, and a page reads nothing outside`,
    kind === "worktree"
      ? "open a folder that holds both the repository and this worktree, or the repository itself"
      : "open the folder of the repository around it",
  );
}

/** Where a `gitdir` may be in the tree. */
function candidates(target: string, within: string): string[] {
  if (!/^(?:\/|[A-Za-z]:[\\/])/.test(target)) {
    const path = joined(within, target);
    return path ? [path] : [];
  }
  const parts = target.split(/[\\/]/).filter((part) => part !== "");
  if (parts.includes("..")) return [];
  return parts.map((_, start) => parts.slice(start).join("/")).slice(-MOST_TRIED);
}

/** Whether git's own folder of a worktree or submodule names the folder whose `.git` names it. */
async function namesBack(tree: OpenedTree, own: string, within: string): Promise<boolean> {
  const git = joined(within, ".git");
  const back = (await tree.text(`${own}/gitdir`))?.trim();
  if (back !== undefined) {
    if (!/^(?:\/|[A-Za-z]:[\\/])/.test(back)) return joined(own, back) === git;
    // The name of what was opened tells something only where nothing else does.
    const path = within === "" && tree.name !== undefined ? `${tree.name}/.git` : git;
    return back.replaceAll("\\", "/").endsWith(`/${path}`);
  }
  const worktree = /^\s*worktree\s*=\s*(.+?)\s*$/m.exec((await tree.text(`${own}/config`)) ?? "")?.[1];
  return worktree !== undefined && joined(own, worktree) === within;
}

/** A path from a folder of the tree, without dots; nothing if it leaves the tree. */
function joined(folder: string, path: string): string | undefined {
  const parts: string[] = [];
  for (const part of `${folder}/${path}`.split(/[\\/]/)) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join("/");
}
