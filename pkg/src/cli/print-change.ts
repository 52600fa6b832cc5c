/** Answers about symbols and changes as text for people: `path:line` first, as everywhere. */

import type {
  Candidate,
  ContextResponse,
  DepthGroup,
  DetectChangesResponse,
  ImpactResponse,
  Match,
  Page,
  QueryResponse,
  RelationGroup,
  RenameResponse,
  Risk,
  SymbolRef,
  TraceResponse,
} from "../answers.js";
import type { AppliedRename } from "../node/apply-rename.js";

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

export function impact({
  status,
  target,
  candidates,
  direction,
  risk,
  by_depth,
  page,
  n_files,
  affected_processes,
  processes_page,
  areas,
}: ImpactResponse): string {
  return [
    ...ambiguity(status, candidates),
    `${place(target)}: ${page.total} ${direction === "upstream" ? "depend on it" : "it depends on"}, in ${n_files} files`,
    riskLine(risk),
    ...byDepth(by_depth, page),
    ...section(
      "flows",
      affected_processes.map(({ label, n_affected, n_steps }) => `${label}  (${n_affected} of ${n_steps} steps)`),
      processes_page,
    ),
    ...(areas.length > 0 ? [`areas: ${areas.map(({ label, n_symbols }) => `${label} ${n_symbols}`).join(", ")}`] : []),
    "",
  ].join("\n");
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
    `${summary.changed_files} files, ${summary.changed_count} symbols, ${summary.affected_count} flows, ${summary.dependants} dependants`,
    riskLine(risk),
    ...section(
      "files",
      changed_files.map(
        ({ path, status, index, n_added, n_deleted }) =>
          `${path}  ${status} +${n_added} -${n_deleted}${index === "stale" ? "  (indexed in another version)" : ""}`,
      ),
      files_page,
    ),
    ...section(
      "symbols",
      changed_symbols.map(
        ({ symbol, change_type, touches_declaration }) =>
          `${place(symbol)}  ${change_type}${touches_declaration ? ", declaration" : ""}`,
      ),
      symbols_page,
    ),
    ...section(
      "flows",
      affected_processes.map(
        ({ process, changed_steps }) =>
          `${process.label}  (${changed_steps.map(({ symbol, step }) => `${step}. ${symbol}`).join(", ")})`,
      ),
      processes_page,
    ),
    ...byDepth(dependants, dependants_page),
    "",
  ].join("\n");
}

export function rename(response: RenameResponse): string {
  const { old_name, new_name, files_affected, graph_edits, text_search_edits, changes, conflicts, diff, page } =
    response;
  const texts = changes.flatMap(({ path, edits }) =>
    edits
      .filter(({ source }) => source === "text_search")
      .map(({ line, place, text, applied }) => `${path}:${line}  ${place}${applied ? ", changed" : ""}: ${text}`),
  );
  return [
    diff ?? "… the diff is too large; raise --max-bytes\n",
    `${old_name} → ${new_name}: ${graph_edits} graph edits, ${text_search_edits} text matches, in ${files_affected} files`,
    ...section("text matches", texts, { ...page, total: texts.length, truncated: false }),
    ...conflicts.map(({ path, line, message }) => `conflict: ${path}:${line}: ${message}`),
    "",
  ].join("\n");
}

export function applied({ rename: { old_name, new_name, conflicts }, files }: AppliedRename): string {
  const lines = [
    `${old_name} → ${new_name}: ${files.length} files written`,
    ...files,
    ...conflicts.map(({ path, line, message }) => `conflict: ${path}:${line}: ${message}`),
  ];
  return `${lines.join("\n")}\n`;
}

export function query({ processes, processes_page, definitions, definitions_page }: QueryResponse): string {
  const flows = processes.flatMap(({ summary, step_count, symbols }) => [
    `${summary}  (${step_count} steps)`,
    ...symbols.map(({ step_index, symbol }) => `  ${step_index}. ${place(symbol)}`),
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

export function trace({
  from,
  to,
  from_status,
  to_status,
  from_candidates,
  to_candidates,
  direction,
  paths,
}: TraceResponse): string {
  const head =
    direction === "none"
      ? [`no path from ${from.qualified_name} to ${to.qualified_name}, in either direction`]
      : direction === "backward"
        ? [`no path in this direction, but one back, from ${to.qualified_name}`]
        : [];
  const ways = paths.flatMap(({ steps, certainty }) => [
    `${percent(certainty)}`,
    ...steps.slice(0, 1).map((step) => `  ${place(step.from)}`),
    ...steps.map((step) => `  ${step.relation} ${place(step.to)}  line ${step.use_line}`),
  ]);
  return [
    ...ambiguity(from_status, from_candidates),
    ...ambiguity(to_status, to_candidates),
    ...head,
    ...ways,
    "",
  ].join("\n");
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
    ...candidates.map(({ selector, symbol, n_references }) => `  ${selector}  ${symbol.kind}, ${n_references} uses`),
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
