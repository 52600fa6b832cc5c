/** Says with an answer which files have changed since they were indexed. */

import { quantity } from "../quantity.js";
import type { Staleness } from "../types.js";
import { visible } from "../visible.js";

const MAX_NAMED = 3;

/** Writes the note; nothing where nothing has changed. */
export function noteStale({ n_files, paths, is_whole }: Staleness): void {
  if (n_files === 0) return;
  const named = paths.slice(0, MAX_NAMED).join(", ");
  const more = n_files > MAX_NAMED ? ", …" : "";
  const least = is_whole ? "" : "at least ";
  process.stderr.write(
    `portolan: ${least}${quantity(n_files, "path has", "paths have")} changed since the index was built: ${visible(named)}${more}; \`portolan index\` updates it\n`,
  );
}
