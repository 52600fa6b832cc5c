/**
 * Functions that nothing uses, and the diff that removes them. A function is proposed only where its language hides it from other files,
 * nothing in the graph leads to it, no text of the index holds its name a second time, and nothing is written above it that could make a
 * tool call it (attribute, annotation, decorator), and no text begins as its name does, since names can be put together. PHP is left out:
 * its code calls methods by such names.
 */

import type { Citations } from "./check.js";
import { definitionLink, type Definition, type Facts } from "./facts.js";
import type { Sentence } from "./document.js";
import { inWords } from "./words.js";
import { removal } from "./diff.js";

/** How the first line of a hidden function begins. */
const HIDDEN: Record<string, (name: string) => RegExp> = {
  javascript: (name) => new RegExp(String.raw`^\s*(async\s+)?function\*?\s+${name}\b`),
  typescript: (name) => new RegExp(String.raw`^\s*(async\s+)?function\*?\s+${name}\b`),
  tsx: (name) => new RegExp(String.raw`^\s*(async\s+)?function\*?\s+${name}\b`),
  python: (name) => new RegExp(String.raw`^(async\s+)?def\s+(?=_)(?!__)${name}\b`),
  rust: (name) => new RegExp(String.raw`^\s*(const\s+|async\s+|unsafe\s+)*fn\s+${name}\b`),
  go: (name) => new RegExp(String.raw`^func\s+(?=[a-z])${name}\b`),
  c: (name) => new RegExp(String.raw`^static\s[^=;]*\b${name}\s*\(`),
  cpp: (name) => new RegExp(String.raw`^static\s[^=;]*\b${name}\s*\(`),
  java: (name) => new RegExp(String.raw`^\s*private\s[^=;]*\b${name}\s*\(`),
  csharp: (name) => new RegExp(String.raw`^\s*private\s[^=;]*\b${name}\s*[(<]`),
  kotlin: (name) => new RegExp(String.raw`^\s*private\s+(suspend\s+)?fun\s[^=;]*\b${name}\s*\(`),
  elixir: (name) => new RegExp(String.raw`^\s*defp\s+${name.replace(/[?!]$/, "\\$&")}(?=\W)`),
};

/** Called by a runtime or a serializer that looks for the name. */
const CALLED_BY_NAME =
  /^(main|init|setup|teardown|module_init|readObject|writeObject|readResolve|writeReplace|readObjectNoData)$/i;
const ABOVE = /^\s*(@|#\[|\[[A-Z]|%|\/\/\s*go:|\/\/export\b|#pragma\b|template\s*<)/;
const COMMENT = /^\s*(\/\/|\/\*|\*(?![\w(])|\*\/|#(?![[!])|--)/;

/** An unused function, and the lines that it takes with its comment. */
export interface Unused {
  readonly definition: Definition;
  /** 1-based, both included. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly diff: string;
}

const MOST_ASKED = 120;
const MOST = 20;

/** Finds functions that may be removed: docs/generate.md lists the conditions. */
export async function unusedOf(facts: Facts, citations: Citations): Promise<Unused[]> {
  const broken = new Set(facts.status.problems.map(({ path }) => path));
  const asked = facts.definitions
    .filter(
      ({ kind, exported, n_users, name, path, language }) =>
        (kind === "function" || kind === "method") &&
        !exported &&
        n_users === 0 &&
        name.length >= 4 &&
        /^\w+[?!]?$/.test(name) &&
        language in HIDDEN &&
        !CALLED_BY_NAME.test(name) &&
        !broken.has(path),
    )
    .slice(0, MOST_ASKED);
  const found: Unused[] = [];
  for (const definition of asked) {
    if (found.length >= MOST) break;
    const unused = await removable(definition, facts, citations);
    if (unused) found.push(unused);
  }
  return found;
}

async function removable(definition: Definition, facts: Facts, citations: Citations): Promise<Unused | undefined> {
  const { path, name, start, end, language, line } = definition;
  const lines = await citations.linesOf(path);
  if (!lines || end > lines.length || end - start > 400) return undefined;
  const [head = "", tail = ""] = [lines[line - 1], lines[end - 1]];
  if (start !== line || !HIDDEN[language]?.(name).test(head)) return undefined;
  // Something else on its last line would go with it.
  if (/[})]\s*[^\s;]/.test(tail.slice(tail.lastIndexOf("}"))) && tail.includes("}")) return undefined;
  let from = start;
  while (from > 1 && COMMENT.test(lines[from - 2] as string)) from -= 1;
  if (from > 1 && ABOVE.test(lines[from - 2] as string)) return undefined;
  if (
    lines
      .slice(from - 1, start - 1)
      .some((comment) => ABOVE.test(comment) || /go:|eslint-|istanbul|@ts-|c8 /.test(comment))
  )
    return undefined;
  if (!(await isAlone(name, facts))) return undefined;
  const to = end;
  const { text, diff } = removal(path, lines, from, to);
  return { definition, from, to, text, diff };
}

/** Whether no text of the index holds the name beside its definition, nor text that a name like it could be put together from. */
async function isAlone(name: string, { index }: Facts): Promise<boolean> {
  const plain = name.replace(/[?!]$/, "");
  const { matches, truncated, timed_out } = await index.regex({
    pattern: plain,
    whole_word: true,
    limit: 2,
  });
  if (truncated || timed_out || matches.length !== 1 || matches[0]?.marks.length !== 1) return false;
  // `"add_" + key` and `add_##name` call it without naming it.
  const starts = [...plain.matchAll(/_|(?=[A-Z])/g)]
    .map(({ index }) => plain.slice(0, index))
    .filter((start) => start.length >= 2);
  if (starts.length === 0) return true;
  const built = await index.regex({
    pattern: `["'\`](?:${starts.join("|")})|\\b(?:${starts.join("|")})_?\\s*##`,
    limit: 1,
  });
  return built.matches.length === 0 && !built.timed_out;
}

/** The proposal to remove one, in words. */
export function unusedSentence({ definition, from, to }: Unused): Sentence {
  return [
    "Remove ",
    definitionLink(definition),
    ` (${inWords(to - from + 1, "line")} with its comment): nothing calls it, other files cannot see it, and its name appears nowhere else in the index.`,
  ];
}
