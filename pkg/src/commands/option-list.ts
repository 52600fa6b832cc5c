/** Every option: its type, what its value is called, and one line about it. Which command takes which: `command-list.ts`. */

import { SHARED_OPTIONS } from "./shared-options.js";

/** The description of an option. */
export interface OptionAbout {
  /** The name of its value in help. */
  readonly value?: string;
  readonly about: string;
  /** Its values, where they are few. */
  readonly choices?: readonly string[];
  /** How a shell completes its value. */
  readonly complete?: "file" | "folder";
}

const EDGES = ["CALLS", "REFERENCES", "IMPORTS", "EXTENDS", "IMPLEMENTS", "CONTAINS", "DEFINES", "HAS_METHOD"] as const;
const KINDS = [
  "function",
  "method",
  "class",
  "struct",
  "enum",
  "trait",
  "interface",
  "type",
  "constant",
  "variable",
  "field",
  "macro",
  "module",
] as const;

export const OPTIONS = {
  // every command
  help: { type: "boolean", short: "h", about: "show what the command does, its options and examples" },
  version: { type: "boolean", about: "the version" },
  json: { type: "boolean", about: "JSON on stdout instead of text" },
  quiet: { type: "boolean", short: "q", about: "no progress, no notes" },
  color: {
    type: "string",
    value: "WHEN",
    choices: ["auto", "always", "never"],
    about: "colours: auto (a terminal), always, never",
  },
  config: {
    type: "string",
    value: "FILE",
    complete: "file",
    about: "use this settings file instead of the nearest portolan.toml",
  },
  // every question
  index: {
    type: "string",
    short: "i",
    value: "FILE",
    complete: "file",
    about: "the index (default .portolan/index.portolan of this folder or one above)",
  },
  passphrase: { type: "boolean", about: "the index is encrypted: ask for its passphrase on the terminal" },
  "passphrase-file": {
    type: "string",
    value: "FILE",
    complete: "file",
    about: "read the passphrase from the first line of FILE; - is stdin",
  },
  limit: { type: "string", short: "n", value: "N", about: "maximum number of results" },
  offset: { type: "string", value: "N", about: "number of results to skip" },
  "max-bytes": { type: "string", value: "N", about: "maximum size of the answer in bytes; shortens its lists" },
  // agents
  "claude-code": { type: "boolean", about: "Claude Code" },
  cursor: { type: "boolean", about: "Cursor" },
  opencode: { type: "boolean", about: "OpenCode" },
  codex: { type: "boolean", about: "Codex" },
  gemini: { type: "boolean", about: "Gemini CLI" },
  vscode: { type: "boolean", about: "VS Code" },
  copilot: { type: "boolean", about: "Copilot CLI" },
  npx: { type: "boolean", about: "start the server with npx at this version instead of by its path" },
  "dry-run": { type: "boolean", about: "show the changes without making them" },
  undo: { type: "boolean", about: "remove what set-up added" },
  "no-watch": { type: "boolean", about: "build and update no index; answer from those that are there" },
  http: { type: "boolean", about: "answer over HTTP instead of stdin and stdout" },
  "token-file": {
    type: "string",
    value: "FILE",
    complete: "file",
    about: "answer only requests with the token in the first line of FILE",
  },
  // trust
  list: { type: "boolean", about: "everything trusted" },
  revoke: { type: "boolean", about: "revoke the trust" },
  yes: { type: "boolean", about: "trust the listed settings without asking" },
  // index
  output: { type: "string", short: "o", value: "FILE", complete: "file", about: "where to write" },
  full: { type: "boolean", about: "index every file again, even if there is an index" },
  "no-hints": {
    type: "boolean",
    about: "read every file to detect changes, instead of trusting size and time",
  },
  "no-overlay": {
    type: "boolean",
    about: "in a git worktree too, write a whole index instead of the difference from the first worktree's",
  },
  engine: {
    type: "string",
    value: "WHICH",
    choices: ["auto", "native", "wasm"],
    about: "index with: auto (the native program where there is one), native, wasm",
  },
  shards: {
    type: "string",
    value: "N",
    about: "make an index in about N shards, each a file beside the root: for folders that one memory does not hold",
  },
  "memory-budget": {
    type: "string",
    value: "MB",
    about: "make an index in shards, as many as it takes to stay within about MB megabytes of memory",
  },
  debounce: { type: "string", value: "MS", about: "milliseconds without changes before an update (default 1000)" },
  name: { type: "string", value: "NAME", about: "name of the index (default: the folder's name)" },
  workers: {
    type: "string",
    value: "N",
    about: "parsing threads beside the first (default: other cores, at most 8, and the first one parses, too)",
  },
  embeddings: { type: "boolean", about: "compute vectors even if the settings turn them off" },
  "no-embeddings": { type: "boolean", about: "no vectors: words, names and graph only" },
  approximate: {
    type: "boolean",
    about: "build an HNSW graph for approximate vector search; for 300,000 chunks and more; takes minutes",
  },
  model: {
    type: "string",
    value: "DIR",
    complete: "folder",
    about: "your own embedding model: model.onnx and tokenizer.json; use the same for queries",
  },
  exclude: {
    type: "string",
    multiple: true,
    value: "PATTERN",
    about: "exclude paths that match, by the rules of .gitignore; may be repeated",
  },
  include: {
    type: "string",
    multiple: true,
    value: "FOLDER",
    complete: "folder",
    about: "include only these folders and files; may be repeated",
  },
  "only-language": {
    type: "string",
    multiple: true,
    value: "L",
    about: "include only files of this language; may be repeated",
  },
  "max-file-bytes": { type: "string", value: "N", about: "skip larger files (default 2097152)" },
  "max-files": { type: "string", value: "N", about: "skip files beyond this number (default 100000)" },
  api: {
    type: "string",
    value: "ADDRESS",
    about: "base address of the host's API: GitHub Enterprise, your own GitLab",
  },
  "npm-registry": { type: "string", value: "ADDRESS", about: "npm registry (default: the one in your .npmrc)" },
  "crate-registry": {
    type: "string",
    value: "ADDRESS",
    about: "sparse registry of crates (default: cargo's settings)",
  },
  "no-default-excludes": { type: "boolean", about: "include node_modules, target, vendor, dist, …, too" },
  "include-generated": { type: "boolean", about: "include generated files, too" },
  "chunk-target": {
    type: "string",
    value: "N",
    about: "merge neighbours up to N characters other than white space (default 600)",
  },
  "chunk-max": { type: "string", value: "N", about: "split larger pieces (default 1200)" },
  "chunk-min": { type: "string", value: "N", about: "merge smaller pieces with a neighbour (default 100)" },
  scip: {
    type: "string",
    multiple: true,
    value: "FILE",
    complete: "file",
    about: "a compiler's index of the files: SCIP (.scip, .scip.gz); may be repeated",
  },
  grammar: {
    type: "string",
    multiple: true,
    value: "FILE",
    complete: "file",
    about: "add a language: its tree-sitter-NAME.wasm; may be repeated",
  },
  queries: {
    type: "string",
    multiple: true,
    value: "DIR",
    complete: "folder",
    about: "its symbols.scm (or tags.scm), references.scm, highlights.scm; once for each --grammar",
  },
  extensions: {
    type: "string",
    multiple: true,
    value: "x,y",
    about: "its file extensions; once for each --grammar",
  },
  // assets
  languages: {
    type: "string",
    value: "A,B",
    about: "only grammars of these languages (default all)",
  },
  onnx: { type: "boolean", about: "include the runtime for your own models, 18 MB" },
  // search
  batch: {
    type: "string",
    value: "FILE",
    complete: "file",
    about: 'many queries: one {"query": …} per line in, one answer per line out; - is stdin',
  },
  mode: {
    type: "string",
    value: "MODE",
    choices: ["auto", "lexical", "vector", "hybrid", "ast", "graph", "all"],
    about: "search layers to use, instead of those that the query suggests",
  },
  fusion: {
    type: "string",
    value: "F",
    choices: ["weighted", "rrf"],
    about: "merge words and meaning by score (weighted, with vector_share) or by rank (rrf, with rrf_k)",
  },
  "node-type": {
    type: "string",
    multiple: true,
    value: "T",
    about: "only chunks cut at this kind of syntax node, such as function_item; may be repeated",
  },
  "min-complexity": { type: "string", value: "N", about: "only definitions of this cyclomatic complexity or more" },
  "max-complexity": { type: "string", value: "N", about: "only definitions of this cyclomatic complexity or less" },
  "similarity-threshold": {
    type: "string",
    value: "C",
    about: "minimum cosine similarity to the query, 0 to 1; needs vectors",
  },
  language: { type: "string", multiple: true, value: "L", about: "only this language; may be repeated" },
  path: { type: "string", multiple: true, value: "GLOB", about: "only these paths, !GLOB excludes; may be repeated" },
  kind: { type: "string", value: "KIND", choices: KINDS, about: "only definitions of this kind" },
  weight: {
    type: "string",
    multiple: true,
    value: "NAME=X",
    about: "a ranking weight, such as test_penalty=1; may be repeated",
  },
  explain: { type: "boolean", about: "explain each score" },
  rerank: {
    type: "string",
    value: "DIR",
    complete: "folder",
    about: "rerank the first hits with a cross-encoder (model.onnx, tokenizer.json)",
  },
  "rerank-top": { type: "string", value: "N", about: "number of hits to rerank (default 20)" },
  repo: {
    type: "string",
    multiple: true,
    value: "NAME",
    about: "search this indexed repository of this machine, * for all; may be repeated",
  },
  clear: { type: "boolean", about: "forget all searches" },
  // graph
  depth: { type: "string", value: "N", about: "maximum number of steps" },
  direction: {
    type: "string",
    value: "D",
    choices: ["out", "in", "both"],
    about: "out (dependencies), in (dependants), both",
  },
  order: { type: "string", value: "O", choices: ["breadth", "depth"], about: "breadth or depth first" },
  edge: {
    type: "string",
    multiple: true,
    value: "KIND",
    choices: EDGES,
    about: "follow only CALLS, IMPORTS, …; * for all; may be repeated",
  },
  node: {
    type: "string",
    multiple: true,
    value: "KIND",
    choices: ["file", "folder", ...KINDS],
    about: "enter only file, function, class, …; may be repeated",
  },
  entry: {
    type: "string",
    multiple: true,
    value: "KIND",
    choices: ["main", "route", "handler", "exported", "uncalled", "test"],
    about: "only flows with this kind of entry point; may be repeated",
  },
  "min-confidence": { type: "string", value: "C", about: "minimum confidence of relations, 0 to 1" },
  // changes
  tests: {
    type: "string",
    value: "T",
    choices: ["include", "exclude", "only"],
    about: "dependants in test code",
  },
  staged: { type: "boolean", about: "only staged changes, instead of everything since the last commit" },
  base: { type: "string", value: "REF", about: "everything since this commit, branch or tag" },
  diff: {
    type: "string",
    value: "FILE",
    complete: "file",
    about: "a unified diff instead of git's; - is stdin",
  },
  text: {
    type: "string",
    value: "T",
    choices: ["off", "review", "apply"],
    about: "the same word in comments, strings and unresolved code",
  },
  apply: { type: "boolean", about: "write the files, if none has changed since it was indexed" },
  force: { type: "boolean", about: "write although the new name is taken in some places" },
  // structural search
  "ignore-case": { type: "boolean", about: "ignore upper and lower case" },
  word: { type: "boolean", about: "match whole words only" },
  context: { type: "string", value: "N", about: "lines of context around each match" },
  "max-millis": { type: "string", value: "N", about: "time limit in milliseconds; returns what was found by then" },
  "tree-query": { type: "boolean", about: "PATTERN is a tree-sitter query" },
  where: {
    type: "string",
    multiple: true,
    value: "X",
    about: "NAME=EXPRESSION, NAME!=EXPRESSION or NAME:KIND for a metavariable; may be repeated",
  },
  strictness: {
    type: "string",
    value: "S",
    choices: ["cst", "smart", "ast", "relaxed", "signature"],
    about: "how strictly code must match the pattern",
  },
  tokens: { type: "string", value: "N", about: "token budget of the answer (default 1024)" },
  "budget-ratio": { type: "string", value: "R", about: "share of --tokens that code may take, 0 to 1 (default 1)" },
  "max-chunks": { type: "string", value: "N", about: "maximum number of chunks found, 1 to 100" },
  // tables and files
  format: {
    type: "string",
    value: "F",
    choices: ["graphml", "json", "csv", "dot", "mermaid", "svg"],
    about:
      "graphml (NetworkX, Gephi), json (nodes and links), csv (two tables), dot (Graphviz), mermaid, svg (a drawing)",
  },
  param: {
    type: "string",
    multiple: true,
    value: "NAME=VALUE",
    about: "a value for $NAME, as JSON or text; may be repeated",
  },
  timeout: { type: "string", value: "MS", about: "time limit in milliseconds (default 5000)" },
  "obfuscate-paths": { type: "boolean", about: "encrypt the snapshot's paths with the key" },
  "key-file": {
    type: "string",
    value: "FILE",
    complete: "file",
    about: "the key for the paths; export creates it if it does not exist",
  },
  "keep-texts": { type: "boolean", about: "include the sources; paths mentioned in them stay readable" },
  // chat
  llm: {
    type: "string",
    multiple: true,
    value: "PROVIDER:MODEL",
    about:
      "openai, anthropic, gemini, groq, openrouter, ollama or server, and its model; again for one that follows on failure",
  },
  "base-url": {
    type: "string",
    value: "URL",
    about: "address of the first provider, such as http://localhost:8080/v1",
  },
  linear: { type: "boolean", about: "search once and answer, without steps of the model" },
  steps: { type: "string", value: "N", about: "maximum number of requests with tools for a question (default 8)" },
  "code-tokens": { type: "string", value: "N", about: "with --linear: tokens of code that are sent (default 6000)" },
  "per-minute": { type: "string", value: "N", about: "maximum number of requests in a minute" },
  price: {
    type: "string",
    value: "IN,OUT",
    about: "price of a million tokens, read and written, for the count of costs",
  },
  "review-all": { type: "boolean", about: "show and confirm every request, not only the first" },
  continue: { type: "boolean", about: "continue the last conversation about this repository" },
  // site
  parts: {
    type: "boolean",
    about: "let the page fetch only the parts of the index that it reads; by default where the index is over 16 MB",
  },
  "site-url": {
    type: "string",
    value: "ADDRESS",
    about: "where the page will be: other sites show a picture for a link only with its whole address",
  },
  card: {
    type: "string",
    value: "FILE",
    complete: "file",
    about: "picture for links to the page, PNG, JPEG or WebP, best 1200 × 630 (default: a drawing in SVG)",
  },
  "for-team": {
    type: "boolean",
    about:
      "for a server of shared indexes (docs/shared.md): one with a login, versions and the page of its repositories",
  },
  port: { type: "string", value: "N", about: "port (default 8080; 0 for any free port)" },
  host: { type: "string", value: "ADDRESS", about: "address to listen on (default 127.0.0.1)" },
  "allow-host": {
    type: "string",
    multiple: true,
    value: "NAME",
    about: "also answer under this host name, for example a proxy's; may be repeated",
  },
  "base-path": { type: "string", value: "/PATH/", about: "serve below this path, as some hosts do" },
  ...SHARED_OPTIONS,
} as const;

export type OptionName = keyof typeof OPTIONS;
