/** `--grammar FILE --queries DIR --extensions x,y`: languages that the caller brings, each option once a language. */

import { statSync } from "node:fs";
import { basename, join } from "node:path";

import { PortolanError } from "../errors.js";
import { readBounded, readIfThere } from "../node/regular-file.js";
import type { UserGrammar } from "../types.js";
import { MAX_BYTES_OF } from "./limits.js";
import { UsageError, type Command } from "../commands/options.js";

export function userGrammars({ options }: Command): UserGrammar[] {
  const { grammar = [], queries = [], extensions = [] } = options;
  if (queries.length !== grammar.length || extensions.length !== grammar.length) {
    throw new UsageError("each --grammar FILE needs one --queries DIR and one --extensions x,y");
  }
  return readGrammars(
    grammar.map((file, place) => ({
      file,
      queries: queries[place] ?? "",
      extensions: (extensions[place] ?? "").split(",").filter((extension) => extension !== ""),
    })),
  );
}

/** The languages of these files. */
export function readGrammars(
  places: readonly { readonly file: string; readonly queries: string; readonly extensions: readonly string[] }[],
): UserGrammar[] {
  return places.map(({ file, queries, extensions }) => ({
    name: nameOf(file),
    extensions: [...extensions],
    wasm: readBounded(file, MAX_BYTES_OF.grammar),
    queries: readQueries(queries),
  }));
}

/** `tree-sitter-NAME.wasm` is the grammar of NAME. */
function nameOf(file: string): string {
  return basename(file)
    .replace(/\.wasm$/, "")
    .replace(/^tree-sitter-/, "")
    .toLowerCase();
}

/** Files of queries that belong to a grammar. */
const QUERY_FILES = ["symbols.scm", "tags.scm", "references.scm", "highlights.scm"];

/** The files of queries that a folder has. */
export function queryFilesIn(folder: string): string[] {
  return QUERY_FILES.map((file) => join(folder, file)).filter(
    (path) => statSync(path, { throwIfNoEntry: false }) !== undefined,
  );
}

/** `symbols.scm`, or the `tags.scm` of grammar packages; the other two where they are. */
function readQueries(folder: string): UserGrammar["queries"] {
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
