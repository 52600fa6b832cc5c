/**
 * The host of the MCP server: repositories with an index each. The command line has files, git and a parser; a Worker has a
 * bucket. Everything else in this folder is the same for both.
 */

import type { RenameRequest, SearchRequest, StructuralRequest, StructuralResponse } from "../answers.js";
import type { AbortSignal } from "../platform.js";
import type { ChangesOfFiles } from "../reading/locate-history.js";
import type { SearchOfAll } from "../reading/several.js";
import type { KeptIndex } from "./keeper.js";

/** Answers of the index, as plain objects. */
export type Ask = (tool: string, request: object) => Promise<unknown>;

/** A repository in a list. */
export interface KnownRepository {
  readonly name: string;
  /** Its folder; absent where there are no folders. */
  readonly root?: string | undefined;
  /** Asked where a call names none. */
  readonly is_default?: boolean | undefined;
  /** Milliseconds since 1970. */
  readonly indexed_at?: number | undefined;
  readonly n_files?: number | undefined;
  readonly n_symbols?: number | undefined;
}

/** The repositories of a host. */
export interface KnownRepositories {
  /** The default first. */
  readonly repositories: readonly KnownRepository[];
  /** There are more, which are not in the list. */
  readonly truncated?: boolean;
}

/** How an index differs from the files it was made from. */
export interface Staleness {
  /** Files that changed or are gone. */
  readonly n_files: number;
  /** Some of them. */
  readonly paths: readonly string[];
}

/** Which change `detect_changes` is about, where git is asked. */
export interface GitScope {
  readonly staged?: boolean;
  readonly base?: string;
}

/** The context of a long call: it reports progress and can be cancelled. */
export interface CallContext {
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number, message?: string) => void;
}

/** An open repository. */
export interface Repository {
  readonly name: string;
  readonly ask: Ask;
  /** Arguments that a call of a tool leaves out and the settings of the repository give; by the names of the tools' arguments. */
  readonly defaults?: (tool: string) => Record<string, unknown>;
  /** Structural search, where there is a parser. */
  readonly structural?: (request: StructuralRequest, context: CallContext) => Promise<StructuralResponse>;
  /** The diff of the work tree, where there is one. */
  readonly diff?: (scope: GitScope) => Promise<string>;
  /** Writes a rename into the files, where there are files; gives the paths written. */
  readonly applyRename?: (
    request: RenameRequest,
    options: { force: boolean },
  ) => Promise<{ rename: unknown; files: readonly string[] }>;
  /** Says which of the repository's settings do not hold, and why. */
  readonly leftOut?: string;
  /** The text of a file as it is on the disk now, where there are files. */
  readonly textNow?: (path: string) => string | undefined;
  /** Set while changes of files are still being taken in. */
  readonly isBehind?: boolean;
  /** Files that usually change together, where the host reads the history of git. */
  readonly changes?: ChangesOfFiles;
  /** The commit of the work tree that the answers are of, where git has one. */
  readonly revision?: () => string | undefined;
  /** Whether the files are others than those that were indexed. */
  readonly staleness?: () => Promise<Staleness | undefined>;
}

/** Abilities of a host: tools and arguments that need more are not offered. */
export interface Abilities {
  readonly structural: boolean;
  /** A work tree: git's diff, and files to write to. */
  readonly files: boolean;
  /** Indexes can be built. */
  readonly index?: boolean;
}

export interface McpHost {
  /** Of Portolan. */
  readonly version: string;
  readonly can: Abilities;
  /** The repositories that can be asked. */
  repositories(): Promise<KnownRepositories>;
  /** Searches all of them within a time of its own; absent where they are asked one after the other. */
  searchAll?(request: SearchRequest, context: CallContext): Promise<SearchOfAll>;
  /** Builds or updates the index of a repository, given as to `open`, or of a folder; absent where none can be built. */
  index?(repo: string | undefined, context: CallContext): Promise<KeptIndex>;
  /** By its name or folder; the default where none is given. Rejects with a `PortolanError` that says what to do. */
  open(repo?: string): Promise<Repository>;
}
