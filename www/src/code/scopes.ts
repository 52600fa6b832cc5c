//! Definitions around a line, for the lines that stay in sight.

import type { OutlineEntry } from "portolan";
import { enclosing } from "../state/file.ts";

/** A definition whose first line stays in sight. Lines are 1-based. */
export interface Scope {
  readonly line: number;
  readonly end: number;
}

/**
 * The definitions whose first lines have left the view while their code is still in it, outermost first. `lineAt(rows)` is the line that
 * shows below `rows` rows, 0 for none: each row that stays hides one more line of code.
 */
export function stickyScopes(
  outline: readonly OutlineEntry[],
  lineAt: (rows: number) => number,
  most: number,
): Scope[] {
  const scopes: Scope[] = [];
  while (scopes.length < most) {
    const line = lineAt(scopes.length);
    const around = enclosing(outline, line)
      .map(({ symbol }) => ({ line: symbol.line, end: symbol.end_line }))
      .filter((scope, at, all) => scope.line < line && line <= scope.end && scope.line !== all[at - 1]?.line);
    const next = around[scopes.length];
    if (!next || next.line <= (scopes.at(-1)?.line ?? 0)) return scopes;
    scopes.push(next);
  }
  return scopes;
}
