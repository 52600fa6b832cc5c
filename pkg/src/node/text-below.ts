/** The text of a file of a repository as it is on the disk now. */

import { lstatSync } from "node:fs";

import { readIn } from "./safe-files.js";
import { placeIn, SafeFolder } from "./safe-folder.js";

/**
 * Returns the text of a file below a root; nothing where there is none, it is larger, or a link is on the way: whoever names the path, an
 * index or an agent, may name any.
 */
export function textBelow(root: string, path: string, maxBytes = Number.POSITIVE_INFINITY): string | undefined {
  try {
    const { parts, name } = placeIn(root, path);
    const folder = SafeFolder.open(root, parts);
    try {
      if (lstatSync(folder.entry(name)).size > maxBytes) return undefined;
      return Buffer.from(readIn(folder, name).bytes)
        .toString("utf8")
        .replace(/^\uFEFF/, "");
    } finally {
      folder.close();
    }
  } catch {
    return undefined;
  }
}
