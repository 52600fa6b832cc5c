/** Every command there is: help, completion and checks of the command line are made from this list. */

import { ASKED, EVERYWHERE, INDEXING, type CommandSpec } from "./command-spec.js";
import type { OptionName } from "./option-list.js";
import { toolCommands } from "./tools/tools.js";

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
  ...toolCommands("Index"),

  ...toolCommands("Find"),
  ...toolCommands("Understand"),
  ...toolCommands("Change"),
  ...toolCommands("Walk the graph"),
  {
    name: "ask",
    group: "Walk the graph",
    operands: "TOOL JSON",
    summary: "call any tool by name, as over HTTP; - reads the request from stdin",
    options: ASKED,
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

  ...toolCommands("Share"),
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
