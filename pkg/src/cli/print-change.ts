/** Answers about symbols and changes as text for people: `path:line` first, as everywhere. */

import type {
  Candidate,
  CoChanged,
  ContextResponse,
  DepthGroup,
  DetectChangesResponse,
  ImpactResponse,
  Match,
  Page,
  QueryResponse,
  RelationGroup,
  RenameEdit,
  RenameResponse,
  Risk,
  SymbolRef,
  TraceGap,
  TraceResponse,
} from "../answers.js";
import type { AppliedRename } from "../node/apply-rename.js";
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

export function context({
  status,
  symbol,
  candidates,
  container,
  members,
  members_page,
  incoming,
  outgoing,
  processes,
  processes_page,
  community,
}: ContextResponse): string {
  return [
    ...ambiguity(status, candidates),
    `${symbol.path}:${symbol.line}  ${symbol.kind} ${symbol.qualified_name}${community ? `  [${community}]` : ""}`,
    ...(symbol.signature ? [`  ${symbol.signature}`] : []),
    ...(container ? [`in ${place(container)}`] : []),
    ...incoming.flatMap((group) => relations("← ", group)),
    ...outgoing.flatMap((group) => relations("→ ", group)),
    ...section("members", members.map(place), members_page),
    ...section(
      "flows",
      processes.map(({ label, step, n_steps }) => `${label}  (step ${step} of ${n_steps})`),
      processes_page,
    ),
    "",
  ].join("\n");
}

function relations(arrow: string, { kind, relations, page }: RelationGroup): string[] {
  const lines = relations.map(
    ({ symbol, confidence, use_line, is_test }) =>
      `${place(symbol)}  line ${use_line}, ${percent(confidence)}${is_test ? ", test" : ""}`,
  );
  return section(`${arrow}${kind}`, lines, page);
}

export function impact(response: ImpactResponse): string {
  const { status, candidates, risk, by_depth, page, affected_processes, processes_page, changes_with } = response;
  return [
    ...ambiguity(status, candidates),
    reachWords(response, place),
    riskLine(risk),
    ...byDepth(by_depth, page),
    ...section(
      "flows",
      affected_processes.map((flow) => reachedFlowWords(flow, "  ")),
      processes_page,
    ),
    ...areaWords(response),
    ...changesWith(changes_with),
    "",
  ].join("\n");
}

function changesWith(files: ImpactResponse["changes_with"] = []): string[] {
  const line = ({ path, support, confidence }: CoChanged) =>
    `  ${path}: ${quantity(support, "commit")}, ${percent(confidence)}`;
  return files.length === 0 ? [] : ["its file usually changes with", ...files.map(line)];
}

export function changes({
  summary,
  risk,
  changed_files,
  files_page,
  changed_symbols,
  symbols_page,
  affected_processes,
  processes_page,
  dependants,
  dependants_page,
}: DetectChangesResponse): string {
  return [
    `${quantity(summary.n_files, "file")}, ${quantity(summary.n_symbols, "symbol")}, ${quantity(summary.n_processes, "flow")}, ${quantity(summary.n_dependants, "dependant")}`,
    riskLine(risk),
    ...section(
      "files",
      changed_files.map((file) => changedFileWords(file, "  ")),
      files_page,
    ),
    ...section(
      "symbols",
      changed_symbols.map((symbol) => changedSymbolWords(symbol, place, "  ")),
      symbols_page,
    ),
    ...section(
      "flows",
      affected_processes.map((flow) => changedFlowWords(flow, "  ")),
      processes_page,
    ),
    ...byDepth(dependants, dependants_page),
    "",
  ].join("\n");
}

export function rename(response: RenameResponse): string {
  const { old_name, new_name, n_files, n_graph_edits, n_text_edits, changes, conflicts, diff, page } = response;
  const texts = changes.flatMap(({ path, edits }) =>
    edits
      .filter(({ source, applied }) => source === "text_search" || !applied)
      .map(({ line, source, place, text, applied }) =>
        applied ? `${path}:${line}  ${place}, changed: ${text}` : `${path}:${line}  ${leftAs(source, place)}: ${text}`,
      ),
  );
  return [
    diff ?? "… the diff is too large; raise --max-bytes\n",
    `${old_name} → ${new_name}: ${quantity(n_graph_edits, "graph edit")}, ${quantity(n_text_edits, "text match", "text matches")}, in ${quantity(n_files, "file")}`,
    ...section("for review", texts, { ...page, total: texts.length, truncated: false }),
    ...conflicts.map(({ path, line, message }) => `conflict: ${path}:${line}: ${message}`),
    "",
  ].join("\n");
}

/** Edits that are left to the reader are listed up to here. */
const MAX_LEFT = 50;

export function applied({ rename: { old_name, new_name, changes, conflicts, n_left }, files }: AppliedRename): string {
  const left = changes.flatMap(({ path, edits }) =>
    edits
      .filter((edit) => !edit.applied)
      .map(({ line, source, place, text }) => `  ${path}:${line}  ${leftAs(source, place)}: ${text}`),
  );
  const lines = [
    `${old_name} → ${new_name}: ${quantity(files.length, "file")} written`,
    ...files,
    ...conflicts.map(({ path, line, message }) => `conflict: ${path}:${line}: ${message}`),
    ...(n_left > 0 ? [`left as they are (${n_left})`, ...left.slice(0, MAX_LEFT)] : []),
    ...(n_left > MAX_LEFT ? [`  … ${n_left - MAX_LEFT} more; without --apply all are listed`] : []),
  ];
  return `${lines.join("\n")}\n`;
}

/** Why an edit is not made. */
function leftAs(source: RenameEdit["source"], place: string): string {
  return source === "graph" ? "a use outside of --path" : `looks like the name, in ${place}`;
}

export function query({ processes, processes_page, definitions, definitions_page }: QueryResponse): string {
  const flows = processes.flatMap(({ summary, n_steps, symbols }) => [
    `${summary}  (${quantity(n_steps, "step")})`,
    ...symbols.map(({ step, symbol }) => `  ${step}. ${place(symbol)}`),
  ]);
  return [
    ...section("flows", flows, processes_page),
    ...section(
      "definitions",
      definitions.map(({ symbol }) => place(symbol)),
      definitions_page,
    ),
    "",
  ].join("\n");
}

export function trace(response: TraceResponse): string {
  const { from_status, to_status, from_candidates, to_candidates, paths, gap } = response;
  const ways = paths.flatMap(({ steps, certainty }) => [
    `${percent(certainty)}`,
    ...steps.slice(0, 1).map((step) => `  ${place(step.from)}`),
    ...steps.map((step) => `  ${step.relation} ${place(step.to)}  line ${step.use_line}`),
  ]);
  return [
    ...ambiguity(from_status, from_candidates),
    ...ambiguity(to_status, to_candidates),
    ...directionWords(response),
    ...gapLines(gap),
    ...ways,
    "",
  ].join("\n");
}

function gapLines(gap: TraceGap | undefined): string[] {
  if (!gap) return [];
  const side = (title: string, { n_reached, depth, last }: TraceGap["forward"]) =>
    n_reached === 0
      ? []
      : [
          `${title} ${quantity(n_reached, "symbol")}, ${quantity(depth, "step")} far:`,
          ...last.map((symbol) => `  ${place(symbol)}`),
        ];
  return [`  ${gap.missing}`, ...side("the start leads to", gap.forward), ...side("to the end lead", gap.backward)];
}

function byDepth(groups: readonly DepthGroup[], page: Page): string[] {
  const lines = groups.flatMap(({ depth, meaning, total, symbols }) => [
    `depth ${depth}, ${meaning}: ${total}`,
    ...symbols.map(
      ({ symbol, relation, certainty, is_test }) =>
        `  ${place(symbol)}  ${relation} ${percent(certainty)}${is_test ? ", test" : ""}`,
    ),
  ]);
  return [...lines, ...more(page)];
}

function ambiguity(status: Match, candidates: readonly Candidate[]): string[] {
  if (status !== "ambiguous") return [];
  return [
    "several definitions have this name; this is about the first of",
    ...candidates.map(
      ({ selector, symbol, n_references }) => `  ${selector}  ${symbol.kind}, ${quantity(n_references, "use")}`,
    ),
  ];
}

function section(title: string, lines: readonly string[], page: Page): string[] {
  if (page.total === 0) return [];
  return [`${title} (${page.total})`, ...lines.map((line) => `  ${line}`), ...more(page)];
}

function more({ truncated, offset, total }: Page): string[] {
  return truncated
    ? [`  … ${total} in all, from ${offset + 1} here; raise --limit or --max-bytes, or give --offset`]
    : [];
}

function riskLine({ level, reasons }: Risk): string {
  return `risk: ${level}${reasons.length > 0 ? ` (${reasons.join(", ")})` : ""}`;
}

function place({ path, line, kind, qualified_name }: SymbolRef): string {
  return kind === "file" ? path : `${path}:${line}  ${qualified_name}`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
