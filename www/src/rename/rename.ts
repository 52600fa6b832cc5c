//! A rename as places to choose, from the engine's edits and the texts of their files.

import type { RenameEdit, RenameResponse } from "portolan";
import { lineStarts } from "../views/lines.ts";
import { type FilePlan, spotsOf } from "../write/plan.ts";

export interface Plan {
  readonly plans: readonly FilePlan[];
  /** Edits whose place does not hold the old name: the index and its text disagree. */
  readonly n_lost: number;
}

/** How a place is known, in a word. Resolved uses need none. */
function sortOf({ source, place }: RenameEdit): string {
  if (source === "graph") return "";
  return place === "code" ? "unresolved" : place;
}

/** The places of a rename. Resolved ones are chosen; words that may mean something else are not. */
export function plansOf({ changes }: Pick<RenameResponse, "changes">, texts: ReadonlyMap<string, string>): Plan {
  let lost = 0;
  const plans = changes.map(({ path, edits }): FilePlan => {
    const before = texts.get(path) ?? "";
    const starts = lineStarts(before);
    const found = edits.flatMap((edit) => {
      const { range, old_text: old, new_text: text, applied } = edit;
      const start = (starts[range.start.line] ?? before.length) + range.start.character;
      const end = (starts[range.end.line] ?? before.length) + range.end.character;
      if (before.slice(start, end) !== old) {
        lost += 1;
        return [];
      }
      return [{ start, end, text, sort: sortOf(edit), chosen: applied }];
    });
    return { path, before, spots: spotsOf(before, found).spots };
  });
  return { plans: plans.filter(({ spots }) => spots.length > 0), n_lost: lost };
}

/** Whether a word can be a name: empty for what is typed half, a reason for what no language takes. */
export function nameProblem(name: string): string {
  if (name === "") return "";
  if (/\s/.test(name)) return "A name has no white space.";
  return /^[\p{L}_$@#][\p{L}\p{N}\p{M}_$\-?!=]*$/u.test(name)
    ? ""
    : "This is not a name in any language of this repository.";
}
