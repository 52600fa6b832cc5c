/** Requests and answers of the routes below `/v1/repos`. docs/openapi.json is made from them. */

/** A piece of a file: at most 4 MiB, stored under the SHA-256 of its bytes. */
export interface Piece {
  /** SHA-256, 64 hexadecimal digits. */
  digest: string;
  n_bytes: number;
}

/** A part of an index file: its header, a section with the padding after it, or all of an encrypted file. */
export interface VersionSection {
  /** `head`, `sealed`, or the name of the section. */
  name: string;
  n_bytes: number;
  /** In the order of the file. */
  pieces: Piece[];
}

/** The source that a version was made from. */
export interface VersionSource {
  /** Hash of the commit, 40 or 64 hexadecimal digits. */
  commit?: string;
  /** Hash of the commit's tree: two commits with the same files have the same tree. */
  tree?: string;
  /** Hashes of the commit's parents. */
  parents?: string[];
  /** Branch or other reference, such as `refs/heads/main`. */
  ref?: string;
  /** Names that keep a version from being pruned: letters, digits, `.`, `_`, `-`, `/`. */
  tags?: string[];
}

/** A version to be added. The server answers with the pieces that it lacks; sent again when they are there, it is added. */
export interface VersionRequest {
  source?: VersionSource;
  /** Whether queries are answered from it from now on (default true). */
  switch?: boolean;
  n_bytes: number;
  sections: VersionSection[];
}

/** A version in a list. */
export interface VersionSummary {
  /** Digest of source and content, 64 hexadecimal digits. */
  id: string;
  source: VersionSource;
  /** Milliseconds since 1970. */
  made_at: number;
  /** Version of the engine that wrote the index; absent of an encrypted one. */
  engine?: string;
  format_version?: number;
  is_sealed: boolean;
  n_bytes: number;
  n_pieces: number;
}

/** A version with its content. */
export interface VersionManifest extends VersionSummary {
  repository: string;
  sections: VersionSection[];
}

/** The answer to a version that is to be added. */
export interface VersionOffer {
  /** Digests of the pieces to upload first; empty where the version was added. */
  missing: string[];
  version?: VersionSummary;
  /** Whether queries are answered from it now. */
  is_current: boolean;
  /** Whether the repository did not have it. */
  is_new: boolean;
}

/** The versions of a repository, the newest first. */
export interface VersionList {
  repository: string;
  /** Id of the version that answers queries. */
  current?: string;
  versions: VersionSummary[];
}

/** Commits to look for, the nearest first. */
export interface NearestRequest {
  commits: NearestCommit[];
}

/** A commit and its tree. */
export interface NearestCommit {
  commit: string;
  tree: string;
}

/** The version of the first commit that has one. */
export interface NearestAnswer {
  version?: VersionSummary;
  /** Place of that commit in the request. */
  n_commits?: number;
}

/** Which version answers queries from now on. */
export interface SwitchRequest {
  /** `id`, the first digits of it (8 or more), of a commit (7 or more), or a tag. */
  version: string;
}

/** Which versions are kept: those that fit any of the rules, and always the current one. */
export interface PruneRequest {
  /** The newest of this number (default 20). */
  keep?: number;
  /** Those made within this number of days (default 30). */
  days?: number;
  /** Those with a tag (default true). */
  tagged?: boolean;
  /** Shows what would be deleted, and deletes nothing (default false). */
  dry_run?: boolean;
}

/** Deleted versions and pieces. */
export interface PruneAnswer {
  versions: string[];
  n_pieces: number;
  n_bytes: number;
  n_kept: number;
}

/** Repositories that the caller may read, by name. */
export interface RepositoryList {
  repositories: RepositoryEntry[];
  /** Present if there are more: `after` of the next request. */
  next?: string;
}

/** A repository in the list of a server. */
export interface RepositoryEntry {
  name: string;
  current?: VersionSummary;
  n_versions: number;
}
