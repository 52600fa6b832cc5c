/** Tools that walk the graph or query it, and those for editors. */

import { WALK, ASKED } from "../command-spec.js";
import { BYTES, LIMIT, MILLIS, NUMBER, REPO, TEXT, list, text } from "./schema.js";
import type { ToolRow } from "./tool-row.js";

export const GRAPH_TOOLS: readonly ToolRow[] = [
  {
    name: "traverse",
    method: "traverse",
    commands: [
      {
        name: "traverse",
        group: "Walk the graph",
        operands: "SYMBOL",
        summary: "everything within reach of a symbol, file, folder or package, step by step",
        options: [...WALK, "order", ...ASKED],
        examples: [["portolan traverse Cart.total --direction in --depth 3", "dependants, three levels deep"]],
      },
    ],
  },
  {
    name: "subgraph",
    method: "subgraph",
    commands: [
      {
        name: "graph",
        group: "Walk the graph",
        operands: "SYMBOL",
        summary: "neighbourhood of a symbol with its edges; alias: subgraph",
        options: [...WALK, ...ASKED],
        examples: [["portolan graph src/cart.ts --depth 1", "around a file"]],
      },
      {
        name: "subgraph",
        group: "Walk the graph",
        operands: "SYMBOL",
        summary: "alias of graph",
        options: [...WALK, ...ASKED],
        examples: [["portolan subgraph addTax", "around a function"]],
      },
    ],
  },
  {
    name: "paths",
    method: "paths",
    commands: [
      {
        name: "paths",
        group: "Walk the graph",
        operands: "FROM TO",
        summary: "paths from one symbol to another, the shortest first",
        options: [...WALK, ...ASKED],
        examples: [["portolan paths Checkout addTax --limit 3", "the three shortest"]],
      },
    ],
  },
  {
    name: "cycles",
    method: "cycles",
    commands: [
      {
        name: "cycles",
        group: "Walk the graph",
        operands: "[SYMBOL]",
        summary: "cycles of calls; with --edge IMPORTS --node file, import cycles",
        options: ["edge", "node", "depth", "min-confidence", "limit", ...ASKED],
        examples: [["portolan cycles --edge IMPORTS --node file", "files that import one another"]],
      },
    ],
  },
  {
    name: "cypher",
    method: "cypher",
    commands: [
      {
        name: "cypher",
        group: "Walk the graph",
        operands: "QUERY",
        summary: "run a read-only Cypher query on the graph",
        options: ["param", "timeout", "limit", "max-bytes", ...ASKED],
        examples: [
          [
            "portolan cypher 'MATCH (f:Function)-[:CALLS]->(g {name: $name}) RETURN f.path, f.name' --param name=addTax",
            "callers, as a table",
          ],
        ],
      },
    ],
    mcp: {
      place: 9,
      name: "cypher",
      about:
        "Run a read-only openCypher query, e.g. MATCH (a:Function)-[:CALLS]->(b {name: $n}) RETURN a.path, a.name. Labels and properties: resource portolan://REPO/schema.",
      input: {
        query: text("Cypher"),
        parameters: { type: "object", description: "for $n" },
        limit: LIMIT,
        timeout_ms: MILLIS,
        max_bytes: BYTES,
        repo: REPO,
      },
      required: ["query"],
      output: { columns: { type: "array" }, rows: { type: "array" } },
    },
  },
  {
    name: "edges",
    method: "edges",
    commands: [
      {
        name: "edges",
        group: "Walk the graph",
        operands: "",
        summary: "every resolved edge of the code graph, one per line (JSON)",
        options: [...ASKED],
        examples: [["portolan edges > edges.jsonl", "the whole graph"]],
      },
    ],
  },
  {
    name: "export",
    method: "export",
    commands: [
      {
        name: "export",
        group: "Share",
        operands: "[SYMBOL]",
        summary: "the graph for other tools; or a snapshot to share, encrypted or with encrypted paths",
        more: "With --format: the graph, or the neighbourhood of SYMBOL. With --passphrase or --obfuscate-paths: a snapshot, to -o FILE.",
        options: ["format", "output", "path", ...WALK, "obfuscate-paths", "key-file", "keep-texts", ...ASKED],
        here: {
          output: "a file, for csv a folder (default stdout, except csv)",
          passphrase: "encrypt the snapshot with a passphrase, asked for on the terminal",
        },
        examples: [
          ["portolan export --format graphml -o graph.graphml", "the whole graph"],
          ["portolan export addTax --format mermaid --depth 2", "a part of it"],
          ["portolan export --passphrase -o shop.sealed", "encrypted with a passphrase"],
          [
            "portolan export --obfuscate-paths --key-file shop.key -o shop.portolan",
            "paths are readable with the key only",
          ],
        ],
      },
    ],
  },
  { name: "atlas", method: "atlas" },
  { name: "link_lsp_to_chunk", method: "linkLspToChunk" },
  { name: "find_chunks_for_symbol", method: "findChunksForSymbol" },
  { name: "get_callers_as_results", method: "getCallersAsResults" },
  { name: "get_callees_as_results", method: "getCalleesAsResults" },
  {
    name: "list_repos",
    mcp: {
      place: 1,
      name: "list_repos",
      about: "List the indexed repositories.",
      input: {},
      output: { repositories: list("name") },
    },
  },
  {
    name: "index",
    mcp: {
      place: 16,
      name: "index",
      about: "Index a repository that has no index, or read what changed.",
      input: { repo: REPO },
      output: { root: TEXT, n_files: NUMBER, n_symbols: NUMBER },
      changes: true,
    },
  },
];
