/**
 * Adds to a search that an agent is about to do what an index knows about it: the symbols that the pattern names and those that call them, or
 * else those that its words lead to; each with who calls it, whom it calls, and its execution flows.
 *
 * Words are looked for only where no name is found: the postings are the largest section of an index, and to read them takes longer
 * than all the rest.
 */

import type { ContextResponse, FindResponse, SearchResponse, Symbol as CodeSymbol, SymbolRef } from "../answers.js";
import { NO_CODE } from "../kinds.js";
import { quantity } from "../quantity.js";
import { asked, type Ask } from "./ask.js";
import { framed, short } from "./frame.js";
import { some } from "./orientation.js";
import { MIN_PATTERN, namesOf } from "./pattern.js";

const MAX_TOKENS = 800;
const MAX_SYMBOLS = 4;
/** Those that are named are joined by others up to here. */
const MAX_WITH_OTHERS = 3;
const MAX_NAMES = 4;
const MAX_RELATIONS = 5;
const MAX_FLOWS = 3;
/** Below this a relation is a guess. */
const MIN_CONFIDENCE = 0.5;

/** The text that goes along with the results of a search; empty where the index has nothing to say. */
export function augment(ask: Ask, pattern: string): string {
  if (pattern.trim().length < MIN_PATTERN) return "";
  const contexts = chosen(ask, pattern).slice(0, MAX_SYMBOLS);
  return framed({
    head: `${quantity(contexts.length, "symbol")} related to this search, from the index.`,
    maxTokens: MAX_TOKENS,
    noun: ["symbol", "symbols"],
    blocks: contexts.map(block),
    leftOut: some(
      contexts.reduce((sum, { incoming, outgoing }) => sum + leftOut(incoming) + leftOut(outgoing), 0),
      "call",
    ),
  });
}

/** The symbols with their relations, those that the pattern names first. */
function chosen(ask: Ask, pattern: string): ContextResponse[] {
  const { qualified, words } = namesOf(pattern);
  const names = [...qualified, ...words].slice(0, MAX_NAMES);
  if (names.length === 0) return [];
  const found = new Map<number, ContextResponse>();
  const take = (selector: string, isNamed: boolean) => {
    if (found.size >= MAX_SYMBOLS) return;
    const context = contextOf(ask, selector);
    if (context && (isNamed || hasRelations(context))) found.set(context.symbol.id, context);
  };
  for (const name of names) for (const symbol of named(ask, name, false)) take(selectorOf(symbol), true);
  for (const name of found.size === 0 ? names : [])
    for (const symbol of named(ask, name, true)) take(selectorOf(symbol), true);
  if (found.size === 0) for (const hit of hitsOf(ask, names)) if (hit) take(hit, false);
  for (const near of neighbours([...found.values()])) if (found.size < MAX_WITH_OTHERS) take(selectorOf(near), false);
  return [...found.values()];
}

function named(ask: Ask, name: string, fuzzy: boolean): CodeSymbol[] {
  const { symbols } = asked<FindResponse>(ask, "find", { symbol: name, fuzzy, limit: 2 * MAX_SYMBOLS }) ?? {
    symbols: [],
  };
  const code = symbols.filter(({ kind }) => !NO_CODE.has(kind));
  // A name of many things says little about any: two of each are enough.
  return code.slice(0, 2);
}

/** Selectors of the symbols that a search for these words finds. */
function hitsOf(ask: Ask, names: readonly string[]): (string | undefined)[] {
  const { hits } = asked<SearchResponse>(ask, "search", {
    query: names.join(" "),
    mode: "lexical",
    limit: 2 * MAX_SYMBOLS,
  }) ?? { hits: [] };
  return hits.map(({ path, symbol, kind }) => (symbol && !NO_CODE.has(kind ?? "") ? `${path}#${symbol}` : undefined));
}

/** Who calls the symbols, then whom they call. */
function neighbours(contexts: readonly ContextResponse[]): SymbolRef[] {
  const near = [
    ...contexts.flatMap(({ incoming }) => incoming),
    ...contexts.flatMap(({ outgoing }) => outgoing),
  ].filter(isCalls);
  return near.flatMap(({ relations }) => relations.map(({ symbol }) => symbol)).filter(({ kind }) => kind !== "file");
}

function contextOf(ask: Ask, selector: string): ContextResponse | undefined {
  return asked<ContextResponse>(ask, "context", {
    symbol: selector,
    limit: MAX_RELATIONS,
    min_confidence: MIN_CONFIDENCE,
    tests: false,
  });
}

function selectorOf({ path, qualified_name }: SymbolRef | CodeSymbol): string {
  return `${path}#${qualified_name}`;
}

function hasRelations({ incoming, outgoing, processes }: ContextResponse): boolean {
  return incoming.some(isCalls) || outgoing.some(isCalls) || processes.length > 0;
}

function isCalls({ kind }: { kind: string }): boolean {
  return kind === "CALLS";
}

function block({ symbol, incoming, outgoing, processes }: ContextResponse): string[] {
  const lines = [
    calls("Called by", incoming),
    calls("Calls", outgoing),
    [
      "Flows",
      processes.slice(0, MAX_FLOWS).map(({ label, step, n_steps }) => `${short(label)} (step ${step}/${n_steps})`),
    ],
  ] as const;
  const known = lines
    .filter(([, values]) => values.length > 0)
    .map(([title, values]) => `  ${title}: ${values.join(", ")}`);
  return [`${short(symbol.qualified_name)} (${short(symbol.path)}:${symbol.line})`, ...known];
}

/** The callers or callees, product code first, as the index orders them, and of how many they are. */
function calls(title: string, groups: ContextResponse["incoming"]): readonly [string, string[]] {
  const names = namesIn(groups);
  const n_more = leftOut(groups);
  return [n_more > 0 ? `${title} (${names.length} of ${names.length + n_more})` : title, names.map(short)];
}

/** Number of callers or callees beyond those that are here. */
function leftOut(groups: ContextResponse["incoming"]): number {
  const shown = groups.filter(isCalls);
  return shown.reduce((sum, { relations, page }) => sum + Math.max(0, page.total - relations.length), 0);
}

function namesIn(groups: ContextResponse["incoming"]): string[] {
  const symbols = groups.filter(isCalls).flatMap(({ relations }) => relations.map(({ symbol }) => symbol));
  return [...new Set(symbols.map(({ qualified_name }) => qualified_name))];
}
