/** Every option there is: its form, what its value is called, and one line about it. Which command takes which: `command-list.ts`. */

/** What an option says of itself beyond its form. */
export interface OptionAbout {
  /** What its value is called in help. */
  readonly value?: string;
  readonly about: string;
  /** Its values, where they are few. */
  readonly choices?: readonly string[];
  /** What a shell completes its value by. */
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
  help: { type: "boolean", short: "h", about: "what the command does, its options and examples" },
  version: { type: "boolean", about: "the version" },
  json: { type: "boolean", about: "JSON on stdout instead of text" },
  quiet: { type: "boolean", short: "q", about: "no progress, no notes" },
  color: {
    type: "string",
    value: "WHEN",
    choices: ["auto", "always", "never"],
    about: "colours: auto (a terminal), always, never",
  },
  config: { type: "string", value: "FILE", complete: "file", about: "settings instead of the nearest portolan.toml" },
  // every question
  index: {
    type: "string",
    short: "i",
    value: "FILE",
    complete: "file",
    about: "the index; .portolan/index.portolan of this folder or one above if absent",
  },
  passphrase: { type: "boolean", about: "the index is encrypted: ask for its passphrase on the terminal" },
  "passphrase-file": {
    type: "string",
    value: "FILE",
    complete: "file",
    about: "the passphrase is the first line of FILE; - is stdin",
  },
  limit: { type: "string", short: "n", value: "N", about: "at most so many results" },
  offset: { type: "string", value: "N", about: "leave out so many results first" },
  "max-bytes": { type: "string", value: "N", about: "lists end where the answer would be longer" },
  // agents
  "claude-code": { type: "boolean", about: "Claude Code" },
  cursor: { type: "boolean", about: "Cursor" },
  opencode: { type: "boolean", about: "OpenCode" },
  codex: { type: "boolean", about: "Codex" },
  gemini: { type: "boolean", about: "Gemini CLI" },
  vscode: { type: "boolean", about: "VS Code" },
  copilot: { type: "boolean", about: "Copilot CLI" },
  npx: { type: "boolean", about: "start the server with npx, at this version, instead of by its path" },
  "dry-run": { type: "boolean", about: "say what would change, and change nothing" },
  undo: { type: "boolean", about: "take back what was added" },
  // trust
  list: { type: "boolean", about: "all that is trusted" },
  revoke: { type: "boolean", about: "take trust back" },
  yes: { type: "boolean", about: "trust what is shown without being asked" },
  // index
  output: { type: "string", short: "o", value: "FILE", complete: "file", about: "where to write" },
  full: { type: "boolean", about: "index everything anew, though there is an index" },
  "no-hints": {
    type: "boolean",
    about: "read every file to see whether it changed, instead of trusting its size and time",
  },
  debounce: { type: "string", value: "MS", about: "wait until nothing has changed for so long; 1000 if absent" },
  name: { type: "string", value: "NAME", about: "name of the index; the folder's if absent" },
  workers: {
    type: "string",
    value: "N",
    about:
      "parsing threads beside the first one; if absent as many as there are other cores, at most 8, and the first one parses, too",
  },
  embeddings: { type: "boolean", about: "vectors, too, where the configuration turned them off" },
  "no-embeddings": { type: "boolean", about: "words, names and graph only" },
  approximate: { type: "boolean", about: "a graph over the vectors, for 300,000 chunks and more; takes minutes" },
  model: {
    type: "string",
    value: "DIR",
    complete: "folder",
    about: "an embedding model of your own: model.onnx and tokenizer.json; the same when asking",
  },
  exclude: {
    type: "string",
    multiple: true,
    value: "PATTERN",
    about: "leave out what matches, by the rules of .gitignore; may be repeated",
  },
  include: {
    type: "string",
    multiple: true,
    value: "FOLDER",
    complete: "folder",
    about: "take in only these folders and files; may be repeated",
  },
  "only-language": {
    type: "string",
    multiple: true,
    value: "L",
    about: "take in only files of this language; may be repeated",
  },
  "max-file-bytes": { type: "string", value: "N", about: "larger files are left out; 2097152 if absent" },
  "max-files": { type: "string", value: "N", about: "more files are left out; 100000 if absent" },
  "no-default-excludes": { type: "boolean", about: "take in node_modules, target, vendor, dist, …, too" },
  "include-generated": { type: "boolean", about: "take in files that programs wrote, too" },
  "chunk-target": {
    type: "string",
    value: "N",
    about: "neighbours are merged up to so many characters without white space; 600 if absent",
  },
  "chunk-max": { type: "string", value: "N", about: "larger pieces are split; 1200 if absent" },
  "chunk-min": { type: "string", value: "N", about: "smaller pieces join a neighbour; 100 if absent" },
  scip: {
    type: "string",
    multiple: true,
    value: "FILE",
    complete: "file",
    about: "what a compiler says of the files: a SCIP index (.scip, .scip.gz); may be repeated",
  },
  grammar: {
    type: "string",
    multiple: true,
    value: "FILE",
    complete: "file",
    about: "a language of your own: its tree-sitter-NAME.wasm; may be repeated",
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
    about: "the endings of its files; once for each --grammar",
  },
  // assets
  languages: {
    type: "string",
    value: "A,B",
    about: "only grammars of these languages; all if absent",
  },
  onnx: { type: "boolean", about: "with the runtime for models of your own, 18 MB" },
  // search
  batch: {
    type: "string",
    value: "FILE",
    complete: "file",
    about: 'many queries: one {"query": …} a line in, one answer a line out; - is stdin',
  },
  mode: {
    type: "string",
    value: "MODE",
    choices: ["auto", "lexical", "vector", "hybrid"],
    about: "which layers answer",
  },
  language: { type: "string", multiple: true, value: "L", about: "only this language; may be repeated" },
  path: { type: "string", multiple: true, value: "GLOB", about: "only these paths, !GLOB excludes; may be repeated" },
  kind: { type: "string", value: "KIND", choices: KINDS, about: "only definitions of this kind" },
  weight: {
    type: "string",
    multiple: true,
    value: "NAME=X",
    about: "a weight of the ranking, as test_penalty=1; may be repeated",
  },
  explain: { type: "boolean", about: "where each score comes from" },
  rerank: {
    type: "string",
    value: "DIR",
    complete: "folder",
    about: "a cross-encoder (model.onnx, tokenizer.json) puts the first hits in its order",
  },
  "rerank-top": { type: "string", value: "N", about: "hits that it looks at; 20 if absent" },
  // graph
  depth: { type: "string", value: "N", about: "at most so many steps" },
  direction: {
    type: "string",
    value: "D",
    choices: ["out", "in", "both"],
    about: "out (to what is used), in (to what uses it), both",
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
    about: "only those that begin with such an entry point; may be repeated",
  },
  "min-confidence": { type: "string", value: "C", about: "only relations as sure as this, 0 to 1" },
  // changes
  tests: {
    type: "string",
    value: "T",
    choices: ["include", "exclude", "only"],
    about: "test code among what depends on it",
  },
  staged: { type: "boolean", about: "what is staged, instead of everything since the last commit" },
  base: { type: "string", value: "REF", about: "everything since this commit, branch or tag" },
  diff: {
    type: "string",
    value: "FILE",
    complete: "file",
    about: "a unified diff instead of what git says; - is stdin",
  },
  text: { type: "string", value: "T", choices: ["off", "review", "apply"], about: "words that only look like it" },
  apply: { type: "boolean", about: "write the files, if none changed since it was indexed" },
  // forms
  "ignore-case": { type: "boolean", about: "upper case as lower" },
  word: { type: "boolean", about: "whole words" },
  context: { type: "string", value: "N", about: "lines around each" },
  "max-millis": { type: "string", value: "N", about: "what was found by then is the answer" },
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
    about: "what may differ",
  },
  tokens: { type: "string", value: "N", about: "size of the answer; 1024 if absent" },
  // tables and files
  format: {
    type: "string",
    value: "F",
    choices: ["graphml", "json", "csv", "dot", "mermaid"],
    about: "graphml (NetworkX, Gephi), json (nodes and links), csv (two tables), dot (Graphviz), mermaid",
  },
  param: {
    type: "string",
    multiple: true,
    value: "NAME=VALUE",
    about: "a value for $NAME: JSON, or else text; may be repeated",
  },
  timeout: { type: "string", value: "MS", about: "give up after so many milliseconds; 5000 if absent" },
  "obfuscate-paths": { type: "boolean", about: "a snapshot whose paths can be read only with the key" },
  "key-file": {
    type: "string",
    value: "FILE",
    complete: "file",
    about: "the key of the paths; made if it is not there (export)",
  },
  "keep-texts": { type: "boolean", about: "the sources stay in it; what they say of paths stays readable" },
  // site
  port: { type: "string", value: "N", about: "port; 8080 if absent, 0 for any that is free" },
  host: { type: "string", value: "ADDRESS", about: "address to listen on; 127.0.0.1 if absent" },
  "allow-host": {
    type: "string",
    multiple: true,
    value: "NAME",
    about: "answer under this name too, as that of a proxy; may be repeated",
  },
  "base-path": { type: "string", value: "/PATH/", about: "serve it below this path, as some hosts do" },
} as const;

export type OptionName = keyof typeof OPTIONS;
