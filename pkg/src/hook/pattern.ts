/** From a call of an agent's search tool to the names that it looks for. */

import { searchOf } from "./shell.js";

/** Patterns shorter than this say nothing. */
export const MIN_PATTERN = 3;
/** Longer ones are no names either. */
const MAX_PATTERN = 4000;

/** Returns what a tool call searches for, if it searches: `Grep` and `Glob` by their pattern, `Bash` by `rg`, `grep`, `git grep` in it. */
export function patternOfCall(tool: unknown, input: unknown): string | undefined {
  if (typeof input !== "object" || input === null) return undefined;
  const { pattern, command } = input as { pattern?: unknown; command?: unknown };
  if (tool === "Grep") return usable(pattern);
  if (tool === "Glob") return usable(typeof pattern === "string" ? namesOfGlob(pattern) : undefined);
  if (tool !== "Bash" || typeof command !== "string" || command.length > MAX_PATTERN * 4) return undefined;
  const search = searchOf(command);
  return usable(search?.isGlob === true ? namesOfGlob(search.pattern) : search?.pattern);
}

function usable(pattern: unknown): string | undefined {
  if (typeof pattern !== "string" || pattern.length > MAX_PATTERN) return undefined;
  const trimmed = pattern.trim();
  return trimmed.length < MIN_PATTERN ? undefined : trimmed;
}

/** Folders that every repository has. */
const COMMON = new Set([
  "src",
  "lib",
  "test",
  "tests",
  "spec",
  "specs",
  "dist",
  "build",
  "docs",
  "node_modules",
  "packages",
  "crates",
  "app",
  "index",
  "main",
  "mod",
  "__init__",
  "__tests__",
  "utils",
]);

/** The words of a glob pattern that name something: `src/**\/*auth*.ts` → `auth`. */
function namesOfGlob(glob: string): string {
  const parts = glob.replace(/^!/, "").split(/[\\/]/);
  const names = parts.flatMap((part, place) => {
    const name = place === parts.length - 1 ? part.replace(/\.(?:[\w*?]+|[{[][^}\]]*[}\]])$/, "") : part;
    const words = name.split(/[*?[\]{}(),|!@+.]+/).map((word) => word.replace(/^[-_]+|[-_]+$/g, ""));
    return words.filter((word) => word.length >= MIN_PATTERN && !COMMON.has(word.toLowerCase()));
  });
  return names.join(" ");
}

/** Words of languages, in which nobody is interested by themselves. */
const KEYWORDS = new Set(
  (
    "function class interface struct enum trait impl type def fn func let const var import export from return public private protected static async await " +
    "extends implements new this self super void int bool string true false null None nil undefined async default module package namespace use using require include if else for while case switch match try catch throw throws with pub mod where and not the"
  ).split(" "),
);

/** The names in a search pattern. */
export interface Names {
  /** `Router.add`, `fmt::format`: before their parts. */
  readonly qualified: readonly string[];
  readonly words: readonly string[];
}

/** The names in a regular expression: what is left without its operators, keywords of languages and short words. */
export function namesOf(pattern: string): Names {
  const plain = pattern
    .replace(/\(\?[a-zA-Z-]*[:)=!<]+/g, " ") // (?i) (?: (?= (?<
    .replace(/\\[pP]\{[^}]*\}|\\x[0-9a-fA-F]{2}|\\u\{?[0-9a-fA-F]{1,6}\}?|\\[a-zA-Z]/g, " ")
    .replace(/\\\./g, ".")
    .replace(/\\./g, " ")
    .replace(/\[[^\]]*\]/g, " ")
    .replace(/\{\d*,?\d*\}/g, " ")
    .replace(/\.[*+?]/g, " ")
    .replace(/([\w$]+)\((?:\?:)?((?:[\w$]+\|){1,8}[\w$]+)\)/g, (_, start: string, ends: string) =>
      ends
        .split("|")
        .map((end) => start + end)
        .join(" "),
    );
  const qualified = plain.match(/[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#|->)[\p{L}_$][\p{L}\p{N}_$]*)+/gu) ?? [];
  const words = plain.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [];
  return {
    qualified: distinct(qualified.map((name) => name.replaceAll("->", "."))),
    words: distinct(words.filter((word) => word.length >= MIN_PATTERN && !KEYWORDS.has(word))),
  };
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)];
}
