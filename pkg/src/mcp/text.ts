/**
 * Answers as an agent reads them: lines with `path:line` first and nothing twice. Programs read the structured
 * answer beside it; this is a third of its tokens.
 */

import type {
  Call,
  CallsResponse,
  ContextResponse,
  CypherResponse,
  FindResponse,
  Hit,
  MapResponse,
  QueryResponse,
  Reference,
  ReferencesResponse,
  RegexMatch,
  RegexResponse,
  RelationGroup,
  Status,
  StructuralResponse,
  TraverseResponse,
} from "../answers.js";
import type { Answer } from "./answer.js";
import type { KnownRepository, Staleness } from "./host.js";
import { onOneLine } from "../visible.js";
import { quantity } from "../quantity.js";
import { hitsLines } from "./text-hits.js";
import { locateLines } from "./text-locate.js";
import { isPartial, missingNotes, type Incomplete } from "./text-missing.js";
import { changeLines, impactLines, renameLines, traceLines } from "./text-change.js";
import {
  ambiguity,
  cell,
  changesWithLines,
  fileLines,
  firstLine,
  indexLines,
  numbered,
  percent,
  place,
  section,
} from "./text-parts.js";

/** The text of an answer: its lines, then notes about all of it. */
export interface AnswerText {
  readonly lines: readonly string[];
  readonly notes: readonly string[];
}

/** Returns the text of a tool's answer. */
export function textOf(tool: string, exact: Answer): AnswerText {
  const answer = onOneLine(exact);
  const { next_cursor, stale, updating, settings_left_out } = answer as {
    next_cursor?: string;
    stale?: Staleness;
    updating?: boolean;
    settings_left_out?: string;
  };
  return {
    lines: (TEXTS[tool] ?? json)(answer as never),
    notes: [
      ...(next_cursor !== undefined ? [`… more: repeat the call with cursor "${next_cursor}"`] : []),
      ...(tool === "search" || tool === "list_repos" ? missingNotes(answer) : []),
      ...(stale ? [staleNote(stale)] : []),
      ...(updating === true
        ? ["Note: files have changed, and the index is being updated; shown code is that of the disk."]
        : []),
      ...(settings_left_out !== undefined ? [`Note: ${settings_left_out}.`] : []),
    ],
  };
}

function staleNote({ n_files, paths }: Staleness): string {
  const some = paths.slice(0, 3).join(", ");
  return `Note: the index is older than ${n_files} ${n_files === 1 ? "file" : "files"} (${some}${paths.length > 3 || n_files > paths.length ? ", …" : ""}); lines there may be off. \`portolan index\` updates it.`;
}

/** Each takes the answer of its tool. */
const TEXTS: Record<string, (answer: never) => string[]> = {
  list_repos: ({ repositories }: { repositories: KnownRepository[] }) =>
    repositories.length === 0
      ? ["no repository is indexed; run `portolan index` in one"]
      : repositories.map(repositoryLine),
  list_files: fileLines,
  index: indexLines,
  search: ({
    hits,
    note,
    notes,
    failed,
    text,
    n_more = 0,
    ...rest
  }: {
    hits: (Hit & { repo?: string })[];
    note?: string;
    notes?: { repo: string; note: string }[];
    failed?: { repo: string; message: string }[];
    text?: string;
    n_more?: number;
  } & Incomplete) =>
    text !== undefined
      ? packed(text, n_more)
      : [
          ...(note === undefined ? [] : [note]),
          ...(notes ?? []).map(({ repo, note }) => `${repo}: ${note}`),
          ...(hits.length === 0 && note === undefined && notes === undefined
            ? [
                isPartial({ ...rest, failed })
                  ? "nothing found in the part that answered"
                  : "nothing found; try other words",
              ]
            : hitsLines(hits)),
          ...(failed ?? []).map(({ repo, message }) => `${repo} failed: ${message}`),
        ],
  query: ({ processes, definitions }: QueryResponse) => [
    ...processes.flatMap(({ summary, n_steps, symbols }) => [
      `flow ${summary} (${quantity(n_steps, "step")})`,
      ...symbols.map(({ step, symbol }) => `  ${step}. ${place(symbol)}`),
    ]),
    ...(definitions.length > 0 ? ["outside flows", ...definitions.map(({ symbol }) => `  ${place(symbol)}`)] : []),
    ...(processes.length + definitions.length === 0 ? ["nothing found; try other words"] : []),
  ],
  context: contextLines,
  impact: impactLines,
  trace: traceLines,
  detect_changes: changeLines,
  rename: renameLines,
  cypher: ({ columns, rows, truncated }: CypherResponse) => [
    columns.join(" | "),
    ...rows.map((row) => row.map(cell).join(" | ")),
    ...(truncated ? ["… more rows: raise limit, or SKIP"] : []),
  ],
  code_intelligence: intelligenceLines,
  locate: locateLines,
  repo_map: ({ text, n_more }: MapResponse) => [
    text.trimEnd(),
    ...(n_more > 0 ? [`… ${quantity(n_more, "more file")}: raise max_tokens, or name paths`] : []),
  ],
  read_code: ({
    path,
    start_line,
    end_line,
    n_lines,
    text,
    others,
    changed_since_indexed,
  }: {
    path: string;
    start_line: number;
    end_line: number;
    n_lines: number;
    text: string;
    others?: string[];
    changed_since_indexed?: boolean;
  }) => [
    `${path}:${start_line}-${end_line} of ${n_lines}${changed_since_indexed === true ? " (changed since it was indexed; this is the file now)" : ""}`,
    ...numbered(text.split("\n"), start_line),
    ...(others ? [`also defined at ${others.join(", ")}`] : []),
  ],
  structural_search: ({ matches, timed_out, cut_off, unread }: StructuralResponse) => [
    ...(matches.length === 0
      ? ["nothing matches this pattern"]
      : matches.map(
          ({ path, start_line, text, captures }) =>
            `${path}:${start_line}  ${firstLine(text)}${captures.length > 0 ? `  {${captures.map(({ name, text }) => `${name}: ${firstLine(text)}`).join(", ")}}` : ""}`,
        )),
    ...(cut_off ? [`… stopped at ${cut_off.path} (limit of ${cut_off.reason}): ${cut_off.help}`] : []),
    ...(timed_out && !cut_off ? ["… part of a file was not searched: it is too much for this pattern"] : []),
    ...unread.map(({ language }) => `${language} was not searched`),
  ],
  regex: ({ matches, cut_off }: RegexResponse) => [
    ...(matches.length === 0 ? ["no line matches"] : matches.flatMap(matchLines)),
    ...(cut_off ? [`… stopped at ${cut_off.path} (limit of ${cut_off.reason}): ${cut_off.help}`] : []),
  ],
  status: (status: Status & { n_skipped: number; n_problems: number; revision?: string }) => {
    const counts = (rows: readonly { name: string; count: number }[]) =>
      rows
        .slice(0, 12)
        .map(({ name, count }) => `${name} ${count}`)
        .join(", ");
    return [
      `${status.name}: ${quantity(status.n_files, "file")}, ${quantity(status.n_lines, "line")}, indexed ${new Date(status.built_at).toISOString()} by Portolan ${status.built_by}`,
      `languages: ${counts(status.languages)}`,
      `${quantity(status.n_symbols, "symbol")}: ${counts(status.kinds)}`,
      `${quantity(status.n_edges, "edge")}: ${counts(status.edges)}`,
      `${quantity(status.n_chunks, "chunk")}, ${status.n_vectors} with a vector`,
      ...(status.n_shards === undefined ? [] : [`in ${quantity(status.n_shards, "shard")}`]),
      ...(status.revision === undefined ? [] : [`work tree at commit ${status.revision}`]),
      ...(status.n_skipped > 0 ? [`skipped: ${quantity(status.n_skipped, "file")}`] : []),
      ...(status.n_problems > 0 ? [`problems: ${status.n_problems}`] : []),
    ];
  },
};

/** A line that matches, with those around it as grep marks them. */
function matchLines({ path, line, text, before, after }: RegexMatch): string[] {
  const around = (lines: readonly string[], first: number) => lines.map((one, at) => `${path}-${first + at}- ${one}`);
  return [...around(before, line - before.length), `${path}:${line}: ${text}`, ...around(after, line + 1)];
}

/** Code in a budget of tokens. */
function packed(text: string, n_more: number): string[] {
  const more = n_more > 0 ? [`… ${quantity(n_more, "more piece")}: raise max_tokens`] : [];
  return text === "" ? ["nothing found that fits; try other words, or a larger max_tokens"] : [text.trimEnd(), ...more];
}

function repositoryLine({ name, root, is_default, n_files, n_symbols }: KnownRepository): string {
  const size = n_files === undefined ? "" : ` (${quantity(n_files, "file")}, ${quantity(n_symbols ?? 0, "symbol")})`;
  return `${name}${root ? `  ${root}` : ""}${size}${is_default ? "  [default]" : ""}`;
}

function contextLines({
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
  changes_with,
}: ContextResponse): string[] {
  return [
    ...ambiguity(status, candidates),
    `${symbol.path}:${symbol.start_line}-${symbol.end_line}  ${symbol.kind} ${symbol.qualified_name}`,
    ...(symbol.signature ? [`  ${symbol.signature}`] : []),
    ...(symbol.doc ? [`  ${firstLine(symbol.doc)}`] : []),
    ...(container ? [`in ${place(container)}`] : []),
    ...incoming.flatMap((group) => relationLines("←", group)),
    ...outgoing.flatMap((group) => relationLines("→", group)),
    ...section("members", members.map(place), members_page),
    ...section(
      "flows",
      processes.map(({ label, step, n_steps }) => `${label} (step ${step} of ${n_steps})`),
      processes_page,
    ),
    ...changesWithLines(changes_with),
  ];
}

function relationLines(arrow: string, { kind, relations, page }: RelationGroup): string[] {
  const lines = relations.map(
    ({ symbol, confidence, use_line, is_test }) =>
      `${place(symbol)}, line ${use_line}${confidence < 0.9 ? `, ${percent(confidence)}` : ""}${is_test ? ", test" : ""}`,
  );
  return section(`${arrow} ${kind}`, lines, page);
}

/** One of the shapes of `code_intelligence`, recognised by its lists. */
function intelligenceLines(answer: Intelligence): string[] {
  const { symbols, references, calls, hits, steps, callers, truncated } = answer;
  const nested = references && !Array.isArray(references) ? (references as ReferencesResponse).references : [];
  const lines = [
    ...(symbols ?? []).map(
      ({ path, line, kind, qualified_name, signature }) =>
        `${path}:${line}  ${kind} ${qualified_name}${signature ? `  ${signature}` : ""}`,
    ),
    ...section("callers", (callers?.calls ?? []).map(callLine)),
    ...(calls ?? []).map(callLine),
    ...(Array.isArray(references) ? (references as Reference[]) : []).map(referenceLine),
    ...section("uses", nested.map(referenceLine)),
    ...(steps ?? []).map(({ symbol, depth, relation }) => `${"  ".repeat(depth)}${relation} ${place(symbol)}`),
    ...hitsLines(hits ?? []),
  ];
  return [...(lines.length === 0 ? ["nothing found"] : lines), ...(truncated ? ["… more: lower limit or depth"] : [])];
}

interface Intelligence
  extends Partial<Pick<FindResponse, "symbols"> & Pick<CallsResponse, "calls"> & Pick<TraverseResponse, "steps">> {
  readonly references?: readonly Reference[] | ReferencesResponse;
  readonly callers?: CallsResponse;
  readonly hits?: Hit[];
  readonly truncated?: boolean;
}

function callLine({ symbol, path, line, depth, confidence }: Call): string {
  return `${"  ".repeat(depth - 1)}${path}:${line}  ${symbol?.qualified_name ?? "<file>"} (${percent(confidence)})`;
}

function referenceLine({ path, line, text, enclosing }: Reference): string {
  return `${path}:${line}  ${text.trim()}${enclosing ? `  (in ${enclosing})` : ""}`;
}

function json(answer: never): string[] {
  return [JSON.stringify(answer)];
}
