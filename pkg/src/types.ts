/** What callers of the package pass in and get back, beside the answers themselves (those are in `wasm/reader.d.ts`). */

import type { PortolanError } from "./errors.js";

/** What indexing is doing. */
export type Phase = "reading" | "parsing" | "building" | "embedding" | "saving";

/** How far it is: files while reading and parsing, chunks while embedding, bytes while saving. */
export interface Progress {
  readonly phase: Phase;
  readonly done: number;
  /** Grows while the files are still being listed. */
  readonly total: number;
  /** What is being worked on, for a person. */
  readonly detail?: string;
}

/** A file by its path within the repository, `/` between folders. */
export type FileInput = { readonly path: string; readonly bytes: Uint8Array } | { readonly path: string; readonly file: Blob };

/**
 * What can be indexed: the files of an `<input webkitdirectory>` or a drop, a directory handle, a zip or tar.gz archive,
 * files by path, or (in Node) the path of a folder or archive.
 */
export type Input =
  | readonly File[]
  | FileSystemDirectoryHandle
  | { readonly archive: Blob | Uint8Array }
  | { readonly files: readonly FileInput[] }
  | string;

/** How to index. */
export interface IndexOptions {
  /** Under which name the index is stored and shown; the folder's or archive's name if absent. */
  readonly name?: string;
  /** Called at most every 50 ms and phase by phase; the last call of a phase has `done === total`. */
  readonly onProgress?: (progress: Progress) => void;
  /** Something was lost that the index goes on without: a grammar, the model, the store. Skipped files are in `status()`. */
  readonly onWarning?: (warning: PortolanError) => void;
  /** `vectors`: answers now know meanings, too; `saved`: the index is in the store. */
  readonly onUpdate?: (what: "vectors" | "saved") => void;
  /** Cancels: the promise rejects with an `AbortError`, or `complete` does where the index was usable already. */
  readonly signal?: AbortSignal;
  /** Parsing workers; `min(available cores, 8)` if absent. */
  readonly workers?: number;
  /** Keep the index (browser: IndexedDB; Node: `.portolan/` in the folder). Off by default. */
  readonly store?: boolean;
  /** Compute vectors, too; on by default. Without them search knows words and names only. */
  readonly embeddings?: boolean;
  /** What is taken in and what is left out. */
  readonly source?: SourceOptions;
  /** How files are cut into the pieces that are searched and embedded. */
  readonly chunks?: ChunkOptions;
  /**
   * SCIP indexes (the bytes of `.scip` files): what a compiler says of a file stands above what is found by rules, with confidence 1.
   * Documents of another text than the file has are left out with a warning, and a note in `status()`.
   */
  readonly scip?: readonly Uint8Array[];
  /** Languages beyond those known here, each with its grammar. One that cannot be used rejects with `grammar.…`. */
  readonly grammars?: readonly UserGrammar[];
}

/** A language that you bring. At most 16. */
export interface UserGrammar {
  /** Used in filters and answers: small letters, digits, `-`, `_`; no name of a language that is known already. */
  readonly name: string;
  /** Endings of its files, `["r"]`. They go before those of languages that are known already. */
  readonly extensions: readonly string[];
  /** The bytes of its `tree-sitter-NAME.wasm`, or the compiled module. */
  readonly wasm: Uint8Array | WebAssembly.Module;
  readonly queries: UserQueries;
}

/** tree-sitter queries; `docs/grammars.md` has the captures. A grammar's own `tags.scm` serves as `symbols`. */
export interface UserQueries {
  /** Definitions, comments, decorators, branches. */
  readonly symbols: string;
  /** Uses of names, supertypes, bindings. */
  readonly references?: string;
  /** Colours. */
  readonly highlights?: string;
}

/** Sizes of chunks in characters that are not white space: `min <= target <= max`. Absent ones keep their proportion to `target`. */
export interface ChunkOptions {
  /** Neighbours are merged up to this size; 600 if absent. Larger: fewer and more general hits; smaller: sharper ones with less around them. */
  readonly target?: number;
  /** Larger pieces are split; only a single line can be longer. 1200 if absent. */
  readonly max?: number;
  /** Smaller pieces join a neighbour; 100 if absent. */
  readonly min?: number;
}

/** Limits on what becomes part of an index; absent ones keep their defaults. */
export interface SourceOptions {
  /** Larger files are skipped as `too-large`; 2 MiB if absent. */
  readonly maxFileBytes?: number;
  /** More files are skipped as `file-limit`; 100,000 if absent. */
  readonly maxFiles?: number;
  /** Leave out folders that usually hold no sources (`node_modules`, `target`, `dist`, …); on by default. */
  readonly defaultExcludes?: boolean;
  /** Take in files that programs wrote; off by default. */
  readonly includeGenerated?: boolean;
  /** Leave out what matches one of these patterns, beside `.gitignore` and `.portolanignore`, in their syntax: `!` takes back in. */
  readonly exclude?: readonly string[];
  /** Take in only these folders and files. */
  readonly include?: readonly string[];
  /** Take in only files of these languages, by name. One that is none rejects with `language.unknown`. */
  readonly languages?: readonly string[];
}

/** A stored index. */
export interface SavedIndex {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly saved_at: number;
  readonly n_bytes: number;
  readonly n_files: number;
}

/** Whether an index outlives the page. */
export interface Stored {
  readonly state: "saved" | "saving" | "off" | "unavailable" | "quota";
  /** Why not, where it is `unavailable` or `quota`; the index works on in memory. */
  readonly error?: PortolanError;
}
