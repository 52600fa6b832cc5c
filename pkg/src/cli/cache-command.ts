/** `portolan cache`: the indexes that are kept for other clones and worktrees. */

import { cacheFolder, cacheSummary, clearCache } from "../node/index-cache.js";
import { quantity } from "../quantity.js";
import { UsageError, type Command } from "../commands/options.js";

export function cache({ operands, options }: Command): string {
  const [what, ...more] = operands;
  if (more.length > 0 || (what !== undefined && what !== "clear")) throw new UsageError("cache: clear is all it takes");
  const folder = cacheFolder();
  if (folder === undefined) return options.json === true ? "{}\n" : "nothing is kept: there is no cache folder\n";
  if (what === "clear") clearCache(folder);
  const { n_indexes, n_bytes, limit } = cacheSummary(folder);
  if (options.json === true) return `${JSON.stringify({ folder, n_indexes, n_bytes, max_bytes: limit })}\n`;
  const megabytes = (n: number) => (n / 1e6).toFixed(1);
  return `${folder}: ${quantity(n_indexes, "index", "indexes")}, ${megabytes(n_bytes)} of at most ${megabytes(limit)} MB\n`;
}
