/** Which files of `.git` are read: no settings beside `config`, no hooks, no working state. */

import { PortolanError } from "../errors.js";

export const WANTED =
  /^(?:HEAD|config|packed-refs|shallow|refs\/.+|objects\/info\/alternates|objects\/pack\/[^/]+|objects\/[0-9a-f]{2}\/[0-9a-f]{38})$/;
/** Deeper folders of references are not listed. */
export const DEEPEST = 32;

export function noRepository(cause?: unknown): PortolanError {
  const help = "open the folder that contains .git";
  return new PortolanError("history.no-repository", "the folder has no .git", help, { cause });
}

/** The error of a `.git` that is no folder. */
export function keptElsewhere(why: string, cause?: unknown): PortolanError {
  return new PortolanError("history.outside", why, "open the folder of the main repository", { cause });
}
