/** Every command there is: help, completion and checks of the command line are made from this list. */

import type { OptionName } from "./option-list.js";

/** A command as the user sees it. What it does: `main.ts` finds it by its name. */
export interface CommandSpec {
  readonly name: string;
  readonly group: Group;
  /** In help, after the name: `SYMBOL`, `[PATH]`. */
  readonly operands: string;
  readonly summary: string;
  /** More than a line about it. */
  readonly more?: string;
  /** Beyond those that every command takes. */
  readonly options: readonly OptionName[];
  /** What an option means here, where it is another thing than elsewhere. */
  readonly here?: Partial<Record<OptionName, string>>;
  /** Command lines, each with what it asks. */
  readonly examples: readonly (readonly [line: string, what: string])[];
  /** What a shell completes operands by. */
  readonly complete?: "file" | "folder" | readonly string[];
}

export const GROUPS = [
  "Index",
  "Find",
  "Understand",
  "Change",
  "Walk the graph",
  "For agents",
  "Share",
  "This tool",
] as const;
export type Group = (typeof GROUPS)[number];

/** Options of every command. */
export const EVERYWHERE: readonly OptionName[] = ["json", "quiet", "color", "config", "help"];
/** Options of every question to an index. */
const ASKED: readonly OptionName[] = ["index", "passphrase", "passphrase-file"];
const FILTERS: readonly OptionName[] = ["language", "path"];
const PAGE: readonly OptionName[] = ["limit", "offset", "max-bytes"];
const WALK: readonly OptionName[] = ["direction", "edge", "node", "depth", "min-confidence", "limit"];
const OWN_GRAMMAR: readonly OptionName[] = ["grammar", "queries", "extensions"];
/** Options that say what becomes part of an index and how. */
export const INDEXING: readonly OptionName[] = [
  "name",
  "workers",
  "embeddings",
  "no-embeddings",
  "approximate",
  "model",
  "exclude",
  "include",
  "only-language",
  "max-file-bytes",
  "max-files",
  "no-default-excludes",
  "include-generated",
  "chunk-target",
  "chunk-max",
  "chunk-min",
  "scip",
  ...OWN_GRAMMAR,
];

const asked = (options: readonly OptionName[]): readonly OptionName[] => [...options, ...ASKED];

export const COMMAND_LIST: readonly CommandSpec[] = [
  {
    name: "index",
    group: "Index",
    operands: "[PATH]",
    summary: "index this repository, or a folder or an archive (.zip, .tar.gz)",
    more: "Without PATH it indexes the repository of this folder. The index is .portolan/index.portolan at its root; git ignores that folder. If an index exists, only changed files are read; the result is the same.",
    options: ["output", "full", "no-hints", ...INDEXING],
    here: { output: "where to write the index" },
    complete: "folder",
    examples: [
      ["portolan index", "this repository, from any of its folders"],
      ["portolan index vendor.zip -o vendor.portolan", "an archive, into a file"],
      ["portolan index --exclude '*.snap' --no-embeddings", "without vectors and without test snapshots"],
    ],
  },
  {
    name: "watch",
    group: "Index",
    operands: "[PATH]",
    summary: "keep the index up to date: read changed files within a second",
    more: "Builds the index first if there is none. Ctrl-C ends it; the index is saved during pauses and at the end.",
    options: ["output", "debounce", "full", "no-hints", ...INDEXING],
    here: { output: "where to write the index" },
    complete: "folder",
    examples: [
      ["portolan watch", "this repository"],
      ["portolan watch --debounce 200 --json", "shorter wait, one JSON line per change"],
    ],
  },
  {
    name: "status",
    group: "Index",
    operands: "",
    summary: "contents of the index and skipped files",
    options: asked([]),
    examples: [
      ["portolan status", "counts, languages, sizes, skipped files"],
      ["portolan status --json", "the same for programs"],
    ],
  },
  {
    name: "files",
    group: "Index",
    operands: "",
    summary: "the files in the index",
    options: asked([]),
    examples: [["portolan files", "paths, languages, lines, definitions"]],
  },

  {
    name: "search",
    group: "Find",
    operands: "QUERY",
    summary: "find code by words, a question or an identifier",
    options: asked([
      "limit",
      "offset",
      "mode",
      ...FILTERS,
      "kind",
      "weight",
      "explain",
      "batch",
      "model",
      "rerank",
      "rerank-top",
    ]),
    here: { kind: "only code that defines a symbol of this kind" },
    examples: [
      ["portolan search 'where is tax added'", "a question"],
      ["portolan search addTax --kind function -n 3", "an identifier"],
      ["portolan search 'retry' --path 'src/**' --path '!**/*.test.ts' --explain", "in some files, with the reasons"],
      ["portolan search --batch queries.jsonl --json", "many queries in one process"],
    ],
  },
  {
    name: "find",
    group: "Find",
    operands: "SYMBOL",
    summary: "definitions by name: add, Router.add, src/router.ts#add, src/router.ts:40",
    options: asked(["limit", "kind"]),
    examples: [
      ["portolan find Cart.total", "a method of a class"],
      ["portolan find src/tax.ts:4", "the definition around a line"],
    ],
  },
  {
    name: "refs",
    group: "Find",
    operands: "SYMBOL",
    summary: "uses of a symbol",
    options: asked(["limit", "kind"]),
    examples: [["portolan refs addTax", "every use, with the line"]],
  },
  {
    name: "callers",
    group: "Find",
    operands: "SYMBOL",
    summary: "callers of a symbol",
    options: asked(["depth", "limit", "kind"]),
    here: { depth: "levels of callers (default 1)" },
    examples: [["portolan callers addTax --depth 2", "callers and their callers"]],
  },
  {
    name: "callees",
    group: "Find",
    operands: "SYMBOL",
    summary: "functions that a symbol calls",
    options: asked(["depth", "limit", "kind"]),
    here: { depth: "levels of callees (default 1)" },
    examples: [["portolan callees Cart.total", "what it calls"]],
  },
  {
    name: "definition",
    group: "Find",
    operands: "FILE:LINE:COLUMN",
    summary: "where the name at a place is defined",
    options: asked([]),
    examples: [["portolan definition src/cart.ts:17:12", "line and column count from 1"]],
  },
  {
    name: "similar",
    group: "Find",
    operands: "SYMBOL",
    summary: "definitions with a similar meaning",
    options: asked(["limit"]),
    examples: [["portolan similar addTax", "by vectors"]],
  },
  {
    name: "regex",
    group: "Find",
    operands: "PATTERN",
    summary: "lines that match a regular expression",
    options: asked([...FILTERS, "ignore-case", "word", "context", "limit", "max-millis"]),
    examples: [
      ["portolan regex 'class \\w+' --language typescript", "in one language"],
      ["portolan regex todo --ignore-case --context 2", "with two lines of context"],
    ],
  },
  {
    name: "structural",
    group: "Find",
    operands: "PATTERN",
    summary: "structural search: foo($A), $$$ARGS for any number of nodes",
    options: asked([...FILTERS, "tree-query", "where", "strictness", "limit", "max-millis", ...OWN_GRAMMAR]),
    examples: [
      ["portolan structural 'addTax($NET)'", "every call with one argument"],
      ["portolan structural '$F($$$ARGS)' --where 'F=^add'", "calls of names that begin with add"],
    ],
  },
  {
    name: "outline",
    group: "Find",
    operands: "FILE",
    summary: "definitions of a file",
    options: asked([]),
    examples: [["portolan outline src/cart.ts", "names, kinds, lines"]],
  },
  {
    name: "text",
    group: "Find",
    operands: "FILE[:FROM-TO]",
    summary: "text of a file as indexed, or some of its lines",
    options: asked([]),
    examples: [["portolan text src/cart.ts:10-20", "ten lines"]],
  },
  {
    name: "chunks",
    group: "Find",
    operands: "FILE",
    summary: "the chunks of a file and their contents",
    options: asked([]),
    examples: [["portolan chunks src/cart.ts", "lines, scope, definitions, sizes"]],
  },

  {
    name: "assemble",
    group: "Understand",
    operands: "QUERY",
    summary: "code for a query with its callees, within a token budget",
    options: asked(["tokens", ...FILTERS]),
    examples: [["portolan assemble 'where is tax added' --tokens 2000", "for a prompt"]],
  },
  {
    name: "map",
    group: "Understand",
    operands: "",
    summary: "repository map: files and their definitions",
    options: asked(["tokens", "order", ...FILTERS]),
    here: { order: "symbols (most definitions first) or centrality" },
    examples: [["portolan map --tokens 500", "within 500 tokens"]],
  },
  {
    name: "context",
    group: "Understand",
    operands: "SYMBOL",
    summary: "everything about a symbol: relations in both directions, members, flows",
    options: asked([...PAGE, "min-confidence"]),
    examples: [["portolan context addTax", "everything about addTax"]],
  },
  {
    name: "query",
    group: "Understand",
    operands: "QUERY",
    summary: "execution flows that match a query, and definitions outside flows",
    options: asked([...PAGE, ...FILTERS, "model"]),
    examples: [["portolan query 'how is an order paid'", "flows first"]],
  },
  {
    name: "trace",
    group: "Understand",
    operands: "FROM TO",
    summary: "paths from one symbol to another, also through nested functions and callbacks",
    options: asked(["edge", "depth", "limit", "min-confidence"]),
    examples: [["portolan trace Checkout round", "step by step"]],
  },
  {
    name: "processes",
    group: "Understand",
    operands: "[SYMBOL]",
    summary: "execution flows, all or those through a symbol",
    options: asked(["entry", "limit"]),
    examples: [["portolan processes --entry route", "flows that begin with a route"]],
  },
  {
    name: "process",
    group: "Understand",
    operands: "PROCESS",
    summary: "one execution flow, by label or number, step by step",
    options: asked([]),
    examples: [["portolan process 0", "the first"]],
  },
  {
    name: "communities",
    group: "Understand",
    operands: "",
    summary: "communities (functional areas), the largest first",
    options: asked(["limit"]),
    examples: [["portolan communities", "all of them"]],
  },
  {
    name: "community",
    group: "Understand",
    operands: "COMMUNITY",
    summary: "one community, by label or number, with its members",
    options: asked(["limit"]),
    examples: [["portolan community 0", "the largest"]],
  },
  {
    name: "code-intelligence",
    group: "Understand",
    operands: "COMMAND SYMBOL",
    summary: "find, refs, callers, callees, similar, graph or query in one command",
    options: asked(["depth", "limit", "min-confidence"]),
    complete: ["find", "refs", "callers", "callees", "similar", "graph", "query"],
    examples: [["portolan code-intelligence callers addTax --depth 2", "as agents ask"]],
  },

  {
    name: "impact",
    group: "Change",
    operands: "SYMBOL",
    summary: "what breaks if it changes, by depth, with a risk level",
    options: asked([...PAGE, "depth", "direction", "tests", "edge", "min-confidence"]),
    here: { direction: "upstream (its dependants) or downstream (its dependencies)" },
    examples: [["portolan impact addTax --depth 3 --tests exclude", "without test code"]],
  },
  {
    name: "changes",
    group: "Change",
    operands: "",
    summary: "effects of your change: symbols, flows, dependants, risk",
    options: asked(["staged", "base", "diff", "depth", "tests", ...PAGE, "min-confidence"]),
    examples: [
      ["portolan changes", "everything since the last commit"],
      ["portolan changes --base main", "a branch"],
      ["git diff | portolan changes --diff -", "any diff"],
    ],
  },
  {
    name: "rename",
    group: "Change",
    operands: "SYMBOL NAME",
    summary: "rename a symbol everywhere: as a diff, or written into the files",
    options: asked(["text", "apply", "path", ...PAGE, "min-confidence"]),
    here: { text: "the same word elsewhere: off, review (shown), apply" },
    examples: [
      ["portolan rename addTax addVat", "the diff"],
      ["portolan rename addTax addVat --apply", "written"],
    ],
  },

  {
    name: "traverse",
    group: "Walk the graph",
    operands: "SYMBOL",
    summary: "everything within reach of a symbol, file, folder or package, step by step",
    options: asked([...WALK, "order"]),
    examples: [["portolan traverse Cart.total --direction in --depth 3", "dependants, three levels deep"]],
  },
  {
    name: "graph",
    group: "Walk the graph",
    operands: "SYMBOL",
    summary: "neighbourhood of a symbol with its edges; alias: subgraph",
    options: asked(WALK),
    examples: [["portolan graph src/cart.ts --depth 1", "around a file"]],
  },
  {
    name: "subgraph",
    group: "Walk the graph",
    operands: "SYMBOL",
    summary: "alias of graph",
    options: asked(WALK),
    examples: [["portolan subgraph addTax", "around a function"]],
  },
  {
    name: "paths",
    group: "Walk the graph",
    operands: "FROM TO",
    summary: "paths from one symbol to another, the shortest first",
    options: asked(WALK),
    examples: [["portolan paths Checkout addTax --limit 3", "the three shortest"]],
  },
  {
    name: "cycles",
    group: "Walk the graph",
    operands: "[SYMBOL]",
    summary: "cycles of calls; with --edge IMPORTS --node file, import cycles",
    options: asked(["edge", "node", "depth", "min-confidence", "limit"]),
    examples: [["portolan cycles --edge IMPORTS --node file", "files that import one another"]],
  },
  {
    name: "cypher",
    group: "Walk the graph",
    operands: "QUERY",
    summary: "run a read-only Cypher query on the graph",
    options: asked(["param", "timeout", "limit", "max-bytes"]),
    examples: [
      [
        "portolan cypher 'MATCH (f:Function)-[:CALLS]->(g {name: $name}) RETURN f.path, f.name' --param name=addTax",
        "callers, as a table",
      ],
    ],
  },
  {
    name: "edges",
    group: "Walk the graph",
    operands: "",
    summary: "every resolved edge of the code graph, one per line (JSON)",
    options: asked([]),
    examples: [["portolan edges > edges.jsonl", "the whole graph"]],
  },
  {
    name: "ask",
    group: "Walk the graph",
    operands: "TOOL JSON",
    summary: "call any tool by name, as over HTTP; - reads the request from stdin",
    options: asked([]),
    examples: [['portolan ask impact \'{"symbol": "addTax"}\'', "a request in JSON"]],
  },

  {
    name: "mcp",
    group: "For agents",
    operands: "[FOLDER…]",
    summary: "MCP server of the tools for agents, over stdin and stdout",
    more: "Answers about the repository of the working folder, and about every other repository indexed on this machine; with FOLDER… about these only.",
    options: ["index"],
    complete: "folder",
    examples: [
      ["portolan mcp", "as clients start it; portolan setup configures them"],
      ["portolan mcp ../shop ../api", "two repositories"],
    ],
  },
  {
    name: "setup",
    group: "For agents",
    operands: "",
    summary: "add Portolan to the agents on this machine: server, search hook, skills",
    more: "Without a client's name: all agents found. Everything else in their settings stays unchanged; --undo removes only what set-up added.",
    options: ["claude-code", "cursor", "opencode", "codex", "gemini", "vscode", "copilot", "npx", "dry-run", "undo"],
    examples: [
      ["portolan setup --dry-run", "what would change"],
      ["portolan setup --claude-code --cursor", "these two"],
      ["portolan setup --undo", "remove it"],
    ],
  },
  {
    name: "augment",
    group: "For agents",
    operands: "PATTERN",
    summary: "index results for a search pattern; prints nothing if there are none",
    options: [],
    examples: [["portolan augment validateUser", "symbols, callers, callees, flows"]],
  },
  {
    name: "hook",
    group: "For agents",
    operands: "",
    summary: "augment for a PreToolUse event of an agent: JSON on stdin and stdout, never an error",
    options: [],
    examples: [["portolan hook < event.json", "as Claude Code runs it"]],
  },

  {
    name: "export",
    group: "Share",
    operands: "[SYMBOL]",
    summary: "the graph for other tools; or a snapshot to share, encrypted or with encrypted paths",
    more: "With --format: the graph, or the neighbourhood of SYMBOL. With --passphrase or --obfuscate-paths: a snapshot, to -o FILE.",
    options: asked(["format", "output", "path", ...WALK, "obfuscate-paths", "key-file", "keep-texts"]),
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
  {
    name: "import",
    group: "Share",
    operands: "FILE",
    summary: "use an exported snapshot as the index of this folder",
    options: ["output", "key-file", "passphrase", "passphrase-file"],
    here: {
      output: "where to write the snapshot (default .portolan/index.portolan)",
      "key-file": "the key for its paths",
    },
    complete: "file",
    examples: [
      ["portolan import shop.sealed", "asks for the passphrase"],
      ["portolan import shop.portolan --key-file shop.key", "decrypts its paths"],
    ],
  },
  {
    name: "reveal",
    group: "Share",
    operands: "PATH…",
    summary: "decrypt paths with their key",
    options: ["key-file"],
    here: { "key-file": "the key for the paths" },
    examples: [["portolan reveal --key-file shop.key 5f1c…/9a0e…", "one path"]],
  },
  {
    name: "build",
    group: "Share",
    operands: "[PATH]",
    summary: "write the explorer page with the index, for any static host",
    options: ["output", "index", ...INDEXING],
    here: { output: "the folder (default site)", index: "an existing index to show" },
    complete: "folder",
    examples: [
      ["portolan build", "this repository, into site/"],
      ["portolan build --index shop.portolan -o public", "an existing index"],
    ],
  },
  {
    name: "serve",
    group: "Share",
    operands: "[FOLDER]",
    summary: "serve a built page on this machine",
    options: ["port", "host", "allow-host", "base-path"],
    here: {},
    complete: "folder",
    examples: [
      ["portolan serve", "site/ on http://127.0.0.1:8080/"],
      ["portolan serve public --port 3000 --base-path /docs/code/", "below a path, as on some hosts"],
    ],
  },

  {
    name: "assets",
    group: "Share",
    operands: "",
    summary: "write the files that your own page loads: workers, wasm, grammars, the model",
    more: 'For builds with esbuild or Rollup, and for pages without a build: createPortolan({ assets: "/portolan/" }) of portolan/core loads them from there. Replaces a folder that it wrote before, and no other.',
    options: ["output", "languages", "no-embeddings", "onnx"],
    here: { output: "the folder (default public/portolan)", "no-embeddings": "without the model for semantic search" },
    examples: [
      ["portolan assets", "everything except the runtime for your own models, into public/portolan"],
      ["portolan assets --languages python,rust -o dist/portolan", "two languages"],
    ],
  },
  {
    name: "create-worker",
    group: "Share",
    operands: "DIR",
    summary: "write a Cloudflare Worker that answers over HTTP, ready for wrangler",
    more: "Writes wrangler.jsonc, worker.mjs, package.json and a README with the steps. Never overwrites a file.",
    options: [],
    complete: "folder",
    examples: [["portolan create-worker code-search", "in a new folder"]],
  },

  {
    name: "config",
    group: "This tool",
    operands: "",
    summary: "effective settings and the source of each",
    options: ["index", "limit", "mode", ...INDEXING, "tokens", "max-bytes", "min-confidence"],
    examples: [
      ["portolan config", "a table"],
      ["portolan config --json", "for programs"],
      ["portolan config --workers 2", "with an option"],
    ],
  },
  {
    name: "trust",
    group: "This tool",
    operands: "[FOLDER]",
    summary: "allow a repository's settings to load, read or write files: lists them, then asks",
    more: "Settings that are only data need no trust. A model, a grammar, a SCIP index, another place for the index and unusually large limits take effect once you trust them, until they or their files change.",
    options: ["yes", "list", "revoke"],
    complete: "folder",
    examples: [
      ["portolan trust", "the settings of portolan.toml with the digest of each file; then asks"],
      ["portolan trust --list", "everything trusted"],
      ["portolan trust --revoke", "revoke the trust"],
    ],
  },
  {
    name: "completion",
    group: "This tool",
    operands: "SHELL",
    summary: "a completion script: bash, zsh, fish",
    options: [],
    complete: ["bash", "zsh", "fish"],
    examples: [
      ["source <(portolan completion bash)", "in ~/.bashrc"],
      ["portolan completion fish > ~/.config/fish/completions/portolan.fish", "once"],
    ],
  },
  {
    name: "help",
    group: "This tool",
    operands: "[COMMAND]",
    summary: "this list, or the help of a command",
    options: [],
    examples: [["portolan help search", "same as portolan search --help"]],
  },
];

/** The command of this name. */
export function commandNamed(name: string): CommandSpec | undefined {
  return COMMAND_LIST.find((command) => command.name === name);
}

/** All options of a command. */
export function optionsOf({ options }: CommandSpec): OptionName[] {
  return [...new Set([...options, ...EVERYWHERE])];
}
