/**
 * Every setting there is: its place in `portolan.toml`, the variable `PORTOLAN_…` and the option that go before it.
 *
 * A setting is the default of an option, so a command needs to know nothing of settings.
 */

import { optionsOf } from "../commands/command-list.js";
import type { CommandSpec } from "../commands/command-spec.js";
import type { OptionName } from "../commands/option-list.js";

/** The type of a value. `count` is a whole number from `min` on; `off` is a switch whose option turns it off; `numbers` is a table of
 * numbers by name, `NAME=X` each where it is an option. */
export type SettingType =
  | "text"
  | "file"
  | "folder"
  | "count"
  | "fraction"
  | "switch"
  | "off"
  | "list"
  | "files"
  | "folders"
  | "numbers";

export interface Setting {
  /** `table.key` of `portolan.toml`. */
  readonly key: string;
  readonly type: SettingType;
  readonly option: OptionName;
  /** Only of these commands; else of every command that has the option. */
  readonly commands?: readonly string[];
  readonly min?: number;
  /** The largest number that a repository can set without trust. */
  readonly max?: number;
  readonly choices?: readonly string[];
  /** The value without it. */
  readonly standard: string;
  readonly about: string;
}

const MAKING = ["index", "watch", "build", "config"];

export const SETTINGS: readonly Setting[] = [
  {
    key: "index.file",
    type: "file",
    option: "output",
    commands: ["index", "watch"],
    standard: ".portolan/index.portolan",
    about: "where the index is kept",
  },
  { key: "index.name", type: "text", option: "name", standard: "the folder's", about: "its name" },
  {
    key: "index.paths",
    type: "folders",
    option: "include",
    standard: "everything",
    about: "only these folders and files",
  },
  {
    key: "index.exclude",
    type: "list",
    option: "exclude",
    standard: "",
    about: "exclusions in addition to .gitignore and .portolanignore, in their syntax",
  },
  {
    key: "index.languages",
    type: "list",
    option: "only-language",
    standard: "all",
    about: "only files of these languages",
  },
  {
    key: "index.default_excludes",
    type: "off",
    option: "no-default-excludes",
    standard: "true",
    about: "skip node_modules, target, vendor, dist, …",
  },
  {
    key: "index.include_generated",
    type: "switch",
    option: "include-generated",
    standard: "false",
    about: "include generated files",
  },
  {
    key: "index.max_file_bytes",
    type: "count",
    min: 1,
    max: 16 * 1024 * 1024,
    option: "max-file-bytes",
    standard: "2097152",
    about: "skip larger files",
  },
  {
    key: "index.max_files",
    type: "count",
    min: 1,
    max: 1_000_000,
    option: "max-files",
    standard: "100000",
    about: "skip files beyond this number",
  },
  {
    key: "index.embeddings",
    type: "off",
    option: "no-embeddings",
    commands: MAKING,
    standard: "true",
    about: "vectors, in addition to words, names and the graph",
  },
  {
    key: "index.approximate",
    type: "switch",
    option: "approximate",
    standard: "false",
    about: "HNSW graph for approximate vector search, for 300,000 chunks and more",
  },
  {
    key: "index.model",
    type: "folder",
    option: "model",
    standard: "the one that ships",
    about: "your own embedding model, for indexing and queries",
  },
  {
    key: "index.workers",
    type: "count",
    min: 1,
    max: 16,
    option: "workers",
    standard: "cores, at most 8",
    about: "parsing threads",
  },
  { key: "index.scip", type: "files", option: "scip", standard: "", about: "SCIP indexes to import" },
  {
    key: "chunks.target_size",
    type: "count",
    min: 20,
    max: 100_000,
    option: "chunk-target",
    standard: "600",
    about: "merge neighbours up to this number of characters other than white space",
  },
  {
    key: "chunks.max_size",
    type: "count",
    min: 20,
    max: 100_000,
    option: "chunk-max",
    standard: "1200",
    about: "split larger pieces",
  },
  {
    key: "chunks.min_size",
    type: "count",
    min: 0,
    max: 100_000,
    option: "chunk-min",
    standard: "100",
    about: "merge smaller pieces with a neighbour",
  },
  {
    key: "search.limit",
    type: "count",
    min: 1,
    max: 1000,
    option: "limit",
    commands: ["search", "config"],
    standard: "10",
    about: "maximum number of hits",
  },
  {
    key: "search.mode",
    type: "text",
    choices: ["auto", "lexical", "vector", "hybrid"],
    option: "mode",
    standard: "auto",
    about: "search layers to use",
  },
  {
    key: "search.languages",
    type: "list",
    option: "language",
    commands: ["search"],
    standard: "all",
    about: "only these languages",
  },
  {
    key: "search.paths",
    type: "list",
    option: "path",
    commands: ["search"],
    standard: "all",
    about: "only these paths; !glob excludes",
  },
  {
    key: "search.weights",
    type: "numbers",
    option: "weight",
    standard: "as fitted",
    about: "ranking weights by name",
  },
  {
    key: "search.rerank",
    type: "folder",
    option: "rerank",
    standard: "none",
    about: "a cross-encoder that reranks the first hits",
  },
  {
    key: "search.rerank_top",
    type: "count",
    min: 1,
    max: 100,
    option: "rerank-top",
    standard: "20",
    about: "number of hits to rerank",
  },
  {
    key: "map.tokens",
    type: "count",
    min: 0,
    max: 100_000,
    option: "tokens",
    standard: "1024",
    about: "token budget of the repository map",
  },
  {
    key: "answers.max_bytes",
    type: "count",
    min: 256,
    max: 16 * 1024 * 1024,
    option: "max-bytes",
    standard: "32768",
    about: "maximum size of an answer in bytes; shortens its lists",
  },
  {
    key: "answers.min_confidence",
    type: "fraction",
    option: "min-confidence",
    standard: "0",
    about: "minimum confidence of relations",
  },
  {
    key: "answers.depth",
    type: "count",
    min: 1,
    max: 64,
    option: "depth",
    standard: "each command's own",
    about: "steps along the graph",
  },
  {
    key: "changes.tests",
    type: "text",
    choices: ["include", "exclude", "only"],
    option: "tests",
    standard: "include",
    about: "dependants in test code, in impact and changes",
  },
  {
    key: "output.color",
    type: "text",
    choices: ["auto", "always", "never"],
    option: "color",
    standard: "auto",
    about: "colours",
  },
  { key: "output.quiet", type: "switch", option: "quiet", standard: "false", about: "no progress, no notes" },
  {
    key: "watch.debounce",
    type: "count",
    min: 0,
    max: 3_600_000,
    option: "debounce",
    standard: "1000",
    about: "milliseconds without changes before an update",
  },
  {
    key: "serve.port",
    type: "count",
    min: 0,
    max: 65_535,
    option: "port",
    standard: "8080",
    about: "port of portolan serve",
  },
];

/** `index.max_files` → `PORTOLAN_INDEX_MAX_FILES`. */
export function variableOf({ key }: Setting): string {
  return `PORTOLAN_${key.replace(".", "_").toUpperCase()}`;
}

/** Whether a command heeds a setting. */
export function concerns({ commands, option }: Setting, command: CommandSpec): boolean {
  return commands ? commands.includes(command.name) : optionsOf(command).includes(option);
}

/** Whether a value of a repository's settings holds only where it is trusted: it names what is read, loaded or written, or asks for more than there usually is. */
export function needsTrust({ type, max = Infinity }: Setting, value: unknown): boolean {
  return type === "file" || type === "files" || type === "folder" || (type === "count" && (value as number) > max);
}

/** Says which value was expected; nothing where it is right. */
export function wrongIn({ type, min = 0, choices }: Setting, value: unknown): string | undefined {
  const isText = typeof value === "string" && value !== "";
  if (type === "count")
    return Number.isInteger(value) && (value as number) >= min ? undefined : `a whole number from ${min} on`;
  if (type === "fraction")
    return typeof value === "number" && value >= 0 && value <= 1 ? undefined : "a number from 0 to 1";
  if (type === "switch" || type === "off") return typeof value === "boolean" ? undefined : "true or false";
  if (type === "numbers")
    return typeof value === "object" &&
      value !== null &&
      Object.values(numbersIn(value)).every((one) => Number.isFinite(one))
      ? undefined
      : "numbers by name";
  if (type === "text" || type === "file" || type === "folder") {
    if (!isText) return "a text";
    return !choices || choices.includes(value) ? undefined : `one of ${choices.join(", ")}`;
  }
  return Array.isArray(value) && value.every((one) => typeof one === "string" && one !== "")
    ? undefined
    : "a list of texts";
}

/** The numbers of a table; `a.b = 1` and `"a.b" = 1` are the same. Other values stay unchanged. */
export function numbersIn(table: object, above = ""): Record<string, unknown> {
  const entries = Object.entries(table).flatMap(([name, value]): [string, unknown][] =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.entries(numbersIn(value as object, `${above}${name}.`))
      : [[`${above}${name}`, value]],
  );
  return Object.fromEntries(entries);
}

/** `NAME=X` each. */
function numbersOf(words: readonly string[]): Record<string, unknown> {
  const pair = (word: string): [string, unknown] => {
    const [, name = word, number = ""] = /^([^=]+)=(.+)$/.exec(word) ?? [];
    return [name.trim(), number.trim() === "" ? Number.NaN : Number(number)];
  };
  return Object.fromEntries(words.map(pair));
}

/** The value of a variable, as it would stand in the file. */
export function readVariable({ type }: Setting, text: string): unknown {
  if (type === "count" || type === "fraction") return text.trim() === "" ? text : Number(text);
  if (type === "switch" || type === "off") {
    const word = text.trim().toLowerCase();
    if (["1", "true", "yes", "on"].includes(word)) return true;
    return ["0", "false", "no", "off", ""].includes(word) ? false : text;
  }
  if (type === "numbers") return numbersOf(text.split(",").filter((one) => one.trim() !== ""));
  return type === "list" || type === "files" || type === "folders"
    ? text
        .split(",")
        .map((one) => one.trim())
        .filter((one) => one !== "")
    : text;
}
