/** The one place where set-up writes to and deletes files of the user's home. */

import { realpathSync, rmdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";

import { replaceFile } from "../node/safe-files.js";

/** Writes a file as a whole or not at all, with these access bits. Its path must be free of links: see `realPlace`. */
export function writeFile(file: string, bytes: Uint8Array, mode?: number): void {
  const place = { root: dirname(file), parts: [], name: basename(file) };
  replaceFile(place, bytes, { isOurs: () => true, ...(mode === undefined ? {} : { mode }) });
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
