/** Texts of answers about a change, for agents: impact, traces, effects of a diff, renames. */

import type {
  DepthGroup,
  DetectChangesResponse,
  ImpactResponse,
  RenameResponse,
  Risk,
  TraceGap,
  TraceResponse,
} from "../answers.js";
import {
  areaWords,
  changedFileWords,
  changedFlowWords,
  changedSymbolWords,
  directionWords,
  reachedFlowWords,
  reachWords,
} from "../change-words.js";
import { quantity } from "../quantity.js";
import { ambiguity, changesWithLines, percent, place, section } from "./text-parts.js";

/** Dependants by depth, the risk, the flows and areas that a change reaches. */
export function impactLines(response: ImpactResponse): string[] {
  const { status, candidates, risk, by_depth, affected_processes } = response;
  return [
    ...ambiguity(status, candidates),
    reachWords(response, place),
    riskLine(risk),
    ...depthLines(by_depth),
    ...section(
      "flows",
      affected_processes.map((flow) => reachedFlowWords(flow, " ")),
    ),
    ...areaWords(response),
    ...changesWithLines(response.changes_with),
  ];
}

/** The paths from one symbol to another; without one, how far the search came. */
export function traceLines(response: TraceResponse): string[] {
  const { from_status, to_status, from_candidates, to_candidates, paths, gap } = response;
  return [
    ...ambiguity(from_status, from_candidates),
    ...ambiguity(to_status, to_candidates),
    ...directionWords(response),
    ...(gap ? gapLines(gap) : []),
    ...paths.flatMap(({ steps, certainty }) => [
      `path of ${quantity(steps.length, "step")}, ${percent(certainty)}`,
      ...steps.slice(0, 1).map((step) => `  ${place(step.from)}`),
      ...steps.map((step) => `  ${step.relation} line ${step.use_line} → ${place(step.to)}`),
    ]),
  ];
}

/** How far the search came from both ends of a trace, and the gap between them. */
function gapLines({ missing, forward, backward }: TraceGap): string[] {
  const side = (title: string, { n_reached, depth, last }: TraceGap["forward"]) =>
    n_reached === 0
      ? []
      : section(`${title} ${quantity(n_reached, "symbol")}, in ${quantity(depth, "step")}; farthest`, last.map(place));
  return [missing, ...side("the start leads to", forward), ...side("to the end lead", backward)];
}

/** The symbols that a diff touches, and what depends on them. */
export function changeLines({
  summary,
  risk,
  changed_files,
  changed_symbols,
  affected_processes,
  dependants,
}: DetectChangesResponse): string[] {
  return [
    `${quantity(summary.n_files, "file")}, ${quantity(summary.n_symbols, "symbol")} changed; ${quantity(summary.n_processes, "flow")}, ${quantity(summary.n_dependants, "dependant")} affected`,
    riskLine(risk),
    ...section(
      "files",
      changed_files.map((file) => changedFileWords(file, " ")),
    ),
    ...section(
      "symbols",
      changed_symbols.map((symbol) => changedSymbolWords(symbol, place, " ")),
    ),
    ...section(
      "flows",
      affected_processes.map((flow) => changedFlowWords(flow, " ")),
    ),
    ...depthLines(dependants),
  ];
}

/** The edits of a rename, or the files that it was written to. */
export function renameLines({
  old_name,
  new_name,
  n_files,
  n_graph_edits,
  n_text_edits,
  changes,
  conflicts,
  n_left,
  applied,
  files,
}: RenameResponse & { applied: boolean; files?: string[] }): string[] {
  if (applied)
    return [
      `${old_name} → ${new_name}: written to ${quantity(files?.length ?? 0, "file")}`,
      ...(files ?? []),
      ...conflictLines(conflicts),
      ...(n_left > 0 ? [`left as they are (${n_left})`, ...leftLines(changes)] : []),
    ];
  const edits = changes.flatMap(({ path, edits }) =>
    edits.map(
      ({ line, source, place, text, applied }) =>
        `${path}:${line}  ${source}${source === "graph" ? "" : ` in ${place}`}${applied ? "" : ", for review"}: ${text.trim()}`,
    ),
  );
  const head = `${old_name} → ${new_name}: ${quantity(n_graph_edits, "graph edit")}, ${quantity(n_text_edits, "text match", "text matches")}, in ${quantity(n_files, "file")}. Nothing is written.`;
  return [head, ...edits, ...conflictLines(conflicts)];
}

function leftLines(changes: RenameResponse["changes"]): string[] {
  return changes.flatMap(({ path, edits }) =>
    edits.filter((edit) => !edit.applied).map(({ line, text }) => `${path}:${line}  ${text.trim()}`),
  );
}

function conflictLines(conflicts: RenameResponse["conflicts"]): string[] {
  return conflicts.map(({ path, line, message }) => `conflict: ${path}:${line}: ${message}`);
}

function depthLines(groups: readonly DepthGroup[]): string[] {
  return groups.flatMap(({ depth, meaning, total, symbols }) => [
    `depth ${depth}, ${meaning}: ${total}`,
    ...symbols.map(
      ({ symbol, confidence }) => `  ${place(symbol)}${confidence < 0.9 ? ` (${percent(confidence)})` : ""}`,
    ),
  ]);
}

function riskLine({ level, reasons }: Risk): string {
  return `risk ${level}${reasons.length > 0 ? `: ${reasons.join("; ")}` : ""}`;
}
