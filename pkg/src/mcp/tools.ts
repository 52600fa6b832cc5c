/**
 * The tools as clients see them. An agent reads this list at the start of every conversation, so every word in it is paid for:
 * under 12 KB in all, names and fields of answers as everywhere (`docs/tools.md`).
 */

import type { Abilities } from "./host.js";

/** The part of JSON Schema that is used here. */
export interface Schema {
  readonly type?: "string" | "integer" | "number" | "boolean" | "array" | "object";
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
}

export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Schema & { readonly type: "object" };
  readonly outputSchema: Schema & { readonly type: "object" };
  readonly annotations: {
    readonly title: string;
    readonly readOnlyHint: boolean;
    readonly destructiveHint?: boolean;
    readonly idempotentHint?: boolean;
    readonly openWorldHint: boolean;
  };
}

const text = (description?: string): Schema => ({ type: "string", ...(description && { description }) });
const count = (description?: string): Schema => ({ type: "integer", minimum: 1, ...(description && { description }) });
const flag = (description: string): Schema => ({ type: "boolean", description });
const oneOf = (...words: string[]): Schema => ({ type: "string", enum: words });
const words = (description: string): Schema => ({ type: "array", items: { type: "string" }, description });
const list = (...fields: string[]): Schema => ({
  type: "array",
  items: { type: "object", ...(fields.length > 0 && { required: fields }) },
});

const SYMBOL = text("name, Class.name, path#name or path:line");
const LIMIT = count();
/** Of the call's own words these are explained once, in the instructions of the server. */
const CURSOR = text();
const REPO = text();
const PATHS = words("globs; !glob excludes");
const LANGUAGES: Schema = { type: "array", items: { type: "string" } };
const SURE: Schema = { type: "number", minimum: 0, maximum: 1 };
const BYTES: Schema = { type: "integer", minimum: 256 };
const TESTS = oneOf("include", "exclude", "only");

interface Draft {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly input: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly output: Readonly<Record<string, Schema>>;
  readonly changes?: boolean;
}

const DRAFTS: readonly Draft[] = [
  {
    name: "list_repos",
    title: "Repositories",
    about: "List the indexed repositories.",
    input: {},
    output: { repositories: list("name") },
  },
  {
    name: "search",
    title: "Search code",
    about:
      "Find code by words, a question or an identifier. Returns ranked pieces of code with path, lines, symbol. Start here.",
    input: {
      query: text(),
      limit: LIMIT,
      mode: oneOf("auto", "lexical", "vector", "hybrid"),
      languages: LANGUAGES,
      paths: PATHS,
      kinds: words("function, class, method, …"),
      max_tokens: count("whole code, within this token budget"),
      repo: text("* searches all"),
      cursor: CURSOR,
    },
    required: ["query"],
    output: { hits: list("path", "start_line", "end_line") },
  },
  {
    name: "query",
    title: "Search flows",
    about:
      "Like search, grouped by execution flows: chains of calls that match a question, and definitions outside them.",
    input: {
      query: text(),
      limit: LIMIT,
      languages: LANGUAGES,
      paths: PATHS,
      max_bytes: BYTES,
      repo: REPO,
      cursor: CURSOR,
    },
    required: ["query"],
    output: { processes: list("summary", "step_count"), definitions: list("symbol") },
  },
  {
    name: "context",
    title: "Symbol in context",
    about:
      "Everything about one symbol: definition, callers, callees, other relations with confidence, members, flows.",
    input: {
      symbol: SYMBOL,
      tests: flag("include relations from tests"),
      min_confidence: SURE,
      limit: LIMIT,
      max_bytes: BYTES,
      repo: REPO,
      cursor: CURSOR,
    },
    required: ["symbol"],
    output: {
      symbol: { type: "object" },
      incoming: list("kind"),
      outgoing: list("kind"),
      candidates: list("selector"),
    },
  },
  {
    name: "impact",
    title: "Blast radius",
    about:
      "What breaks if a symbol changes, by depth: 1 will break, 2 likely affected, 3 may need tests; risk, flows. Use before every change.",
    input: {
      symbol: SYMBOL,
      direction: oneOf("upstream", "downstream"),
      depth: { type: "integer", minimum: 0 },
      min_confidence: SURE,
      kinds: words("edge kinds: CALLS, …"),
      tests: TESTS,
      limit: LIMIT,
      max_bytes: BYTES,
      repo: REPO,
      cursor: CURSOR,
    },
    required: ["symbol"],
    output: { risk: { type: "object" }, by_depth: list("depth", "total"), candidates: list("selector") },
  },
  {
    name: "trace",
    title: "Trace a path",
    about: "How one symbol leads to another: calls, nested functions, callbacks, implementations.",
    input: { from: SYMBOL, to: SYMBOL, max_depth: count(), kinds: words("edge kinds"), limit: LIMIT, repo: REPO },
    required: ["from", "to"],
    output: { direction: { type: "string" }, paths: list("steps") },
  },
  {
    name: "detect_changes",
    title: "Effects of a change",
    about:
      "Effects of a change: changed symbols, affected flows, dependants, risk. Without diff: git's diff of the work tree. Use before every commit.",
    input: {
      diff: text("unified diff"),
      staged: flag("only staged changes"),
      base: text("commit or branch to compare with"),
      depth: { type: "integer", minimum: 0 },
      tests: TESTS,
      limit: LIMIT,
      max_bytes: BYTES,
      repo: REPO,
      cursor: CURSOR,
    },
    output: { summary: { type: "object" }, changed_symbols: list("symbol", "change_type") },
  },
  {
    name: "rename",
    title: "Rename a symbol",
    about: "Rename a symbol everywhere: edits and a diff. Writes files only with apply: true; check the edits first.",
    input: {
      symbol: SYMBOL,
      new_name: text(),
      text_search: {
        ...oneOf("off", "review", "apply"),
        description: "the same word in comments, strings, unresolved code",
      },
      apply: flag("write; default false"),
      paths: PATHS,
      limit: LIMIT,
      max_bytes: BYTES,
      repo: REPO,
      cursor: CURSOR,
    },
    required: ["symbol", "new_name"],
    output: { changes: list("path", "edits"), applied: { type: "boolean" } },
    changes: true,
  },
  {
    name: "cypher",
    title: "Query the graph",
    about:
      "Run a read-only openCypher query, e.g. MATCH (a:Function)-[:CALLS]->(b {name: $n}) RETURN a.path, a.name. Labels and properties: resource portolan://REPO/schema.",
    input: {
      query: text(),
      parameters: { type: "object" },
      limit: LIMIT,
      timeout_ms: count(),
      max_bytes: BYTES,
      repo: REPO,
    },
    required: ["query"],
    output: { columns: { type: "array" }, rows: { type: "array" } },
  },
  {
    name: "code_intelligence",
    title: "One relation of a symbol",
    about:
      "Definitions, uses, callers, callees, similar code, neighbourhood (graph), or callers and uses (query) of a symbol.",
    input: {
      command: oneOf("find", "refs", "callers", "callees", "similar", "graph", "query"),
      symbol: SYMBOL,
      depth: count(),
      min_confidence: SURE,
      limit: LIMIT,
      repo: REPO,
    },
    required: ["command", "symbol"],
    output: { command: { type: "string" } },
  },
  {
    name: "repo_map",
    title: "Repository map",
    about: "Files and their definitions within a token budget. Use first in an unknown repository.",
    input: {
      max_tokens: count("default 1024"),
      order: oneOf("symbols", "centrality"),
      paths: PATHS,
      languages: LANGUAGES,
      repo: REPO,
    },
    output: { text: { type: "string" }, n_tokens: { type: "integer" } },
  },
  {
    name: "read_code",
    title: "Read code",
    about: "Source text with line numbers: a symbol, or lines of a file. Prefer a symbol to whole files.",
    input: {
      symbol: SYMBOL,
      path: text(),
      start_line: count(),
      end_line: count(),
      max_bytes: BYTES,
      repo: REPO,
      cursor: CURSOR,
    },
    output: {
      path: { type: "string" },
      start_line: { type: "integer" },
      end_line: { type: "integer" },
      text: { type: "string" },
    },
  },
  {
    name: "structural_search",
    title: "Structural search",
    about: "Find code by a pattern with metavariables, foo($A, $$$REST), or by a tree-sitter query.",
    input: {
      pattern: text("code with metavariables"),
      query: text("tree-sitter query"),
      constraints: {
        type: "array",
        items: { type: "object", required: ["name"] },
        description: "{name, regex | not_regex | kinds} per metavariable",
      },
      languages: LANGUAGES,
      paths: PATHS,
      limit: LIMIT,
      max_millis: count(),
      repo: REPO,
      cursor: CURSOR,
    },
    output: { matches: list("path", "start_line", "end_line") },
  },
  {
    name: "status",
    title: "Index status",
    about: "Contents of an index: files, languages, symbols, edges, model, skipped files; whether it is stale.",
    input: { repo: REPO },
    output: { name: { type: "string" }, n_files: { type: "integer" }, n_symbols: { type: "integer" } },
  },
];

/** The tools that a host can offer. */
export function toolsFor(can: Abilities): ToolSpec[] {
  return DRAFTS.filter(({ name }) => can.structural || name !== "structural_search").map((draft) => specOf(draft, can));
}

/** Arguments that need a work tree. */
const OF_FILES: Readonly<Record<string, readonly string[]>> = { detect_changes: ["staged", "base"], rename: ["apply"] };

function specOf({ name, title, about, input, required, output, changes }: Draft, { files }: Abilities): ToolSpec {
  const hidden = files ? [] : (OF_FILES[name] ?? []);
  const properties = Object.fromEntries(Object.entries(input).filter(([key]) => !hidden.includes(key)));
  const needed = name === "detect_changes" && !files ? ["diff"] : required;
  const writes = changes === true && files;
  return {
    name,
    description: files
      ? about
      : about
          .replace(" Without diff: git's diff of the work tree.", "")
          .replace(" Writes files only with apply: true; check the edits first.", ""),
    inputSchema: { type: "object", properties, ...(needed && { required: needed }), additionalProperties: false },
    outputSchema: { type: "object", properties: output, required: requiredOf(name, output) },
    annotations: writes
      ? { title, readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false }
      : { title, readOnlyHint: true, openWorldHint: false },
  };
}

/** Fields that every answer has; all that are listed, but for lists of what there may be none. */
function requiredOf(name: string, output: Readonly<Record<string, Schema>>): string[] {
  return Object.keys(output).filter((field) => field !== "candidates" && !(name === "rename" && field === "applied"));
}
