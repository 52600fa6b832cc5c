/** Paths as people write them and as an index has them. */

import { sep } from "node:path";

/** A path of the index has `/` between folders, whatever the host writes, and no `./` before it. */
export function slashed(path: string): string {
  const clean = sep === "\\" ? path.replaceAll("\\", "/") : path;
  return clean.replace(/^(\.\/)+/, "");
}
