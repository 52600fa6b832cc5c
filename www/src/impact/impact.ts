//! The request of the impact view, from the arguments of its link; and the files of tests among the reached ones.

import type { DepthGroup, ImpactRequest, ImpactResponse } from "portolan";
import type { ViewArgs } from "../state/link.ts";

/** The arguments of the view, read. */
export interface Asked {
  readonly symbol: string;
  readonly direction: "upstream" | "downstream";
  readonly depth: number;
  readonly minConfidence: number;
  readonly tests: "include" | "exclude";
}

export const depths = [1, 2, 3, 5, 10] as const;
export const confidences = [0, 0.5, 0.8, 0.95] as const;

/** Reads the arguments of a link; an unknown value is the default. */
export function askedOf(args: ViewArgs): Asked {
  return {
    symbol: args.of ?? "",
    direction: args.way === "down" ? "downstream" : "upstream",
    depth: depths.find((depth) => String(depth) === args.depth) ?? 3,
    minConfidence: confidences.find((share) => String(share) === args.sure) ?? 0,
    tests: args.tests === "no" ? "exclude" : "include",
  };
}

/** The question of the list. */
export function requestOf({ symbol, direction, depth, minConfidence, tests }: Asked, limit: number): ImpactRequest {
  return { symbol, direction, depth, min_confidence: minConfidence, tests, limit, max_bytes: 4_000_000 };
}

/** A file with the tests in it that reach the symbol. */
export interface TestFile {
  readonly path: string;
  readonly n_tests: number;
  /** Steps to the nearest of them. */
  readonly depth: number;
  /** Line of the nearest one. */
  readonly line: number;
}

/** Files of tests to run, those with the nearest tests first. */
export function testFiles(groups: readonly DepthGroup[]): TestFile[] {
  const files = new Map<string, TestFile>();
  for (const { depth, symbols } of groups)
    for (const { symbol, use_line: line } of symbols) {
      const known = files.get(symbol.path);
      files.set(symbol.path, {
        path: symbol.path,
        n_tests: (known?.n_tests ?? 0) + 1,
        depth: known?.depth ?? depth,
        line: known?.line ?? line,
      });
    }
  return [...files.values()].sort((a, b) => a.depth - b.depth || b.n_tests - a.n_tests || (a.path < b.path ? -1 : 1));
}

/** Names of the symbols by number, so that a row can say over which one it is reached. */
export function namesById({ target, by_depth }: Pick<ImpactResponse, "target" | "by_depth">): Map<number, string> {
  const names = new Map([[target.id, target.name]]);
  for (const { symbols } of by_depth) for (const { symbol } of symbols) names.set(symbol.id, symbol.name);
  return names;
}

const words: Record<string, string> = {
  CALLS: "calls",
  REFERENCES: "uses",
  EXTENDS: "extends",
  IMPLEMENTS: "implements",
  DISPATCH: "may be called through",
  ALIASES: "is another name of",
  DEFINES: "contains",
  IMPORTS: "imports",
};

/** A relation as a verb; of dependencies the reader's symbol is the subject. */
export function relationWords(relation: string): string {
  return words[relation] ?? relation.toLowerCase().replaceAll("_", " ");
}
