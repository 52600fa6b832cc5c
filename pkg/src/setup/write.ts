/** The one place where set-up writes to and deletes files of the user's home. */

import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, openSync, realpathSync, renameSync, rmdirSync, rmSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * Writes a file beside its place first and then renames it: whoever reads sees the old file or the new one. The name beside cannot be
 * guessed and is never opened where something has it already, so nobody can put a link there.
 */
export function writeFile(file: string, bytes: Uint8Array, mode?: number): void {
  const beside = `${file}.${randomBytes(8).toString("hex")}.tmp`;
  const handle = openSync(beside, "wx", mode ?? 0o644);
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(handle, bytes, done);
    fsyncSync(handle);
    closeSync(handle);
    renameSync(beside, file);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

/** Returns the place behind links, of a file that may not be there yet: people keep their settings in another folder and link to them. */
export function realPlace(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    const folder = dirname(file);
    return folder === file ? file : join(realPlace(folder), basename(file));
  }
}

/** Deletes a folder if it is empty, and says whether it did. */
export function removeEmpty(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch {
    return false;
  }
}
