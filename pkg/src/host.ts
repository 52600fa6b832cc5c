/**
 * The platform as an argument: everything in which a browser, Node and workerd differ. The rest of the package knows
 * hosts only through these interfaces.
 */

import type { WebAssembly } from "./platform.js";
import type { EmbeddingModel, Input, SavedIndex, Staleness } from "./types.js";

/** The wasm files: indexes and answers; text to vectors; only answers; encrypts; graphs over many vectors; reads the history of git. */
export type Artifact = "engine" | "onnx" | "reader" | "seal" | "hnsw" | "history";

/** One end of a message channel between a worker and the thread that started it. */
export interface Port {
  post(message: unknown, transfer?: ArrayBuffer[]): void;
  listen(onMessage: (message: unknown) => void): void;
  /** Called at most once, when the other side is gone for good: it crashed, ran out of memory, or could not start. */
  onFailure(handler: (error: Error) => void): void;
  /** Whether an answer is awaited: an idle worker must not keep a Node process alive. */
  awaiting(busy: boolean): void;
  /** Ends the other side where this is the starting end. */
  close(): void;
  /** Whether both ends are in one thread and share what a message holds; others get a copy. */
  readonly shares?: boolean;
}

/** Gives the wasm files, grammars and the model. */
export interface Assets {
  module(artifact: Artifact): Promise<WebAssembly.Module>;
  /** The engine with a limit to its memory, for a worker that loads grammars which the user brings. */
  guestEngine(): Promise<WebAssembly.Module>;
  /** @throws where no such grammar ships or it cannot be read or compiled. */
  grammar(name: string): Promise<WebAssembly.Module>;
  model(): Promise<ModelFiles>;
  /** The model for a few queries, of which only the rows of their tokens are read; absent where files come whole. */
  modelRows?(): ModelRows | undefined;
  /** A model that the caller brings; queries are embedded by a worker of its own. */
  readonly own?: OwnModel | undefined;
}

/** A caller's embedding model. */
export interface OwnModel {
  readonly model: EmbeddingModel;
  query(text: string): Promise<{ name: string; vector: Float32Array }>;
  close(): void;
}

/** An embedding model. */
export interface ModelFiles {
  readonly model: Uint8Array;
  readonly tokenizer: Uint8Array;
}

/** An embedding model that is read in pieces. */
export interface ModelRows {
  /** Says where the rows are: made with the package, by `StaticModel.lookup`. */
  readonly lookup: Uint8Array;
  readonly model: PieceFile;
}

/** A file that is read synchronously, in pieces. */
export interface PieceFile {
  readonly n_bytes: number;
  /** Bytes from `start` to before `end`, all of them; throws where they cannot be read. They are valid until the next piece is read, of whatever file. */
  read(start: number, end: number): Uint8Array;
  /** Opens the file of a shard, where this may be the root of an index in shards. Throws where it may not be used. */
  beside?(name: string): PieceFile;
}

/** Where snapshots are kept. All methods reject with a `PortolanError` whose code starts with `storage.`. */
export interface Store {
  /** Replaces in one step: a failure leaves the former one. */
  put(entry: StoredSnapshot): Promise<void>;
  get(name: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** The same, to be read in pieces; absent where that cannot be. */
  pieces?(name: string): Promise<PieceFile | undefined>;
  /** Whether somebody else stored the file of this name; absent where nobody else can. */
  isForeign?(name: string): boolean;
  list(): Promise<SavedIndex[]>;
  delete(name: string): Promise<void>;
}

/**
 * Hands out a snapshot's file piece by piece, so that it is never in memory as a whole: the offset of each piece, and its bytes. They come in
 * order, but for the first ones of the file, which come last.
 */
export type WriteSnapshot = (give: (at: number, piece: Uint8Array<ArrayBuffer>) => void) => void;

/** A snapshot to keep. */
export interface StoredSnapshot {
  readonly name: string;
  readonly write: WriteSnapshot;
  readonly n_files: number;
  readonly saved_at: number;
}

/** A folder of the host, as the walk sees it. */
export interface Folder {
  list(): Promise<FolderEntry[]> | FolderEntry[];
}

/** An entry of a folder. Links and devices are `other` and are not followed. */
export type FolderEntry =
  | { readonly name: string; readonly kind: "folder"; readonly folder: Folder }
  | { readonly name: string; readonly kind: "file"; readonly file: FileHandle }
  | { readonly name: string; readonly kind: "other" };

/** A file that is read when its turn comes. */
export interface FileHandle {
  size(): Promise<number> | number;
  /** When it was written last, once `size` has answered; milliseconds since 1970. */
  modified?(): number | undefined;
  read(): Promise<Uint8Array> | Uint8Array;
  /** Whether nobody else has the bytes that are read. */
  readonly handsOver?: boolean;
}

/** The host as an index session uses it. */
export interface SessionHost {
  readonly assets: Assets;
  /** Cores that may be used. */
  readonly parallelism: number;
  /** Bytes of memory that one engine may take; absent if unknown. */
  readonly memory?: number | undefined;
  spawn(role: "parse" | "embed" | "seal"): Port;
  /** A parser in this thread, for when it would only wait for others; absent where one that hangs could not be stopped. */
  parserHere?(): Port;
  /** Called when a thread is on its way, and the engine is not compiled yet. May tell about how many bytes of files there are. */
  prepare?(): number | undefined;
  /** Collects garbage, where that can be asked for: memory of an engine that is closed is garbage. */
  collect?(): void;
  /** A store for this input, or the host's one store. */
  store(input?: Input): Store;
  /** Whether a text is a path here, and so names no source on another host. */
  isPath?(text: string): boolean;
  /** How repositories come where nothing is said: a page cannot read the archives of most hosts. */
  readonly fetchesBy?: "archive" | "files";
  /** Opens what only this host knows: paths, in Node. */
  openPath?(path: string): Promise<OpenedInput>;
  /** Hears when something changes in a folder; absent where no host can tell. */
  watch?(input: Input, onChange: () => void, onError: (error: Error) => void): Watcher | undefined;
  /** The files that have changed since the input was indexed; nothing where this input cannot be looked at again. */
  stale?(input: Input, indexed: IndexedFiles): Promise<Staleness | undefined>;
}

/** Where the files of a group wait between the two passes that make an index in shards. */
export interface WaitingFiles {
  write(bytes: Uint8Array): void;
  /** All that was written. */
  read(): Uint8Array;
  close(): void;
}

/** The files of an index, as they are compared with those of its input. */
export interface IndexedFiles {
  /** When the index was built, in milliseconds since 1970. */
  readonly built_at: number;
  readonly paths: readonly string[];
  /** The text as it was indexed. */
  text(path: string): Promise<string>;
}

/** Hears changes. */
export interface Watcher {
  /** The folders that count, the root as the empty path: after every walk. True where some of them were not heard before. */
  folders(paths: readonly string[]): boolean;
  /** Resolves when all that happened before was heard; false where the system may tell later, or never. Absent: false. */
  settled?(): Promise<boolean>;
  close(): void;
}

/** Opened but not walked: a folder, or an archive. */
export type OpenedInput = {
  readonly name: string;
  /** The only folders and files to take in. */
  readonly include?: readonly string[] | undefined;
} & ({ readonly folder: Folder; readonly remote?: Arranged | undefined } | { readonly archive: Uint8Array });

/** Files that come over the network: they are read in their own order, once all of them are known. */
export interface Arranged {
  arrange<T extends { readonly path: string }>(found: readonly T[]): T[];
}
