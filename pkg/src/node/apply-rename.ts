/** Writing a rename into a folder: all of it, or nothing if a file differs from the index. */

import type { RenameRequest, RenameResponse } from "../answers.js";
import type { CodeIndex } from "../code-index.js";
import { applyEdits } from "../reading/edits.js";
import { PortolanError } from "../errors.js";
import { readIn, replaceIn } from "./safe-files.js";
import { inWords, placeIn, SafeFolder } from "./safe-folder.js";

/** As many edits as there are, and whatever size that has. */
const ALL = { limit: 1_000_000, max_bytes: 256 * 1024 * 1024 } as const;
const BOM = "\uFEFF";

/** The files that a rename has changed. */
export interface AppliedRename {
  readonly rename: RenameResponse;
  /** Paths of the files that were written, by name. */
  readonly files: readonly string[];
}

export interface ApplyRenameOptions {
  /** Writes the files although the new name is taken in some places (default false). */
  readonly force?: boolean;
}

/** Conflicts that a message lists. */
const MAX_LISTED = 10;

/**
 * Renames a symbol in the files of `folder`, from which the index was made. Rejects with `rename.conflict`, and writes nothing, where the new
 * name is taken (unless `force`), and where a file is not the text that the index holds.
 */
export async function applyRename(
  index: CodeIndex,
  request: RenameRequest,
  folder: string,
  { force = false }: ApplyRenameOptions = {},
): Promise<AppliedRename> {
  const rename = await index.rename({ ...request, ...ALL });
  if (!force && rename.conflicts.length > 0) throw taken(rename);
  const written: { path: string; before: Source; text: string }[] = [];
  const conflicts: string[] = [];
  for (const { path, edits } of rename.changes) {
    if (!edits.some(({ applied }) => applied)) continue;
    const before = read(folder, path);
    const { text: indexed } = await index.text(path);
    if (typeof before === "string") conflicts.push(`${path} ${before}`);
    else if (before.text !== indexed) conflicts.push(`${path} changed since it was indexed`);
    else written.push({ path, before, text: before.bom + applyEdits(indexed, edits) });
  }
  if (conflicts.length > 0) {
    throw new PortolanError(
      "rename.conflict",
      `nothing was written: ${conflicts.join("; ")}`,
      "index the sources anew, and rename then",
    );
  }
  for (const { path, before, text } of written) write(folder, path, before, text);
  return { rename, files: written.map(({ path }) => path).sort() };
}

function taken({ new_name, conflicts }: RenameResponse): PortolanError {
  const listed = conflicts.slice(0, MAX_LISTED).map(({ path, line, message }) => `${path}:${line}: ${message}`);
  const more = conflicts.length > MAX_LISTED ? [`and ${conflicts.length - MAX_LISTED} more`] : [];
  return new PortolanError(
    "rename.conflict",
    `nothing was written, since ${new_name} is taken: ${[...listed, ...more].join("; ")}`,
    "choose another name; `force` (--force) writes all the same",
  );
}

interface Source {
  readonly bytes: Uint8Array;
  readonly mode: number;
  readonly bom: string;
  readonly text: string;
}

/** Runs `work` in the folder of a file. An index may come from anywhere: a path that leads out, by `..` or by a link, is refused. */
function inFolderOf<T>(root: string, path: string, work: (folder: SafeFolder, name: string) => T): T {
  const { parts, name } = placeIn(root, path);
  const folder = SafeFolder.open(root, parts);
  try {
    return work(folder, name);
  } catch (error) {
    throw inWords(error, folder);
  } finally {
    folder.close();
  }
}

/** A file as it is now; in words, why it cannot be changed. */
function read(root: string, path: string): Source | string {
  try {
    const { bytes, mode } = inFolderOf(root, path, readIn);
    const whole = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    // Bytes that are no UTF-8 would be others afterwards.
    if (!Buffer.from(whole).equals(bytes)) return "is no UTF-8";
    const bom = whole.startsWith(BOM) ? BOM : "";
    return { bytes, mode, bom, text: whole.slice(bom.length) };
  } catch (error) {
    return error instanceof PortolanError ? `is not changed: ${error.message}` : "cannot be read";
  }
}

/** Beside it first, then over it: a full disk leaves the file as it was. */
function write(root: string, path: string, { bytes, mode }: Source, text: string): void {
  const isOurs = (start: Uint8Array) => Buffer.from(start).equals(bytes.subarray(0, start.length));
  try {
    inFolderOf(root, path, (folder, name) => replaceIn(folder, name, text, { isOurs, mode }));
  } catch (error) {
    throw new PortolanError(
      "rename.unwritten",
      `${path}: ${(error as Error).message}`,
      "files before it, by path, were written",
      { cause: error },
    );
  }
}
