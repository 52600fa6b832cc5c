//! The symbol of the link: its definitions, its uses, its callers and its callees.

import type { Call, Reference, Symbol as Definition, Target } from "portolan";
import { effect, signal } from "@preact/signals";
import { link, navigate, openFile } from "./navigation.ts";
import { speak, wordsOf } from "./notices.ts";
import { repository, type Repository } from "./repository.ts";

/** A list that may be cut at a limit. */
export interface Cut<T> {
  readonly items: readonly T[];
  readonly total: number;
}

export interface SymbolCard {
  readonly selector: string;
  readonly definitions: readonly Definition[];
  readonly references: Cut<Reference>;
  readonly callers: Cut<Call>;
  readonly callees: Cut<Call>;
}

export type SymbolState =
  | { state: "none" }
  | { state: "loading"; selector: string; before: SymbolCard | null }
  | { state: "ready"; card: SymbolCard }
  | { state: "failed"; selector: string; message: string; help: string };
export type Tab = "references" | "callers" | "callees";

export const symbol = signal<SymbolState>({ state: "none" });
/** Definitions that the name clicked last may refer to, best first; the panel offers the others. */
export const candidates = signal<readonly Target[]>([]);
export const tab = signal<Tab>("references");

const mostReferences = 500;
const mostCalls = 300;

/** Names a definition in a link by file and qualified name, which stay valid when the index is rebuilt. */
export function selectorOf(definition: Pick<Definition, "path" | "qualified_name">): string {
  return `${definition.path}#${definition.qualified_name}`;
}

/** Shows a definition in the panel without leaving the place. */
export function showSymbol(definition: Definition): void {
  navigate({ symbol: selectorOf(definition) });
}

/** Goes to where a symbol is defined and shows it. */
export function goTo(definition: Definition): void {
  openFile(definition.path, definition.line, definition.line, selectorOf(definition));
}

/**
 * The definitions that the name at a place means, best first. `line` and `character` are 0-based, in UTF-16 units.
 * No name, no definition: an empty list.
 */
export async function definitionsAt(path: string, line: number, character: number) {
  const open = repository.peek();
  if (!open) return { origin: undefined, targets: [] };
  try {
    return await open.index.definition({ path, line, character });
  } catch (error) {
    speak(wordsOf(error).message);
    return { origin: undefined, targets: [] };
  }
}

/** Keeps the panel equal to the link. */
export function keepSymbol(): () => void {
  let asked = 0;
  let answered = "";
  return effect(() => {
    const open = repository.value;
    const { symbol: selector, depth } = link.value;
    if (!open || selector === "") {
      asked += 1;
      answered = "";
      if (symbol.peek().state !== "none") symbol.value = { state: "none" };
      return;
    }
    const question = JSON.stringify([open.name, open.status.built_at, open.revision, selector, depth]);
    if (question === answered) return;
    answered = question;
    asked += 1;
    const turn = asked;
    const last = symbol.peek();
    symbol.value = { state: "loading", selector, before: last.state === "ready" ? last.card : null };
    void load(open, selector, depth).then((next) => {
      if (turn === asked) symbol.value = next;
    });
  });
}

async function load({ index }: Repository, selector: string, depth: number): Promise<SymbolState> {
  try {
    const [found, uses, callers, callees] = await Promise.all([
      index.find({ symbol: selector, fuzzy: false, limit: 50 }),
      index.references({ symbol: selector, limit: mostReferences }),
      index.callers({ symbol: selector, depth, limit: mostCalls }),
      index.callees({ symbol: selector, depth, limit: mostCalls }),
    ]);
    const card: SymbolCard = {
      selector,
      definitions: found.symbols,
      references: { items: uses.references, total: uses.total },
      callers: { items: callers.calls, total: callers.total },
      callees: { items: callees.calls, total: callees.total },
    };
    return { state: "ready", card };
  } catch (error) {
    const { message, help } = wordsOf(error);
    return { state: "failed", selector, message, help };
  }
}

/** Calls by their distance, nearest first. */
export function byDepth(calls: readonly Call[]): [depth: number, calls: readonly Call[]][] {
  return grouped(calls, (call) => call.depth).sort(([a], [b]) => a - b);
}

/** References by file, in their order. */
export function byFile(references: readonly Reference[]): [path: string, references: readonly Reference[]][] {
  return grouped(references, (reference) => reference.path);
}

function grouped<T, K>(items: readonly T[], keyOf: (item: T) => K): [K, T[]][] {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const list = groups.get(keyOf(item));
    if (list) list.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return [...groups];
}
