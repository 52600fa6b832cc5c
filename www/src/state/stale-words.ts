//! Tells which files have changed since they were indexed.

import type { Staleness } from "portolan";
import { count } from "./format.ts";

const shownPaths = 3;

/** `2 files have changed since they were indexed: src/a.ts, src/b.ts`. */
export function staleWords({ n_files: n, paths, is_whole: isWhole }: Staleness): string {
  const named = paths.slice(0, shownPaths).join(", ");
  const least = isWhole ? "" : "At least ";
  const rest = n > shownPaths ? ", …" : "";
  const verb = n === 1 ? "file has changed since it was" : "files have changed since they were";
  return `${least}${count(n)} ${verb} indexed: ${named}${rest}`;
}
