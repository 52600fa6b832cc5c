/** Cypher, and the graph for other tools. */

import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

import type {
  CypherRequest,
  CypherResponse,
  CypherValue,
  ExportRequest,
  ExportResponse,
  WalkDirection,
} from "../answers.js";
import { findRoot } from "../node/root.js";
import { isStream, replaceFile, unwritable } from "../node/safe-files.js";
import { placeNamed } from "../node/safe-folder.js";
import { fraction, operand, UsageError, wholeNumber, type Command } from "../commands/options.js";
import { answer, type Question } from "./question.js";
import { quantity } from "../quantity.js";

export const TABLE_COMMANDS: Record<string, (command: Command) => Question> = {
  cypher(command) {
    const { options } = command;
    const limit = wholeNumber(options.limit, "limit", 1);
    const max_bytes = wholeNumber(options["max-bytes"], "max-bytes", 256);
    const timeout_ms = wholeNumber(options.timeout, "timeout", 1);
    const request: CypherRequest = {
      query: operand(command, "QUERY"),
      parameters: Object.fromEntries((options.param ?? []).map(parameter)),
      ...(limit === undefined ? {} : { limit }),
      ...(max_bytes === undefined ? {} : { max_bytes }),
      ...(timeout_ms === undefined ? {} : { timeout_ms }),
    };
    return (index) => answer(command, index.cypher(request), table);
  },
  export(command) {
    const request = exportRequest(command);
    return async (index) => written(await index.export(request), command);
  },
};

/** `NAME=VALUE`: the value is JSON if it can be read so, else text. */
function parameter(given: string): [string, CypherValue] {
  const at = given.indexOf("=");
  if (at < 1) throw new UsageError(`--param expects NAME=VALUE, not "${given}"`);
  const [name, value] = [given.slice(0, at), given.slice(at + 1)];
  try {
    return [name, JSON.parse(value) as CypherValue];
  } catch {
    return [name, value];
  }
}

/** Columns as wide as their widest value, for people. */
function table({ columns, rows, truncated }: CypherResponse): string {
  const cells = [columns, ...rows.map((row) => row.map(shown))];
  const widths = columns.map((_, column) => Math.min(60, Math.max(...cells.map((row) => (row[column] ?? "").length))));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join("  ")
      .trimEnd();
  const more = truncated ? ["… there are more rows: --limit N, --max-bytes N"] : [];
  return [...cells.map(line), ...more, ""].join("\n");
}

function shown(value: CypherValue): string {
  if (value === null || value === undefined) return "–";
  if (typeof value === "string") return value.replaceAll("\n", " ");
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) return `[${value.map(shown).join(", ")}]`;
  if ("nodes" in value && "relationships" in value)
    return (value.nodes as { name: string }[]).map(({ name }) => name).join(" – ");
  if ("label" in value && "qualified_name" in value) return `${String(value.qualified_name)}:${String(value.label)}`;
  if ("type" in value && "reason" in value)
    return `${String(value.type)} (${String(value.reason)}, ${String(value.confidence)})`;
  return JSON.stringify(value);
}

function exportRequest(command: Command): ExportRequest {
  const { options, operands } = command;
  if (options.format === undefined)
    throw new UsageError("export: --format is missing: graphml, json, csv, dot, mermaid or svg");
  const directions: readonly string[] = ["out", "in", "both"] satisfies WalkDirection[];
  if (options.direction !== undefined && !directions.includes(options.direction))
    throw new UsageError(`direction is one of ${directions.join(", ")}`);
  if (options.format === "csv" && options.output === undefined)
    throw new UsageError("export: csv is two files and needs -o FOLDER");
  const depth = wholeNumber(options.depth, "depth", 1);
  const sure = fraction(options["min-confidence"], "min-confidence");
  const max_nodes = wholeNumber(options.limit, "limit", 1);
  return {
    format: options.format,
    ...(operands.length === 0 ? {} : { from: operand(command, "SYMBOL") }),
    ...(options.direction === undefined ? {} : { direction: options.direction as WalkDirection }),
    ...(depth === undefined ? {} : { depth }),
    edges: options.edge ?? [],
    nodes: options.node ?? [],
    paths: options.path ?? [],
    ...(sure === undefined ? {} : { min_confidence: sure }),
    ...(max_nodes === undefined ? {} : { max_nodes }),
  };
}

/** How the files begin that this command writes. */
const HEADS = [
  '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns" ',
  '{"directed": true, "multigraph": true, "graph": {"name":',
  "Id,Label,",
  "Id,label,",
  "Source,Target,Type,",
  'digraph "',
  "flowchart LR\n",
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ',
];

/** Whether a file was written by this command; an empty one may be. */
function isGraph(start: Uint8Array): boolean {
  const text = Buffer.from(start).toString("utf8");
  return text === "" || HEADS.some((head) => text.startsWith(head));
}

/** Writes the files where they were asked for; gives what goes to stdout. */
function written({ files, n_nodes, n_edges }: ExportResponse, { options }: Command): string {
  const [only] = files;
  if (options.output === undefined) return only?.text ?? "";
  const output = resolve(options.output);
  const targets = files.map(({ name, text }) => ({ path: files.length > 1 ? join(output, name) : output, text }));
  try {
    for (const { path, text } of targets) {
      if (isStream(path)) writeFileSync(path, text);
      else replaceFile(placeNamed(path, [findRoot()]), text, { isOurs: isGraph });
    }
  } catch (error) {
    throw unwritable(output, error);
  }
  const paths = targets.map(({ path }) => path);
  return options.json === true
    ? `${JSON.stringify({ files: paths, n_nodes, n_edges })}\n`
    : `${quantity(n_nodes, "node")}, ${quantity(n_edges, "relationship")}\n${paths.join("\n")}\n`;
}
