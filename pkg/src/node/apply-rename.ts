/** Writing a rename into a folder: all of it, or nothing where a file is not what was indexed. */

import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";

import type { RenameRequest, RenameResponse } from "../answers.js";
import type { CodeIndex } from "../code-index.js";
import { applyEdits } from "../edits.js";
import { PortolanError } from "../errors.js";

/** As many edits as there are, and whatever size that has. */
const ALL = { limit: 1_000_000, max_bytes: 256 * 1024 * 1024 } as const;
const BOM = "\uFEFF";

/** What was written. */
export interface AppliedRename {
  readonly rename: RenameResponse;
  /** Paths of the files that were written, by name. */
  readonly files: readonly string[];
}

/**
 * Renames a symbol in the files of `folder`, from which the index was made. Before anything is written, every file is compared
 * with the text that the index holds; one that changed meanwhile rejects with `rename.conflict`, and nothing is written.
 */
export async function applyRename(index: CodeIndex, request: RenameRequest, folder: string): Promise<AppliedRename> {
  const rename = await index.rename({ ...request, ...ALL });
  const written: { path: string; text: string }[] = [];
  const conflicts: string[] = [];
  for (const { path, edits } of rename.changes) {
    if (!edits.some(({ applied }) => applied)) continue;
    const place = within(folder, path);
    const { text: indexed } = await index.text(path);
    const current = read(place);
    const bare = current?.startsWith(BOM) === true ? current.slice(BOM.length) : current;
    if (bare !== indexed)
      conflicts.push(`${path} ${current === undefined ? "cannot be read" : "changed since it was indexed"}`);
    else written.push({ path: place, text: (current === bare ? "" : BOM) + applyEdits(indexed, edits) });
  }
  if (conflicts.length > 0) {
    throw new PortolanError(
      "rename.conflict",
      `nothing was written: ${conflicts.join("; ")}`,
      "index the sources anew, and rename then",
    );
  }
  for (const { path, text } of written) write(path, text);
  return { rename, files: written.map(({ path }) => relative(resolve(folder), path).split(sep).join("/")).sort() };
}

/** A path of the index in a folder. An index may come from anywhere, so one that leads out of the folder is refused. */
function within(folder: string, path: string): string {
  const place = resolve(folder, path);
  const inside = relative(resolve(folder), place);
  if (inside === "" || inside.startsWith("..") || resolve(inside) === inside) {
    throw new PortolanError("rename.conflict", `${path} is not inside ${folder}`);
  }
  return place;
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** Beside it first, then over it: a full disk leaves the file as it was. */
function write(path: string, text: string): void {
  const beside = join(path, `../.${Date.now()}.portolan-rename`);
  try {
    writeFileSync(beside, text, { mode: statSync(path).mode });
    renameSync(beside, path);
  } catch (error) {
    rmSync(beside, { force: true });
    throw new PortolanError(
      "rename.unwritten",
      `${path}: ${(error as Error).message}`,
      "files before it, by path, were written",
      { cause: error },
    );
  }
}
