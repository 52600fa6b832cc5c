/** Answers as text for people: one line a result, `path:line` first, so that editors and terminals can follow it. */

import type {
  Call,
  CallsResponse,
  ChunkInfo,
  ChunksResponse,
  CutOff,
  DefinitionResponse,
  Explanation,
  FileList,
  FindResponse,
  Hit,
  Outline,
  ReferencesResponse,
  RegexMatch,
  RegexResponse,
  SearchResponse,
  Status,
  Symbol as CodeSymbol,
} from "../answers.js";
import { quantity } from "../quantity.js";
import type { Staleness } from "../types.js";

const MAX_SNIPPET_LINES = 5;

export function jsonLines(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}

/** The hits, after what there is to tell of the answer. */
export function hits({ hits, note, plan }: SearchResponse): string {
  const planned = hits.some(({ explanation }) => explanation) && plan ? `plan ${plan.mode}: ${plan.why}\n` : "";
  return `${planned}${note === undefined ? "" : `${note}\n${hits.length > 0 ? "\n" : ""}`}${hits.map(hit).join("\n")}`;
}

/** A hit, and where its score comes from where that was asked for. */
function hit(found: Hit): string {
  return found.explanation ? `${bareHit(found)}${explained(found.explanation)}` : bareHit(found);
}

function explained({
  terms,
  lexical_rank,
  vector_score,
  vector_rank,
  fused_score,
  signals,
  score,
}: Explanation): string {
  const layer = (rank: number | undefined, what: string) => (rank === undefined ? [] : [`${what} #${rank}`]);
  const layers = [
    ...layer(lexical_rank, "words"),
    ...layer(vector_rank, vector_score === undefined ? "meaning" : `meaning (${vector_score.toFixed(3)})`),
  ];
  const words = terms.map(({ term, score }) => `${term} ${score.toFixed(2)}`);
  const changes = signals.map(
    ({ name, factor, added }) =>
      `${name}${factor === 1 ? "" : ` ×${Number(factor.toFixed(3))}`}${added === 0 ? "" : ` +${Number(added.toFixed(3))}`}`,
  );
  const line = (name: string, parts: readonly string[]) =>
    parts.length === 0 ? "" : `    ${name}: ${parts.join(", ")}\n`;
  return `${line("found by", layers)}${line("terms", words)}${line("signals", changes)}    score: ${fused_score.toFixed(4)} → ${score.toFixed(4)}\n`;
}

function bareHit({ path, start_line, end_line, score, symbol, symbol_line, guess, snippet }: Hit): string {
  const lines = snippet.text.split("\n").slice(0, MAX_SNIPPET_LINES);
  const body = lines.map((line, lineIdx) => `  ${snippet.start_line + lineIdx}  ${line}`);
  const at = symbol_line === undefined || symbol_line === start_line ? "" : `:${symbol_line}`;
  return `${path}:${start_line}-${end_line}${symbol ? `  ${symbol}${at}` : ""}  (${score.toFixed(3)}${guess ? ", a guess" : ""})\n${body.join("\n")}\n`;
}

export function symbols(response: FindResponse): string {
  return response.symbols.map((symbol) => `${symbolLine(symbol)}\n`).join("");
}

function symbolLine({ path, line, kind, qualified_name, signature }: CodeSymbol): string {
  return `${path}:${line}  ${kind} ${qualified_name}${signature ? `  ${signature}` : ""}`;
}

export function definitions({ targets }: DefinitionResponse): string {
  return targets
    .map(({ symbol, confidence, reason }) => `${symbolLine(symbol)}  (${Math.round(confidence * 100)} %, ${reason})\n`)
    .join("");
}

export function files({ files }: FileList): string {
  return files
    .map(
      ({ path, language, n_lines, n_symbols }) =>
        `${path}  ${language}  (${quantity(n_lines, "line")}, ${quantity(n_symbols, "definition")})\n`,
    )
    .join("");
}

export function references({ references, total, n_product }: ReferencesResponse): string {
  const lines = references.map(
    ({ path, line, text, enclosing }) => `${path}:${line}  ${text}${enclosing ? `  (in ${enclosing})` : ""}\n`,
  );
  return lines.join("") + inAll("use", total, n_product) + more(references.length, total);
}

export function calls({ calls, total, n_product }: CallsResponse): string {
  return calls.map(callLine).join("") + inAll("call", total, n_product) + more(calls.length, total);
}

function staleLines(stale: Staleness | undefined): string[] {
  if (!stale) return [];
  if (stale.n_files === 0) return ["up to date with the files"];
  const more = stale.n_files > stale.paths.length ? ", …" : "";
  return [
    `changed since: ${quantity(stale.n_files, "path")} (${stale.paths.join(", ")}${more}); \`portolan index\` updates it`,
  ];
}

/** How many there are, where not all are in product code. */
function inAll(noun: string, total: number, n_product: number): string {
  return n_product < total ? `${quantity(total, noun)}, ${n_product} in product code\n` : "";
}

function callLine({ symbol, path, line, depth, confidence }: Call): string {
  const who = symbol ? symbol.qualified_name : "<file>";
  return `${"  ".repeat(depth - 1)}${path}:${line}  ${who}  (${Math.round(confidence * 100)} %)\n`;
}

export function matches({ matches, truncated, timed_out, cut_off }: RegexResponse): string {
  const lines = matches.map(match);
  return lines.join("") + (truncated ? "… more; raise --limit\n" : "") + cutOff(timed_out, cut_off);
}

/** Says where a search ended before its files did. */
export function cutOff(timed_out: boolean, cut_off: CutOff | undefined): string {
  if (!cut_off) return timed_out ? "… part of a file was not searched: it is too much for this pattern\n" : "";
  const { path, reason } = cut_off;
  return reason === "time"
    ? `… stopped at the time limit at ${path}; raise --max-millis, or name --path or --language\n`
    : `… stopped at the limit of steps at ${path}; name --path or --language, or say more exactly what is looked for\n`;
}

function match({ path, line, text, before, after }: RegexMatch): string {
  const around = (texts: readonly string[], first: number) =>
    texts.map((text, place) => `${path}-${first + place}- ${text}\n`).join("");
  const all = `${around(before, line - before.length)}${path}:${line}: ${text}\n${around(after, line + 1)}`;
  return before.length + after.length > 0 ? `${all}--\n` : all;
}

/** `1-12 function_item Router.add: add  (210 characters, complexity 3)`. */
export function chunks({ chunks: list }: ChunksResponse): string {
  const line = (chunk: ChunkInfo): string => {
    const names = chunk.defines.map(({ name }) => name).join(" ");
    const scope = chunk.scope.join(".") || "-";
    return `${chunk.start_line}-${chunk.end_line} ${chunk.node_kind || "-"} ${scope}: ${names || "-"}  (${quantity(chunk.n_chars, "character")}, complexity ${chunk.complexity})\n`;
  };
  return list.map(line).join("");
}

export function outline({ path, symbols }: Outline): string {
  const depths: number[] = [];
  const lines = symbols.map(({ symbol, parent }, entryIdx) => {
    const depth = parent === undefined ? 0 : (depths[parent] ?? 0) + 1;
    depths[entryIdx] = depth;
    return `${"  ".repeat(depth)}${symbol.line}  ${symbol.kind} ${symbol.name}\n`;
  });
  return `${path}\n${lines.join("")}`;
}

/** An overlay, and what it is of. */
interface OverlayAt {
  readonly root: string;
  readonly n_changed: number;
  readonly n_deleted: number;
  readonly n_bytes: number;
}

export function status(status: Status & { stale?: Staleness; overlay?: OverlayAt }): string {
  const counts = (rows: readonly { name: string; count: number }[]) =>
    rows.map(({ name, count }) => `${name} ${count}`).join(", ");
  const lines = [
    `${status.name}: ${quantity(status.n_files, "file")}, ${quantity(status.n_lines, "line")}, ${(status.n_bytes / 1e6).toFixed(1)} MB`,
    `languages: ${counts(status.languages)}`,
    `${quantity(status.n_symbols, "symbol")}: ${counts(status.kinds)}`,
    `${quantity(status.n_edges, "edge")}: ${counts(status.edges)}`,
    `${quantity(status.n_chunks, "chunk")}, ${status.n_vectors} with a vector${status.embedder ? ` (${status.embedder}, ${status.dimensions} dimensions)` : ""}`,
    `built ${new Date(status.built_at).toISOString()} by Portolan ${status.built_by}`,
    ...(status.n_shards === undefined ? [] : [`in ${quantity(status.n_shards, "shard")}`]),
    ...overlayLines(status.overlay),
    ...staleLines(status.stale),
    ...status.problems.map(({ path, line, message }) => `problem: ${path}:${line}: ${message}`),
    ...status.skipped.map(({ path, message }) => `skipped: ${path}: ${message}`),
  ];
  return `${lines.join("\n")}\n`;
}

function overlayLines(overlay: OverlayAt | undefined): string[] {
  if (!overlay) return [];
  const { root, n_changed, n_deleted, n_bytes } = overlay;
  return [
    `overlay of the index of ${root}: ${quantity(n_changed, "file differs", "files differ")}, ${n_deleted} gone, ${(n_bytes / 1e3).toFixed(0)} KB`,
  ];
}

function more(n_shown: number, total: number): string {
  return n_shown < total ? `… ${total - n_shown} more; raise --limit\n` : "";
}
