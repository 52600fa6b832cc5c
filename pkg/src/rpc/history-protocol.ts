/** The history of a git repository, as it comes from its worker. Times are seconds since 1970. */

import type { File, FileSystemDirectoryHandle } from "../platform.js";

/** Where the files of `.git` are: the folder that contains it, or the list of its files by paths from that folder. */
export type GitSource = FileSystemDirectoryHandle | readonly { readonly path: string; readonly file: File }[];

/** The folder `within` a source whose history is read; the empty path is the source itself. */
export interface OpenedGit {
  readonly source: GitSource;
  readonly within: string;
}

/** A repository in figures. */
export interface HistorySummary {
  /** The newest commit. */
  readonly head?: string;
  readonly n_commits: number;
  readonly n_files: number;
  /** When the newest commit came into this history. */
  readonly newest: number;
  /** Why the history is shorter than it could be, in words. */
  readonly notes: readonly string[];
  readonly references: References;
}

/** Names of commits, in order. */
export interface References {
  /** The branch that is checked out; empty where a commit is. */
  readonly head: string;
  readonly branches: readonly string[];
  readonly tags: readonly string[];
  /** Branches of other copies, `origin/main`. */
  readonly remotes: readonly string[];
}

/** How often a file changes. */
export interface FileChurn {
  readonly path: string;
  /** Commits that changed it, merges not counted. */
  readonly n_commits: number;
  /** Those within 90 days before the newest commit. */
  readonly n_recent: number;
  readonly n_authors: number;
  /** When it was changed last and first within the history; 0 if unknown. */
  readonly last: number;
  readonly first: number;
}

/** A commit. */
export interface HistoryCommit {
  readonly id: string;
  readonly subject: string;
  readonly author: string;
  readonly authored: number;
  /** Files that it changed; 0 where that is not known. */
  readonly n_files: number;
}

/** The history of a file. */
export interface FileHistory {
  readonly path: string;
  readonly n_commits: number;
  readonly n_recent: number;
  /** When it was added; absent if that is older than the history. */
  readonly added?: number;
  /** Newest first. */
  readonly commits: readonly HistoryCommit[];
  readonly authors: readonly { readonly name: string; readonly n_commits: number; readonly share: number }[];
  readonly earlier_paths: readonly string[];
  /** Files that usually change with it: commits that changed both, and their part of its own commits and of the other's, 0 to 1. */
  readonly together: readonly {
    readonly path: string;
    readonly support: number;
    readonly confidence: number;
    readonly reverse: number;
  }[];
}

/** The commit of each line. */
export interface BlamedFile {
  /** Newest first; one occurs twice if its lines come from two paths. */
  readonly commits: readonly BlamedCommit[];
  /** For each line the place of its commit in `commits`. */
  readonly lines: readonly number[];
  /** The text that the lines are of: that of the commit, which may be another one than that of the folder. Bytes that are no UTF-8 are replaced. */
  readonly text: string;
}

/** A commit that lines come from. */
export interface BlamedCommit {
  readonly id: string;
  readonly subject: string;
  readonly author: string;
  readonly authored: number;
  /** The path that the file had. */
  readonly path: string;
  /** The lines may be older: earlier commits are not there. */
  readonly is_boundary: boolean;
}

/** Two commits to compare, by id, branch or tag; without an old one, what the new one changed. */
export interface CompareRequest {
  readonly old?: string | undefined;
  readonly new: string;
  /** Compares with the commit where both parted, as `git diff old...new`. */
  readonly sinceParted?: boolean | undefined;
}

/** Files that differ between two commits. */
export interface ComparedCommits {
  /** Ids; the old one is absent where the new one is the first commit. */
  readonly old?: string;
  readonly new: string;
  /** Texts of both sides; absent where the side has no such file. */
  readonly files: readonly { readonly path: string; readonly before?: string; readonly after?: string }[];
  /** Files without texts: they are no UTF-8, too large, or not in this copy. */
  readonly left_out: readonly string[];
  /** There are more files than are listed. */
  readonly is_cut: boolean;
}

/** Page → history worker; `Source` says where the files of `.git` are. */
export interface HistoryProtocol<Source = OpenedGit> {
  /** Reads the history, or brings it up to date. */
  read: { request: Source; response: HistorySummary };
  churn: { request: null; response: readonly FileChurn[] };
  file: { request: { path: string; limit: number }; response: FileHistory | undefined };
  blame: { request: { path: string; at: string }; response: BlamedFile };
  compare: { request: CompareRequest; response: ComparedCommits };
}
