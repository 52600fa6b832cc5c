/** Folders that a command fills with files of its own, and replaces when it runs again. */

import { rmSync } from "node:fs";

import { PortolanError } from "../errors.js";
import { readIn } from "../node/safe-files.js";
import { inWords, placeNamed, SafeFolder } from "../node/safe-folder.js";

/** The file that tells such a folder from others, and what is in it. */
export interface Mark {
  readonly file: string;
  isOurs(content: Record<string, unknown>): boolean;
  /** Everything that such a folder can hold beside the mark, where that is the same for every version. */
  readonly entries?: readonly string[];
}

/** A working copy is never replaced, whatever mark it carries: a repository could bring its own. */
const OF_A_REPOSITORY = [".git", ".hg", ".svn", ".jj"];

/**
 * Makes way for new files, and gives the folder by its real path; one that holds anything else is left alone. Afterwards it is empty, so
 * no link is left in it that a file could be written through.
 */
export function cleared(path: string, repositories: readonly string[], mark: Mark): string {
  const { root, parts, name } = placeNamed(path, repositories);
  const folder = SafeFolder.open(root, [...parts, name], true);
  try {
    const taken = folder.list();
    const foreign =
      taken.length > 0 && !isMarked(folder, mark) ? "files" : taken.find((entry) => isForeign(entry, mark));
    if (foreign !== undefined)
      throw new PortolanError(
        "output.unwritable",
        `${path} holds something else (${foreign})`,
        "name an empty folder with -o",
      );
    for (const entry of taken) rmSync(folder.entry(entry), { recursive: true, force: true });
    return folder.path;
  } catch (error) {
    throw inWords(error, folder);
  } finally {
    folder.close();
  }
}

function isForeign(entry: string, { file, entries }: Mark): boolean {
  return OF_A_REPOSITORY.includes(entry) || (entries !== undefined && entry !== file && !entries.includes(entry));
}

function isMarked(folder: SafeFolder, { file, isOurs }: Mark): boolean {
  if (folder.stats(file)?.isFile() !== true) return false;
  try {
    return isOurs(JSON.parse(Buffer.from(readIn(folder, file).bytes).toString("utf8")) as Record<string, unknown>);
  } catch {
    return false;
  }
}
