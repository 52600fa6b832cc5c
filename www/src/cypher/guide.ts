//! Labels, relationships and examples that the console offers.

/** An example: what it answers, and the query. */
export interface Example {
  readonly words: string;
  readonly query: string;
}

export const examples: readonly Example[] = [
  {
    words: "Functions that most others call",
    query:
      "MATCH (f)-[:CALLS]->(g:Function)\nRETURN g.name AS name, g.path AS path, count(DISTINCT f) AS callers\nORDER BY callers DESC LIMIT 25",
  },
  {
    words: "The most complex functions",
    query:
      "MATCH (f:Symbol) WHERE f.complexity > 10\nRETURN f, f.complexity AS complexity, f.line AS line\nORDER BY complexity DESC LIMIT 50",
  },
  {
    words: "Calls between files, as a graph",
    query:
      "MATCH p = (a:Function)-[:CALLS]->(b:Function)\nWHERE a.path <> b.path AND a.test = false\nRETURN p LIMIT 40",
  },
  {
    words: "Exported, but used by nothing here",
    query:
      "MATCH (f:Function)\nWHERE f.exported AND f.test = false AND NOT ()-[:CALLS|REFERENCES]->(f)\nRETURN f, f.path AS path LIMIT 100",
  },
  {
    words: "External packages and who imports them",
    query: "MATCH (f:File)-[:IMPORTS]->(p:External)\nRETURN p.name AS package, count(f) AS files\nORDER BY files DESC",
  },
  {
    words: "Guesses: calls that were found by name only",
    query:
      "MATCH (a)-[r:CALLS]->(b) WHERE r.confidence < 0.7\nRETURN a, r.reason AS rule, r.confidence AS confidence, b\nORDER BY confidence LIMIT 50",
  },
];

/** Kinds of nodes, those of every repository first. */
export const labels = [
  "File",
  "Folder",
  "Symbol",
  "Function",
  "Method",
  "Constructor",
  "Class",
  "Struct",
  "Interface",
  "Trait",
  "Enum",
  "Variant",
  "Module",
  "TypeAlias",
  "Constant",
  "Variable",
  "Field",
  "Macro",
  "Impl",
  "Section",
  "External",
  "Community",
  "Process",
] as const;

export const properties: readonly (readonly [string, string])[] = [
  [
    "nodes",
    "name qualified_name kind path language line start_line end_line signature doc complexity centrality exported test",
  ],
  ["communities", "n_members cohesion"],
  ["processes", "n_steps process_type entry_kind"],
  ["relationships", "type confidence reason line step"],
];

/** A query about a label or a relationship, to begin with. */
export function starter(what: "label" | "type", name: string): string {
  return what === "label"
    ? `MATCH (n:${name})\nRETURN n, n.path AS path LIMIT 50`
    : `MATCH (a)-[r:${name}]->(b)\nRETURN a, r, b LIMIT 50`;
}
