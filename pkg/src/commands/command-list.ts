/** Every command there is: help, completion and checks of the command line are made from this list. */

import { ASKED, EVERYWHERE, INDEXING, type CommandSpec } from "./command-spec.js";
import type { OptionName } from "./option-list.js";
import { toolCommands } from "./tools/tools.js";

export const COMMAND_LIST: readonly CommandSpec[] = [
  {
    name: "index",
    group: "Index",
    operands: "[PATH | SOURCE]",
    summary: "index this repository, a folder, an archive, or a repository on another host",
    more: "Without PATH it indexes the repository of this folder. A SOURCE is owner/repo[@ref][/path] on GitHub, the address of a repository on GitHub, GitLab, Gitea or Codeberg, of an archive or a documentation site, npm:name@version or crate:name@version; its index is written here. PORTOLAN_TOKEN is sent to its API only. The index is .portolan/index.portolan at its root; git ignores that folder. If an index exists, only changed files are read; the result is the same.",
    options: ["output", "full", "no-hints", "engine", "api", "npm-registry", "crate-registry", ...INDEXING],
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
  {
    name: "generate",
    group: "Understand",
    operands: "KIND",
    summary: "write a document about the repository: product, developer, stories, guide, refactor",
    more: "Made from the graph alone: each sentence links to a definition, a use or a line, and links that the index does not confirm are left out. product and developer are specifications, stories are user stories with the tests that describe them, guide is for newcomers, refactor proposes clean-ups with diffs that are shown and never applied. With --llm a language model writes the chapters; its sentences are kept only where they link to what the chapter cites, and what is sent is shown first. Keys are those of chat.",
    options: ["output", "llm", "base-url", "per-minute", "yes", "dry-run", ...ASKED],
    here: {
      output: "where to write the Markdown (default: stdout)",
      yes: "send without asking",
      "dry-run": "show what would be sent, and send nothing",
    },
    complete: ["product", "developer", "stories", "guide", "refactor"],
    examples: [
      ["portolan generate guide", "a guide for newcomers"],
      ["portolan generate refactor -o proposals.md", "proposals to clean up, into a file"],
      ["portolan generate guide --llm ollama:qwen3 --dry-run", "what a model on this machine would get"],
    ],
  },
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
    name: "chat",
    group: "Understand",
    operands: "[QUESTION]",
    summary: "ask a language model about the code; off until you name one",
    more: "The model asks for tools that only read the index; its answer names places, which are checked against the index. What is sent is shown before the first request, and pieces of it can be left out. Keys come from OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY, GROQ_API_KEY or OPENROUTER_API_KEY, each for its own host only; PORTOLAN_CHAT_KEY is for other servers. PORTOLAN_CHAT_LLM and PORTOLAN_CHAT_URL stand in for --llm and --base-url. Without QUESTION it asks on the terminal.",
    options: [
      "llm",
      "base-url",
      "linear",
      "steps",
      "code-tokens",
      "per-minute",
      "price",
      "review-all",
      "continue",
      "yes",
      "dry-run",
      ...ASKED,
    ],
    here: {
      yes: "send without asking",
      "dry-run": "show what would be sent, and send nothing",
    },
    examples: [
      ["portolan chat 'where is tax added?' --llm ollama:qwen3", "a model on this machine"],
      ["portolan chat 'where is tax added?' --llm anthropic:MODEL --llm groq:MODEL --yes", "another one if it fails"],
      ["portolan chat 'where is tax added?' --llm ollama:qwen3 --linear --dry-run", "what would be sent"],
    ],
  },
  {
    name: "mcp",
    group: "For agents",
    operands: "[FOLDER…]",
    summary: "MCP server of the tools for agents, over stdin and stdout or HTTP",
    more: "Answers about the repository of the working folder, and about every other repository indexed on this machine; with FOLDER… about these only. Builds the index of the working folder's repository if there is none, and updates it when files change; --no-watch and PORTOLAN_MCP_WATCH=false turn that off. With --http it answers at /mcp of this machine, to requests with the token of PORTOLAN_MCP_TOKEN or --token-file, if there is one.",
    options: ["index", "no-watch", "http", "port", "host", "allow-host", "token-file"],
    here: { port: "port (default 7333; 0 for any free port)" },
    complete: "folder",
    examples: [
      ["portolan mcp", "as clients start it; portolan setup configures them"],
      ["portolan mcp ../shop ../api", "two repositories"],
      ["portolan mcp --http --port 0", "over HTTP, at the address that it prints"],
    ],
  },
  {
    name: "setup",
    group: "For agents",
    operands: "",
    summary: "add Portolan to the agents on this machine: server, hooks, skills",
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
    operands: "[PROGRAM EVENT]",
    summary: "what the index knows at an event of an agent: JSON on stdin and stdout, never an error",
    more: "Events: start of a session or a sub-agent, a user's prompt, a search, an edit, as Claude Code, Codex, Cursor, Gemini CLI, Copilot CLI and OpenCode send them. PROGRAM and EVENT are for programs whose events do not tell their name.",
    options: [],
    examples: [
      ["portolan hook < event.json", "as Claude Code runs it"],
      ["portolan hook copilot sessionStart < event.json", "as Copilot CLI does"],
    ],
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
    options: ["output", "index", "parts", "for-team", ...INDEXING],
    here: {
      output: "the folder (default site)",
      index: "an existing index to show",
      "for-team":
        "the page alone, for a server of shared indexes: it opens the repositories of the server that gives it",
    },
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
    summary: "serve a built page, or shared indexes, on this machine",
    more: "With --shared it is a server of shared indexes instead: it takes versions from `portolan push`, gives them to `portolan pull`, and answers queries and agents about them, each within the rights of a token. docs/shared.md describes it.",
    options: [
      "port",
      "host",
      "allow-host",
      "base-path",
      "shared",
      "repo",
      "public",
      "origin",
      "audience",
      "audit-file",
      "passphrase-file",
      "per-minute",
    ],
    here: {
      "per-minute": "with --shared: requests of a token in a minute (default 1200)",
      repo: "with --shared: asked where a request names no repository",
      "passphrase-file":
        "with --shared: answer from encrypted indexes, too, with the passphrase in the first line of FILE",
    },
    complete: "folder",
    examples: [
      ["portolan serve", "site/ on http://127.0.0.1:8080/"],
      ["portolan serve public --port 3000 --base-path /docs/code/", "below a path, as on some hosts"],
      ["portolan serve --shared indexes", "shared indexes in a folder"],
    ],
  },
  {
    name: "push",
    group: "Share",
    operands: "",
    summary: "send the index to a server of shared indexes: only what changed",
    more: "The version is known by the commit and its tree, so the files must be those of the commit. The token is the one of PORTOLAN_SHARED_TOKEN or of `portolan token keep`; a job of GitHub Actions with `id-token: write` needs none. The name of the repository is that of --repo, of the CI job, or of the folder.",
    options: ["server", "repo", "index", "tag", "ref", "no-switch", "force"],
    here: { repo: "name of the repository on the server", force: "send it although files differ from the commit" },
    examples: [
      ["portolan push", "this repository"],
      ["portolan push --repo acme/shop --tag v1.2", "under another name, kept when old ones are pruned"],
      ["portolan push --no-switch --ref refs/pull/7/head", "for a pull request"],
    ],
  },
  {
    name: "pull",
    group: "Share",
    operands: "",
    summary: "take the nearest version of this repository from the server, then read only what differs",
    more: "Walks back from the commit that is checked out until the server has a version of the same files. Of that only what the present index lacks is fetched, compared with its digests, and used as the index of this repository; files that differ from the version are then indexed.",
    options: ["server", "repo", "at", "output", "no-update", "passphrase", "passphrase-file"],
    here: { repo: "name of the repository on the server", output: "write the version to FILE instead, as it is" },
    examples: [
      ["portolan pull", "this repository"],
      ["portolan pull --repo acme/shop --at v1.2 -o old.portolan", "a version by its tag, into a file"],
    ],
  },
  {
    name: "versions",
    group: "Share",
    operands: "",
    summary: "the versions of a repository on the server; switch to another one, delete old ones",
    options: ["server", "repo", "limit", "to", "prune", "keep", "days", "dry-run"],
    here: { repo: "name of the repository on the server", "dry-run": "with --prune: show what would be deleted" },
    examples: [
      ["portolan versions", "the newest ones, the current one marked"],
      ["portolan versions --repo acme/shop --to v1.2", "answer from that version"],
      ["portolan versions --prune --keep 20 --days 30 --dry-run", "what would be deleted"],
    ],
  },
  {
    name: "token",
    group: "Share",
    operands: "create | list | revoke ID | keep",
    summary: "tokens of a server of shared indexes",
    more: "create, list and revoke change the list in the place of the server (--shared); it has only digests of tokens, so a token is shown once. keep reads a token from stdin and keeps it, with the address of its server, in your own folder, readable by you alone.",
    options: ["shared", "name", "scope", "repo", "days", "ci", "ref", "issuer", "server"],
    here: {
      name: "a name for people",
      repo: "a pattern of repositories: acme/tools, acme/*, ** for all (default); may be repeated",
      days: "valid for N days (default: until it is revoked)",
      ref: "with --ci: only jobs of branches and tags that match, such as refs/heads/main",
    },
    complete: ["create", "list", "revoke", "keep"],
    examples: [
      ["portolan token create --shared indexes --name ci --scope write --repo 'acme/*'", "prints the token"],
      [
        "portolan token create --shared indexes --ci github:acme/tools --scope write",
        "jobs of that repository may push",
      ],
      ["portolan token list --shared indexes", "all of them"],
      ["portolan token keep --server http://127.0.0.1:8080 < token.txt", "for pull and push on this machine"],
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
    options: ["for-team"],
    here: { "for-team": "a server of shared indexes: with a login, versions from `portolan push`, and the page" },
    complete: "folder",
    examples: [
      ["portolan create-worker code-search", "in a new folder"],
      ["portolan create-worker team --for-team", "a server of shared indexes"],
    ],
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
    name: "history",
    group: "This tool",
    operands: "",
    summary: "searches made on this machine, and how long they took",
    more: "Kept in your own folder for data, never in a repository, and sent nowhere: the last 1000. CI keeps none, nor does PORTOLAN_HISTORY=false.",
    options: ["limit", "clear"],
    examples: [
      ["portolan history -n 5", "the last five"],
      ["portolan history --clear", "forget all"],
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
