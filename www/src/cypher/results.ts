//! Values of a Cypher answer: told apart, as text, as a graph, and as files.

import type { CypherNode, CypherPath, CypherRelationship, CypherValue } from "portolan";

type Fields = Record<string, unknown>;

function hasFields(value: unknown, ...names: readonly string[]): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) && names.every((name) => name in value);
}

export function isNode(value: CypherValue): value is CypherNode {
  return hasFields(value, "id", "label", "qualified_name");
}

export function isRelationship(value: CypherValue): value is CypherRelationship {
  return hasFields(value, "type", "source", "target");
}

export function isPath(value: CypherValue): value is CypherPath {
  return hasFields(value, "nodes", "relationships");
}

/** A value in one line. */
export function textOf(value: CypherValue): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) return value.map(textOf).join(", ");
  if (isPath(value)) return value.nodes.map(({ name }) => name).join(" → ");
  if (isRelationship(value)) return value.type;
  if (isNode(value)) return value.qualified_name || value.name;
  return JSON.stringify(value);
}

/** A node of the drawing. */
export interface Drawn {
  readonly id: number;
  readonly name: string;
  /** Undefined where an edge names a node that the answer does not hold. */
  readonly node: CypherNode | undefined;
}

export interface DrawnEdge {
  readonly source: number;
  readonly target: number;
  readonly type: string;
}

export interface Graph {
  readonly nodes: readonly Drawn[];
  readonly edges: readonly DrawnEdge[];
  /** Nodes that did not fit. */
  readonly n_left: number;
}

/** Nodes and relationships anywhere in the rows, each once; at most `most` nodes. */
export function graphOf(rows: readonly (readonly CypherValue[])[], most = 120): Graph {
  const nodes = new Map<number, Drawn>();
  const edges = new Map<string, DrawnEdge>();
  const visit = (value: CypherValue): void => {
    if (typeof value !== "object" || value === null) return;
    if (Array.isArray(value)) value.forEach(visit);
    else if (isPath(value)) {
      value.nodes.forEach(visit);
      value.relationships.forEach(visit);
    } else if (isRelationship(value)) {
      const { source, target, type } = value;
      edges.set(`${source} ${target} ${type}`, { source, target, type });
      for (const id of [source, target]) if (!nodes.has(id)) nodes.set(id, { id, name: `#${id}`, node: undefined });
    } else if (isNode(value)) nodes.set(value.id, { id: value.id, name: value.name, node: value });
  };
  for (const row of rows) for (const value of row) visit(value);
  const kept = [...nodes.values()].slice(0, most);
  const known = new Set(kept.map(({ id }) => id));
  return {
    nodes: kept,
    edges: [...edges.values()].filter(({ source, target }) => known.has(source) && known.has(target)),
    n_left: nodes.size - kept.length,
  };
}

/** The rows as CSV (RFC 4180). A text that a spreadsheet would run as a formula is marked as text. */
export function csvOf(columns: readonly string[], rows: readonly (readonly CypherValue[])[]): string {
  const cell = (value: CypherValue) => {
    const text = textOf(value);
    const safe = typeof value !== "number" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return [columns, ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

/** The rows as objects by column. */
export function jsonOf(columns: readonly string[], rows: readonly (readonly CypherValue[])[]): string {
  const objects = rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at] ?? null])));
  return `${JSON.stringify(objects, null, 2)}\n`;
}
