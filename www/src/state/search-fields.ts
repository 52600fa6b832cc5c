//! The texts of a search's fields as parts of a request: paths as globs, a form as a pattern or a query.

import type { StructuralRequest } from "portolan";

/** The globs of a field of paths. */
export function globsOf(within: string): string[] {
  return within
    .split(/\s+/)
    .filter((glob) => glob !== "")
    .map(wideGlob);
}

/** A bare word limits to paths that hold it; a glob is taken as it is. */
export function wideGlob(word: string): string {
  const not = word.startsWith("!") ? "!" : "";
  const rest = word.slice(not.length);
  return /[*?[{]/.test(rest) || rest === "" ? word : `${not}**/*${rest}*{,/**}`;
}

/** Builds the request: a text that parses as a tree-sitter query and captures something is a query, all else is a pattern. */
export function formOf(text: string): Pick<StructuralRequest, "pattern" | "query"> {
  return /^\s*[([]\s*[("[\w]/.test(text) && /[)\]"]\s*@[\w.-]+/.test(text) ? { query: text } : { pattern: text };
}
