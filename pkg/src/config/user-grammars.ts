/** `--grammar FILE --queries DIR --extensions x,y`: languages that the caller brings, each option once a language. */

import { basename } from "node:path";

import { readBounded } from "../node/regular-file.js";
import type { UserGrammar } from "../types.js";
import { MAX_BYTES_OF } from "./limits.js";
import { UsageError, type Command } from "../commands/options.js";
import { readQueries } from "./query-files.js";

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
