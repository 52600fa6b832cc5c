/** Tells an agent after an edit which callers and tests the symbols in the edited lines have. */

import type { Impacted, ImpactResponse, Outline, Symbol as CodeSymbol } from "../answers.js";
import { asked, type Ask } from "./ask.js";
import type { Edited } from "./edits.js";
import { framed, short } from "./frame.js";
import { some } from "./orientation.js";

const MAX_TOKENS = 600;
const MAX_SYMBOLS = 4;
const MAX_CALLERS = 6;
const MAX_TESTS = 6;
/** Below this a relation is a guess. */
const MIN_CONFIDENCE = 0.5;
const DEPTH = 3;
/** Of one symbol; the counts of what is left out end here, too. */
const MAX_USES = 200;
/** More symbols are not looked at: an edit of a whole file has hundreds. */
const MAX_ASKED = 12;

/** Of each file its path in the index, and the lines. */
export function effects(ask: Ask, edits: readonly Edited[]): string {
  const touched = edits.flatMap(({ path, lines }) =>
    symbolsIn(ask, path, lines).map((symbol) => ({ symbol, isWhole: lines === undefined })),
  );
  const told = touched
    .slice(0, MAX_ASKED)
    .map(({ symbol, isWhole }) => effectOf(ask, symbol, isWhole))
    .filter((effect) => effect !== undefined);
  const shown = told.sort((a, b) => b.n_callers - a.n_callers).slice(0, MAX_SYMBOLS);
  return framed({
    head: "Code that depends on the lines just edited, from the index; line numbers are those before the edit.",
    maxTokens: MAX_TOKENS,
    noun: ["symbol", "symbols"],
    blocks: shown.map(({ block }) => block),
    leftOut: [
      ...some(told.length - shown.length, "symbol with dependants"),
      ...some(touched.length - Math.min(touched.length, MAX_ASKED), "symbol that was not looked at"),
      ...some(sum(shown, "callers_left"), "caller"),
      ...some(sum(shown, "tests_left"), "test"),
    ],
  });
}

function sum(effects: readonly Effect[], field: "callers_left" | "tests_left"): number {
  return effects.reduce((total, effect) => total + effect[field], 0);
}

/** The innermost definitions that the lines are in; of a whole file those that are in no other. */
function symbolsIn(ask: Ask, path: string, lines: Edited["lines"]): CodeSymbol[] {
  const { symbols: entries } = asked<Outline>(ask, "outline", { path }) ?? { symbols: [] };
  if (lines === undefined)
    return entries.filter(({ parent }) => parent === undefined || parent === null).map(({ symbol }) => symbol);
  const holds = ({ start_line, end_line }: CodeSymbol, [from, to]: readonly [number, number]) =>
    start_line <= to && from <= end_line;
  const chosen = new Set<number>();
  for (const range of lines) {
    const inside = entries.flatMap(({ symbol }, at) => (holds(symbol, range) ? [at] : []));
    const around = new Set(inside.map((at) => entries[at]?.parent).filter((parent) => typeof parent === "number"));
    for (const at of inside) if (!around.has(at)) chosen.add(at);
  }
  return entries.filter((_, at) => chosen.has(at)).map(({ symbol }) => symbol);
}

interface Effect {
  readonly block: string[];
  readonly n_callers: number;
  readonly callers_left: number;
  readonly tests_left: number;
}

/** @param isWhole whether all of its file was written anew, what uses it there included. */
function effectOf(ask: Ask, { path, qualified_name, line }: CodeSymbol, isWhole: boolean): Effect | undefined {
  const answer = asked<ImpactResponse>(ask, "impact", {
    symbol: `${path}#${qualified_name}`,
    depth: DEPTH,
    min_confidence: MIN_CONFIDENCE,
    limit: MAX_USES,
  });
  const reached = (answer?.by_depth ?? [])
    .flatMap(({ depth, symbols }) => symbols.map((one) => ({ depth, one })))
    .filter(({ one }) => !isWhole || one.symbol.path !== path);
  const near = reached.filter(({ depth, one }) => depth === 1 && !one.is_test).map(({ one }) => one);
  // A file that imports it says no more than the function there that uses it.
  const named = new Set(near.filter(({ symbol }) => symbol.kind !== "file").map(({ symbol }) => symbol.path));
  const callers = near.filter(({ symbol }) => symbol.kind !== "file" || !named.has(symbol.path));
  const tests = reached.filter(({ one }) => one.is_test && one.symbol.kind !== "file").map(({ one }) => one);
  // Of a file written anew, what is used within it only is nobody else's concern.
  const isUsed = isWhole ? reached.some(({ depth }) => depth === 1) : callers.length + tests.length > 0;
  if (!isUsed) return undefined;
  return {
    block: [
      `${short(qualified_name)} (${short(path)}:${line})`,
      ...(callers.length > 0 ? [`  Used by: ${callers.slice(0, MAX_CALLERS).map(use).join(", ")}`] : []),
      ...(tests.length > 0 ? [`  Tests: ${tests.slice(0, MAX_TESTS).map(use).join(", ")}`] : []),
    ],
    n_callers: callers.length + tests.length,
    callers_left: Math.max(0, callers.length - MAX_CALLERS),
    tests_left: Math.max(0, tests.length - MAX_TESTS),
  };
}

function use({ symbol, use_line }: Impacted): string {
  const name = symbol.kind === "file" ? "" : `${short(symbol.qualified_name)} `;
  return `${name}(${short(symbol.path)}:${use_line})`;
}
