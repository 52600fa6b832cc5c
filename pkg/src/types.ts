/** Types of options, inputs and events; those of questions and answers are in `wasm/reader.d.ts`. */

import type { PortolanError } from "./errors.js";
import type { AbortSignal, Blob, File, FileSystemDirectoryHandle, WebAssembly } from "./platform.js";

/** The phase of indexing. */
export type Phase = "reading" | "parsing" | "building" | "embedding" | "saving";

/** How far it is: files while reading and parsing, chunks while embedding, bytes while saving. */
export interface Progress {
  readonly phase: Phase;
  readonly done: number;
  /** Grows while the files are still being listed. */
  readonly total: number;
  /** The file that is being worked on, for a person. */
  readonly detail?: string;
  /** During an update: unchanged files so far. */
  readonly unchanged?: number;
  /** The host that allows the next request at a time, in milliseconds since 1970; indexing continues then. */
  readonly waiting?: { readonly host: string; readonly until: number };
}

/** Changes of the files of an index, each list by path. */
export interface FileChanges {
  readonly added: readonly string[];
  readonly modified: readonly string[];
  /** Gone, or not taken in any more. */
  readonly deleted: readonly string[];
  /** Files that moved with the same text; their facts are kept. */
  readonly renamed: readonly { readonly from: string; readonly to: string }[];
  readonly n_unchanged: number;
}

/** The state of an index while work on it goes on. */
export interface IndexState {
  name: string;
  stored: Stored;
  /** Resolves when vectors and saving are done, too. */
  readonly complete: Promise<void>;
}

/** Files that have changed since an index was built. */
export interface Staleness {
  /** How many are known. */
  readonly n_files: number;
  /** The first ten of them; of folders in which names were added or removed, where that is known, the path with a `/`. */
  readonly paths: readonly string[];
  /** False where time was up before all files were looked at. */
  readonly is_whole: boolean;
}

/** Changes to files by hand. */
export interface FileEdits {
  /** New contents of files, known or new. */
  readonly files?: readonly FileInput[];
  /** Paths of files or folders that are gone. */
  readonly deleted?: readonly string[];
}

/** How to bring an index up to date. */
export interface UpdateOptions {
  readonly onProgress?: (progress: Progress) => void;
  /** Called before it resolves, with the folders that it looked into: the root as the empty text, others ending in `/`. */
  readonly onFolders?: (folders: readonly string[]) => void;
  readonly signal?: AbortSignal;
}

/** How to follow changes. */
export interface WatchOptions {
  /** Milliseconds without changes before an update (default 1000). */
  readonly debounceMs?: number;
  /** The index was updated: the changes, and the time that it took. */
  readonly onChanges?: (changes: FileChanges, milliseconds: number) => void;
  /** Called with an error; watching continues. */
  readonly onError?: (error: PortolanError) => void;
  /** Ends it. */
  readonly signal?: AbortSignal;
}

/** A file by its path within the repository, `/` between folders. */
export type FileInput =
  | { readonly path: string; readonly bytes: Uint8Array }
  | { readonly path: string; readonly file: Blob };

/**
 * Inputs that can be indexed: the files of an `<input webkitdirectory>` or a drop, a directory handle, a zip or tar.gz archive,
 * files by path, (in Node) the path of a folder or archive, or a source on another host: `owner/repo[@ref][/path]`, the address of a
 * repository, an archive or a documentation site, `npm:name@version`, `crate:name@version`.
 */
export type Input =
  | readonly File[]
  | FileSystemDirectoryHandle
  | { readonly archive: Blob | Uint8Array }
  | readonly FileInput[]
  | { readonly files: readonly FileInput[] }
  | string;

/** How to index. */
export interface IndexOptions {
  /** Name under which the index is stored and shown (default: the folder's or archive's name). */
  readonly name?: string;
  /** Called at most every 50 ms and phase by phase; the last call of a phase has `done === total`. */
  readonly onProgress?: (progress: Progress) => void;
  /** The index continues without a part: a grammar, the model, the store. Skipped files are in `status()`. */
  readonly onWarning?: (warning: PortolanError) => void;
  /** `files`: answers now know of more files (with `early`); `vectors`: of meanings, too; `saved`: the index is in the store. */
  readonly onUpdate?: (what: "files" | "vectors" | "saved") => void;
  /** Cancels: the promise rejects with an `AbortError`, or `complete` does where the index was usable already. */
  readonly signal?: AbortSignal;
  /** Number of parsing workers (default `min(available cores, 8)`). */
  readonly workers?: number;
  /**
   * Memory limit of the engine in bytes (default: the memory that the device has room for, at most 4 GiB). Files that
   * do not fit are skipped with the warning `index.too-large`, and listed in `status()` with the code `memory`; the
   * rest is indexed.
   */
  readonly memory?: number;
  /** Keep the index (browser: IndexedDB; Node: `.portolan/` in the folder). Off by default. */
  readonly store?: boolean;
  /**
   * An index of the same input made before, to be brought up to date: only what has changed is read. `"stored"`: the one in the store.
   * The result is that of indexing from scratch, which is what happens where it cannot be used.
   */
  readonly previous?: Uint8Array | "stored";
  /** With `previous`: files of the size and time that they had are not read to see whether they changed. On by default. */
  readonly hints?: boolean;
  /**
   * Resolve seconds after the start, with an index of the files that are read so far, where reading all takes longer; `onUpdate` says
   * `files` when there are more. Off by default: what an index says is about all files.
   */
  readonly early?: boolean;
  /** With `previous`: the changes. */
  readonly onChanges?: (changes: FileChanges) => void;
  /** Answers that are kept for the same question. */
  readonly cache?: CacheLimits;
  /** Compute vectors, too; on by default. Without them search knows words and names only. */
  readonly embeddings?: boolean;
  /**
   * Vector search follows an HNSW graph instead of comparing every vector. Default: from 300,000 chunks on, built in
   * the background after everything else. `true`: for any number, as a part of indexing. `false`: never.
   */
  readonly approximate?: boolean;
  /** A model of your own instead of the one that ships. Give the same when the index is opened: queries are compared by it. */
  readonly model?: EmbeddingModel;
  /** For an input on another host (`owner/repo`, an address): own hosts, tokens, registries, budgets. */
  readonly remote?: SourceSettings;
  /** For an input on another host: its README, which comes before the rest. */
  readonly onReadme?: (readme: { readonly path: string; readonly text: string }) => void;
  /** Rules for the files to index. */
  readonly source?: SourceOptions;
  /** How files are cut into the pieces that are searched and embedded. */
  readonly chunks?: ChunkOptions;
  /**
   * SCIP indexes (the bytes of `.scip` files): the facts of a compiler about a file replace those found by rules, with confidence 1.
   * Documents of another text than the file has are left out with a warning, and a note in `status()`.
   */
  readonly scip?: readonly Uint8Array[];
  /** Languages beyond those known here, each with its grammar. One that cannot be used rejects with `grammar.…`. */
  readonly grammars?: readonly UserGrammar[];
}

/** A sentence-embedding model that you bring, in ONNX: a BERT-like transformer, or a static table. */
export interface EmbeddingModel {
  /** The bytes of the ONNX file: `input_ids`, and where it wants them `attention_mask`, `token_type_ids`, `position_ids` in. */
  readonly model: Uint8Array;
  /** The bytes of its `tokenizer.json`. */
  readonly tokenizer: Uint8Array;
  /** How an output with a vector for each token becomes one vector: their mean (the default), or the first one. */
  readonly pooling?: "mean" | "cls";
  /** Put before each query: `"query: "` for the E5 family. */
  readonly queryPrefix?: string;
  /** Put before each chunk: `"passage: "` for the E5 family. */
  readonly passagePrefix?: string;
  /** Maximum number of tokens of a text (default: the tokenizer's value, or 512). */
  readonly maxTokens?: number;
}

/** A cross-encoder that you bring, in ONNX: it reads query and passage together and gives a score. */
export type RerankModel = Pick<EmbeddingModel, "model" | "tokenizer" | "maxTokens">;

/** A piece of code that a search found. */
export interface Passage {
  readonly path: string;
  /** 1-based, inclusive. */
  readonly start_line: number;
  readonly end_line: number;
  /** Qualified name of the definition it mainly consists of. */
  readonly symbol?: string;
  readonly text: string;
}

/** A second look at the first hits of a search. */
export interface RerankOptions {
  /**
   * One number for each passage, higher where it answers the query better: a `CrossEncoder`'s `score`, or a function of your own that asks a
   * language model.
   */
  readonly rerank: (query: string, passages: readonly Passage[]) => PromiseLike<ArrayLike<number>> | ArrayLike<number>;
  /** Number of hits to rerank (default 20). */
  readonly top?: number;
}

/** Files that a function of yours picks for a query, joined with the hits. */
export interface FileSelection {
  /**
   * Gets the query and the paths of all indexed files; gives those that answer it, the best first: of a language model that sees the tree,
   * for example. Paths that the index does not have are passed over.
   */
  readonly selectFiles: (query: string, paths: readonly string[]) => PromiseLike<readonly string[]> | readonly string[];
  /** Weights of the search and of the selection (default 0.6 and 0.4), which are joined by reciprocal ranks. */
  readonly ensemble?: readonly [search: number, selection: number];
}

/** Further steps of a search: files that a function picks, then a second look at the first hits. */
export type SearchOptions =
  | (RerankOptions & Partial<FileSelection>)
  | (FileSelection & { readonly rerank?: undefined });

/** Limits of the answers that an index keeps, so that a question that is asked again costs nothing. */
export interface CacheLimits {
  /** An answer is given again for so long, unless the index changes (default 300; 0 keeps none). */
  readonly seconds?: number;
  /** JSON of all answers together, in bytes (default 8 MiB). */
  readonly bytes?: number;
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
  /**
   * Neighbours are merged up to this size (default 600). Larger: fewer and more general hits; smaller: sharper ones
   * with less around them.
   */
  readonly target?: number;
  /** Larger pieces are split (default 1200); only a single line can be longer. */
  readonly max?: number;
  /** Smaller pieces join a neighbour (default 100). */
  readonly min?: number;
}

/** Limits on what becomes part of an index; absent ones keep their defaults. */
export interface SourceOptions {
  /** Larger files are skipped as `too-large` (default 2 MiB). */
  readonly maxFileBytes?: number;
  /** Files beyond this number are skipped as `file-limit` (default 100,000). */
  readonly maxFiles?: number;
  /** Leave out folders that usually hold no sources (`node_modules`, `target`, `dist`, …); on by default. */
  readonly defaultExcludes?: boolean;
  /** Take in files that programs wrote; off by default. */
  readonly includeGenerated?: boolean;
  /** Leave out files that match one of these patterns, in addition to `.gitignore` and `.portolanignore`, in their syntax: `!` includes again. */
  readonly exclude?: string[];
  /** Take in only these folders and files. */
  readonly include?: string[];
  /** Take in only files of these languages, by name. One that is none rejects with `language.unknown`. */
  readonly languages?: string[];
}

/** Limits for opening a snapshot from elsewhere (default: those of the engine, which always apply to key derivation). */
export interface OpenLimits {
  /**
   * Bytes that its sections may take together once they are unpacked (default: 64 MiB, or 64 times the file if that is more). A question
   * that needs more of it rejects with `snapshot.damaged`.
   */
  readonly unpackedBytes?: number | undefined;
  /** Bytes of memory for deriving the key of an encrypted snapshot (default and at most 256 MiB); more is refused as `seal.cost`. */
  readonly kdfMemory?: number | undefined;
  /** Passes over that memory (default and at most 4); more is refused as `seal.cost`. */
  readonly kdfPasses?: number | undefined;
}

/** Ways to encrypt a snapshot (default: none). */
export interface Protection {
  /** It opens with this passphrase only. One that is lost is lost. */
  readonly passphrase?: string | undefined;
  /** Paths are unreadable without this key, the text that `newPathKey` gives; sources and what names paths go along closed. */
  readonly pathKey?: string | undefined;
  /** With `pathKey`: sources stay readable, and with them what they say of paths. */
  readonly keepTexts?: boolean | undefined;
}

/** The phase of protecting a snapshot. */
export type SealPhase = "paths" | "encrypting";

/** How to save a snapshot. */
export interface SaveOptions extends Protection {
  /** A phase has begun. Encrypting takes a second, and 64 MiB for the key, in a worker of its own. */
  readonly onPhase?: (phase: SealPhase) => void;
  readonly signal?: AbortSignal;
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

/** The browser's storage of this site. */
export interface StorageState {
  /** Whether the browser keeps it when space gets short; it asks for leave, or decides by how the site is used. */
  readonly persisted: boolean;
  /** Bytes taken, by everything that the site stores. */
  readonly used: number;
  /** Bytes there may be; absent where the browser does not tell. */
  readonly quota?: number;
}

/** A kind of program that hosts repositories. */
export type Forge = "github" | "gitlab" | "gitea";

/** A server that hosts repositories, and its addresses. */
export interface ForgeHost {
  /** Its name in texts and links: `gitlab` in `gitlab:group/project`. */
  readonly id: string;
  readonly forge: Forge;
  /** Base address of its pages. */
  readonly web: string;
  /** Base address of its API. */
  readonly api: string;
  /** Base address of its raw files; absent where the API sends them. */
  readonly raw?: string | undefined;
}

/** How sources are fetched. Plain values: they cross to workers. */
export interface SourceSettings {
  /** Own hosts of repositories, or other addresses for public ones. */
  readonly forges?: readonly ForgeHost[] | undefined;
  /** Tokens by origin (`https://api.github.com`). Each is sent to that origin only, whatever redirects say. */
  readonly tokens?: Readonly<Record<string, string>> | undefined;
  /** Base addresses of package registries. None is built in. */
  readonly registries?: { readonly npm?: string | undefined; readonly crate?: string | undefined } | undefined;
  /** The only origins that may be contacted (default: those that the source leads to). */
  readonly hosts?: readonly string[] | undefined;
  /** How a repository comes: one archive (default in Node), or its files one by one (default in a page). */
  readonly by?: "archive" | "files" | undefined;
  /** Maximum number of bytes of all answers together (default 512 MiB). */
  readonly maxBytes?: number | undefined;
  /** Maximum number of files that are fetched one by one (default 20,000). */
  readonly maxFiles?: number | undefined;
  /** Milliseconds that fetching may take, without waits that a host asks for (default 20 minutes). */
  readonly maxMillis?: number | undefined;
  /** Milliseconds to wait where a host asks for a pause (default 65 minutes; 0 refuses). */
  readonly maxWaitMillis?: number | undefined;
  /** Milliseconds without a byte after which a host counts as gone (default 30 seconds). */
  readonly stallMillis?: number | undefined;
  /** Number of files that are fetched at a time (default 12). */
  readonly parallel?: number | undefined;
}

/** A host wants no request before a time. */
export interface SourceWait {
  readonly host: string;
  /** Milliseconds since 1970. */
  readonly until: number;
}
