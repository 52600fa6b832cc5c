/**
 * The surroundings of the first hits of a search, from the graph: who calls a definition, which tests reach it, which flows go through it. Agents
 * search and ask little else, so a search answers that, too.
 */

import type { ContextResponse, Hit, ImpactResponse } from "../answers.js";
import { fromThrown } from "../errors.js";
import { NO_CODE } from "../kinds.js";
import type { Repository } from "./host.js";

/** Hits that are looked around; more would take the room of hits. */
const MAX_HITS = 3;
const MAX_CALLERS = 3;
const MAX_TESTS = 2;
const MAX_FLOWS = 1;
/** Steps from a test to the definition. */
const TEST_DEPTH = 3;
/** Below this a relation is a guess. */
const MIN_CONFIDENCE = 0.5;
/** Characters of a name, and of the label of a flow. */
const MAX_NAME = 60;
const MAX_LABEL = 80;
/** Kinds of which it is news that nothing calls them. */
const CALLED = new Set(["function", "method", "constructor"]);

/** Some names of a list, and of how many they are. */
export interface Some {
  readonly total: number;
  readonly names: readonly string[];
}

/** The surroundings of a definition. */
export interface Around {
  /** Code outside tests that calls it. */
  readonly callers: Some;
  /** Test code that leads to it in three steps or fewer. */
  readonly tests: Some;
  /** Execution flows that it is a step of. */
  readonly flows: Some;
}

/** Adds their surroundings to the first hits that are definitions. Rejects as the index does. */
export function withAround(repository: Repository, hits: readonly Hit[]): Promise<(Hit & { around?: Around })[]> {
  return Promise.all(
    hits.map(async (hit, at) => {
      const around = at < MAX_HITS ? await aroundOf(repository, hit) : undefined;
      return around === undefined ? hit : { ...hit, around };
    }),
  );
}

async function aroundOf(repository: Repository, { path, symbol, kind }: Hit): Promise<Around | undefined> {
  if (!symbol || !kind || NO_CODE.has(kind)) return undefined;
  const asked = { symbol: `${path}#${symbol}`, min_confidence: MIN_CONFIDENCE };
  try {
    const [context, reached] = (await Promise.all([
      repository.ask("context", { ...asked, tests: false, limit: MAX_CALLERS }),
      repository.ask("impact", { ...asked, tests: "only", depth: TEST_DEPTH, limit: MAX_TESTS }),
    ])) as [ContextResponse, ImpactResponse];
    const around = { callers: callersIn(context), tests: testsIn(reached), flows: flowsIn(context) };
    const isKnown = Object.values(around).some(({ total }) => total > 0);
    return isKnown || CALLED.has(kind) ? around : undefined;
  } catch (error) {
    // The hit stays without: a definition that is gone, or that its name does not lead to.
    if (fromThrown(error).code.startsWith("symbol.")) return undefined;
    throw error;
  }
}

function callersIn({ incoming }: ContextResponse): Some {
  const calls = incoming.filter(({ kind }) => kind === "CALLS");
  return {
    total: calls.reduce((sum, { page }) => sum + page.total, 0),
    names: distinct(calls.flatMap(({ relations }) => relations.map(({ symbol }) => symbol.qualified_name))),
  };
}

function testsIn({ by_depth, page }: ImpactResponse): Some {
  const symbols = by_depth.flatMap(({ symbols }) => symbols.map(({ symbol }) => symbol));
  return { total: page.total, names: distinct(symbols.map(({ qualified_name }) => qualified_name)) };
}

function flowsIn({ processes, processes_page }: ContextResponse): Some {
  const names = processes
    .slice(0, MAX_FLOWS)
    .map(({ label, step, n_steps }) => `${cut(label, MAX_LABEL)} (step ${step} of ${n_steps})`);
  return { total: processes_page.total, names };
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)].map((name) => cut(name, MAX_NAME));
}

function cut(name: string, most: number): string {
  const characters = [...name];
  return characters.length > most ? `${characters.slice(0, most).join("")}…` : name;
}

/** The surroundings in a line. */
export function aroundLines({ callers, tests, flows }: Around): string[] {
  const parts = [some("callers", callers), some("tests", tests), ...(flows.total > 0 ? [some("flows", flows)] : [])];
  return [`  ${parts.join("; ")}`];
}

function some(noun: string, { total, names }: Some): string {
  if (total === 0) return `no ${noun}`;
  return `${noun} ${total}: ${names.join(", ")}${total > names.length ? ", …" : ""}`;
}
