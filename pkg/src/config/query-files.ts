/** Files of queries that belong to a grammar. */

import { statSync } from "node:fs";
import { join } from "node:path";

import { PortolanError } from "../errors.js";
import { readIfThere } from "../node/regular-file.js";
import type { UserGrammar } from "../types.js";
import { MAX_BYTES_OF } from "./limits.js";

const FILES = ["symbols.scm", "tags.scm", "references.scm", "highlights.scm"];

/** Those that are there. */
export function queryFilesIn(folder: string): string[] {
  return FILES.map((file) => join(folder, file)).filter(
    (path) => statSync(path, { throwIfNoEntry: false }) !== undefined,
  );
}

/** `symbols.scm`, or the `tags.scm` of grammar packages; the other two where they are. */
export function readQueries(folder: string): UserGrammar["queries"] {
  const symbols = textOf(folder, "symbols.scm") ?? textOf(folder, "tags.scm");
  if (symbols === undefined)
    throw new PortolanError("input.unreadable", `${folder}: there is neither symbols.scm nor tags.scm`);
  const references = textOf(folder, "references.scm");
  const highlights = textOf(folder, "highlights.scm");
  return {
    symbols,
    ...(references === undefined ? {} : { references }),
    ...(highlights === undefined ? {} : { highlights }),
  };
}

function textOf(folder: string, file: string): string | undefined {
  const bytes = readIfThere(join(folder, file), MAX_BYTES_OF.queries);
  return bytes && new TextDecoder().decode(bytes);
}
