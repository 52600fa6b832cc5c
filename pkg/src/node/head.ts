/** The commit that a work tree is at, read from git's files: no program is run for it, and no link is followed. */

import { lstatSync } from "node:fs";
import { join, resolve } from "node:path";

import { readRegular } from "./safe-files.js";
import { textBelow } from "./text-below.js";

const MAX_BYTES = 4 * 1024 * 1024;
const LENGTH = 12;

/** The first digits of the commit; nothing where there is no repository, or no commit. */
export function headOf(root: string): string | undefined {
  try {
    const git = gitFolder(join(root, ".git"));
    const head = textIn(git, "HEAD").trim();
    const [, ref] = /^ref: (refs\/[\w./-]+)$/.exec(head) ?? [];
    const commit = ref === undefined ? head : commitOf(git, ref);
    return /^[0-9a-f]{40,64}$/.test(commit ?? "") ? commit?.slice(0, LENGTH) : undefined;
  } catch {
    return undefined;
  }
}

/** In a second work tree `.git` is a file that names the folder. */
export function gitFolder(place: string): string {
  const stats = lstatSync(place);
  if (stats.isDirectory()) return place;
  if (!stats.isFile() || stats.size > MAX_BYTES) throw new Error("no file of git");
  const [, folder = ""] = /^gitdir: (.+)$/m.exec(Buffer.from(readRegular(place)).toString("utf8")) ?? [];
  return resolve(place, "..", folder);
}

function commitOf(git: string, ref: string): string | undefined {
  if (ref.includes("..")) return undefined;
  // Branches are those of the first work tree.
  for (const folder of [git, commonOf(git)]) {
    const loose = attempt(() => textIn(folder, ref).trim());
    if (loose !== undefined) return loose;
    const packed = attempt(() => textIn(folder, "packed-refs")) ?? "";
    const line = packed.split("\n").find((one) => one.endsWith(` ${ref}`));
    if (line !== undefined) return line.split(" ")[0];
  }
  return undefined;
}

/** The folder that all work trees share: of the first one git's folder itself. */
export function commonOf(git: string): string {
  const common = attempt(() => textIn(git, "commondir").trim());
  return common === undefined ? git : resolve(git, common);
}

/** The text of a file of git; throws where there is none. */
export function textIn(folder: string, path: string): string {
  const text = textBelow(folder, path, MAX_BYTES);
  if (text === undefined) throw new Error("no file of git");
  return text;
}

function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
