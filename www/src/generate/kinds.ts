//! The documents that can be generated, and the addresses of their citations.

import type { Citation, DocumentKind } from "portolan/generate";
import type { Link } from "../state/link.ts";

export interface KindOfDocument {
  readonly id: DocumentKind;
  readonly title: string;
  readonly words: string;
}

export const kinds: readonly KindOfDocument[] = [
  {
    id: "guide",
    title: "Guide",
    words: "For newcomers: what to read first, a walk along one flow, where to change what",
  },
  { id: "product", title: "Product", words: "For product owners: its purpose, what it can do, what the tests promise" },
  { id: "developer", title: "Developer", words: "For developers: folders, interface, types, flows, complexity, tests" },
  { id: "stories", title: "User stories", words: "What people can do with it, with the tests that describe it" },
  { id: "refactor", title: "Clean-ups", words: "Proposals with their evidence; diffs are shown, never applied" },
];

/** The kind that a link names; the guide where it names none. */
export function kindOf(named: string | undefined): KindOfDocument {
  return kinds.find(({ id }) => id === named) ?? (kinds[0] as KindOfDocument);
}

/** Opens the code that a sentence cites. */
export function placeOf({ path, line, holds }: Citation): Pick<Link, "path" | "lines"> {
  return { path, lines: "file" in holds && line === 1 ? null : { from: line, to: line } };
}

/** The lines of a diff, each with its kind. */
export function diffLines(
  text: string,
): { readonly sign: "head" | "added" | "removed" | "same"; readonly line: string }[] {
  return text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => ({
      line,
      sign: /^(---|\+\+\+|@@)/.test(line)
        ? "head"
        : line.startsWith("+")
          ? "added"
          : line.startsWith("-")
            ? "removed"
            : "same",
    }));
}
