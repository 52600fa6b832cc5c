/** The description of a command, and the options that several commands share. */

import type { OptionName } from "./option-list.js";

/** A command as the user sees it; `main.ts` finds its function by its name. */
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
  /** The meaning of an option here, where it differs from elsewhere. */
  readonly here?: Partial<Record<OptionName, string>>;
  /** The values of an option here, where they differ from elsewhere. */
  readonly choices?: Partial<Record<OptionName, readonly string[]>>;
  /** Command lines, each with what it asks. */
  readonly examples: readonly (readonly [line: string, what: string])[];
  /** How a shell completes operands. */
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
export const ASKED: readonly OptionName[] = ["index", "passphrase", "passphrase-file"];
export const FILTERS: readonly OptionName[] = ["language", "path"];
export const PAGE: readonly OptionName[] = ["limit", "offset", "max-bytes"];
export const WALK: readonly OptionName[] = ["direction", "edge", "node", "depth", "min-confidence", "limit"];
export const OWN_GRAMMAR: readonly OptionName[] = ["grammar", "queries", "extensions"];
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
