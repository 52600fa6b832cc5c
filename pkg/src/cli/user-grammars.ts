/** `--grammar FILE --queries DIR --extensions x,y`: languages that the caller brings, each option once a language. */

import { readFileSync } from "node:fs";
import { basename, join } from "node:path";

import { PortolanError } from "../errors.js";
import type { UserGrammar } from "../types.js";
import { UsageError, type Command } from "./options.js";

export function userGrammars({ options }: Command): UserGrammar[] {
  const { grammar = [], queries = [], extensions = [] } = options;
  if (queries.length !== grammar.length || extensions.length !== grammar.length) {
    throw new UsageError("each --grammar FILE wants one --queries DIR and one --extensions x,y");
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
    wasm: read(file),
    queries: queriesIn(queries),
  }));
}

/** `tree-sitter-NAME.wasm` is the grammar of NAME. */
function nameOf(file: string): string {
  return basename(file)
    .replace(/\.wasm$/, "")
    .replace(/^tree-sitter-/, "")
    .toLowerCase();
}

/** `symbols.scm`, or the `tags.scm` of grammar packages; the other two where they are. */
function queriesIn(folder: string): UserGrammar["queries"] {
  const symbols = optional(join(folder, "symbols.scm")) ?? optional(join(folder, "tags.scm"));
  if (symbols === undefined)
    throw new PortolanError("input.unreadable", `${folder}: there is neither symbols.scm nor tags.scm`);
  const references = optional(join(folder, "references.scm"));
  const highlights = optional(join(folder, "highlights.scm"));
  return {
    symbols,
    ...(references === undefined ? {} : { references }),
    ...(highlights === undefined ? {} : { highlights }),
  };
}

function read(file: string): Uint8Array {
  try {
    return new Uint8Array(readFileSync(file));
  } catch (error) {
    throw new PortolanError("input.unreadable", `${file}: ${(error as Error).message}`, "", { cause: error });
  }
}

function optional(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new PortolanError("input.unreadable", `${file}: ${(error as Error).message}`, "", { cause: error });
  }
}
