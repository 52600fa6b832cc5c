/** Words of answers about a change, alike for people and agents; `gap` is put between a place and its words. */

import type {
  AffectedProcess,
  ChangedFile,
  ChangedProcess,
  ChangedSymbol,
  ImpactResponse,
  SymbolRef,
  TraceResponse,
} from "./answers.js";
import { quantity } from "./quantity.js";

type Place = (symbol: SymbolRef) => string;

/** How much depends on a symbol. */
export function reachWords({ target, direction, page, n_files }: ImpactResponse, place: Place): string {
  const reach =
    direction === "upstream" ? quantity(page.total, "depends on it", "depend on it") : `${page.total} it depends on`;
  return `${place(target)}: ${reach}, in ${quantity(n_files, "file")}`;
}

export function areaWords({ areas }: ImpactResponse): string[] {
  return areas.length > 0 ? [`areas: ${areas.map(({ label, n_symbols }) => `${label} ${n_symbols}`).join(", ")}`] : [];
}

export function reachedFlowWords({ label, n_affected, n_steps }: AffectedProcess, gap: string): string {
  return `${label}${gap}(${n_affected} of ${quantity(n_steps, "step")})`;
}

export function changedFileWords({ path, status, index, n_added, n_deleted }: ChangedFile, gap: string): string {
  return `${path}${gap}${status} +${n_added} -${n_deleted}${index === "stale" ? `${gap}(indexed in another version)` : ""}`;
}

export function changedSymbolWords(
  { symbol, change_type, touches_declaration }: ChangedSymbol,
  place: Place,
  gap: string,
) {
  return `${place(symbol)}${gap}${change_type}${touches_declaration ? ", declaration" : ""}`;
}

export function changedFlowWords({ process, changed_steps }: ChangedProcess, gap: string): string {
  return `${process.label}${gap}(${changed_steps.map(({ symbol, step }) => `${step}. ${symbol}`).join(", ")})`;
}

/** Says it where no path leads the way that was asked for. */
export function directionWords({ direction, from, to }: TraceResponse): string[] {
  if (direction === "none") return [`no path from ${from.qualified_name} to ${to.qualified_name}, in either direction`];
  return direction === "backward" ? [`no path in this direction, but one back, from ${to.qualified_name}`] : [];
}
