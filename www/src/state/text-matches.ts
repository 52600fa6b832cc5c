//! Matches of a name in the text, for a symbol whose uses or calls could not be resolved: offered as such, never mixed with resolved ones.

import type { CodeIndex, Symbol as Definition } from "portolan";

/** A place in the text where the name is written. */
export interface TextMatch {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** The line, without white space around it. */
  readonly text: string;
  /** The name that is called; empty in a list of uses. */
  readonly name: string;
}

export interface TextMatches {
  readonly items: readonly TextMatch[];
  /** There are more than the list holds. */
  readonly more: boolean;
}

const mostMatches = 60;

/** Lines that hold the symbol's name as a whole word, less those of its own definitions. */
export async function textUses(index: CodeIndex, definitions: readonly Definition[]): Promise<TextMatches> {
  const [first] = definitions;
  if (!first) return { items: [], more: false };
  const own = new Set(definitions.map(({ path, line }) => `${path}:${line}`));
  const { matches, truncated } = await index.regex({
    pattern: first.name.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"),
    whole_word: true,
    limit: mostMatches,
  });
  const items = matches
    .filter(({ path, line }) => !own.has(`${path}:${line}`))
    .map(({ path, line, text }) => ({ path, line, text: text.trim(), name: "" }));
  return { items, more: truncated };
}

/** Calls that the text of a definition seems to hold, each name once. */
export async function textCalls(index: CodeIndex, definition: Definition): Promise<TextMatches> {
  const { text } = await index.text(definition.path);
  const lines = text.split("\n").slice(definition.start_line - 1, definition.end_line);
  return callsIn(lines, definition);
}

// Words before a parenthesis that call nothing, in the languages that are read here.
const notCalled = new Set(
  "if for while switch catch return function fn func def sizeof typeof await with match when until unless elif and or not in is new throw assert super print_function".split(
    " ",
  ),
);

/** Names before a parenthesis, with the line of the first. Comments and strings that take a whole line are left out. */
export function callsIn(
  lines: readonly string[],
  { path, start_line, name: own }: Pick<Definition, "path" | "start_line" | "name">,
): TextMatches {
  const found = new Map<string, TextMatch>();
  lines.forEach((text, at) => {
    if (/^\s*(\/\/|#|\*|\/\*|--|;)/.test(text)) return;
    for (const [, name = ""] of text.matchAll(/([\p{L}_$][\p{L}\p{N}_$]*[!?]?)\s*\(/gu))
      if (!notCalled.has(name) && name !== own && !found.has(name))
        found.set(name, { path, line: start_line + at, text: text.trim(), name });
  });
  const all = [...found.values()];
  return { items: all.slice(0, mostMatches), more: all.length > mostMatches };
}
