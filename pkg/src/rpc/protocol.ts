/** Messages between the page, the index worker, the parsing workers and the embedding worker. */

import type {
  Edge,
  ErrorBody,
  FileEntry,
  StructuralMatch,
  StructuralPlan,
  StructuralRequest,
  StructuralResponse,
  Tools,
} from "../../wasm/reader.js";
import type { File, WebAssembly } from "../platform.js";
import type {
  ChunkOptions,
  EmbeddingModel,
  FileChanges,
  FileEdits,
  FileInput,
  IndexOptions,
  Input,
  Progress,
  Protection,
  RerankModel,
  SealPhase,
  Staleness,
  Stored,
  UserGrammar,
  OpenLimits,
} from "../types.js";

/** A language as a parsing worker takes it in. */
export interface LanguageInit {
  readonly name: string;
  readonly extensions: string[];
  readonly symbols: string;
  readonly references: string;
  readonly highlights: string;
}

/** Every question that an index answers, with its request and its answer: the tools, and answers too long for a tool. */
export interface Questions extends Tools {
  edges: [null, Edge[]];
}
export type Question = keyof Questions;

/** The options that cross to the index worker; functions and signals stay with the caller. */
export const WORK_OPTIONS = [
  "name",
  "workers",
  "memory",
  "store",
  "embeddings",
  "approximate",
  "model",
  "source",
  "chunks",
  "scip",
  "grammars",
  "previous",
  "hints",
  "early",
  "remote",
] as const satisfies readonly (keyof IndexOptions)[];

export type WorkOptions = Pick<IndexOptions, (typeof WORK_OPTIONS)[number]> & {
  /** The index will be saved at once. */
  saves?: boolean;
  /** The input is the files that differ from `previous`; all others are as there. */
  replay?: Replay;
};

/** The rest of the difference from an earlier index. */
export interface Replay {
  /** Paths that are gone. */
  readonly deleted: readonly string[];
  /** All files that were left out, and why. */
  readonly skipped: readonly { readonly path: string; readonly code: string; readonly message: string }[];
}

/** Events of the index worker on the way. */
export type IndexEvent =
  | { type: "progress"; progress: Progress }
  | { type: "warning"; warning: ErrorBody }
  /** The README of a source on another host, before anything is indexed. */
  | { type: "readme"; readme: { path: string; text: string } }
  /** Words, names and the graph can be asked from now on; again where they know of more files than before. */
  | { type: "usable"; name: string }
  | { type: "vectors" }
  /** All files were looked at, in these folders. */
  | { type: "folders"; folders: readonly string[] }
  /** The files as they are now are in the index, and can be asked about. */
  | { type: "changes"; changes: FileChanges; milliseconds: number }
  | { type: "stored"; stored: StoredState };

/** `Stored` with its error in wire form. */
export type StoredState = { state: Stored["state"]; error?: ErrorBody };

/** In place of an input whose files were offered before: a list of `File`s, or files by path. */
export type Offered = { readonly offered: "list" | "files" };

/** Page → index worker. One worker holds one index. */
export interface IndexProtocol {
  /** Some of the files of an input that is too long for one message. */
  offer: { request: readonly (File | FileInput)[]; response: null };
  /** Answers when everything is done, vectors and saving included; `usable` comes before. */
  index: { request: { input: Input | Offered; options: WorkOptions }; response: null; event: IndexEvent };
  open: {
    request: (
      | { name: string }
      | { url: string }
      | { bytes: Uint8Array; passphrase?: string | undefined; pathKey?: string | undefined }
      | { files: readonly File[]; passphrase?: string | undefined; pathKey?: string | undefined }
    ) & {
      grammars?: readonly UserGrammar[] | undefined;
      model?: EmbeddingModel | undefined;
      limits?: OpenLimits | undefined;
    };
    response: { name: string };
    event: IndexEvent;
  };
  /** The files of a large repository come in parts; the answer holds the last ones. */
  ask: { request: { question: Question; request: unknown }; response: unknown; event: { files: FileEntry[] } };
  highlights: { request: { path: string; text?: string | undefined }; response: Uint32Array };
  locals: { request: string; response: Uint32Array };
  structural: { request: StructuralRequest; response: StructuralResponse; event: { done: number; total: number } };
  /** The files that have changed since; null where they are not available. */
  stale: { request: null; response: Staleness | null };
  /** Stores the index under this name. */
  keep: { request: string; response: StoredState };
  /** As it is, or protected. */
  save: { request: Protection; response: Uint8Array<ArrayBuffer>; event: { phase: SealPhase } };
  /** Answers when vectors are in, too; `changes` comes before. Without `edits` all files are looked at. */
  update: { request: { edits?: FileEdits | undefined }; response: null; event: IndexEvent };
  /** Goes on until it is cancelled. */
  watch: { request: { debounce_ms: number }; response: null; event: IndexEvent };
}

/** Index worker → sealing worker. */
export interface SealProtocol {
  protect: {
    request: Protection & { bytes: Uint8Array<ArrayBuffer> };
    response: Uint8Array<ArrayBuffer>;
    event: { phase: SealPhase };
  };
}

/** A text to parse. */
export interface ParseFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Set after a crash: read it as plain text and report this. */
  readonly crash?: string;
}

/** The result of a batch in a parsing worker. */
export interface ParseResult {
  /** Path and file unit, in the order of the batch. */
  units: { path: string; unit: Uint8Array<ArrayBuffer> }[];
  /** The file at which the parser broke; those after it were not read, and this worker is of no use any more. */
  crashed?: { path: string; message: string };
  /** Bytes of wasm memory, which never shrinks. */
  memory: number;
  warnings: ErrorBody[];
}

/** A text to look for a pattern in. */
export interface PatternFile {
  readonly path: string;
  readonly language: string;
  readonly text: string;
}

/** Texts in which a pattern is looked for, and how long. */
export interface PatternBatch {
  readonly files: PatternFile[];
  readonly limit: number;
  readonly max_millis: number;
  /** Steps that the search may take in all texts: a batch that takes more starts no further text. */
  readonly max_steps: number;
}

/** The matches of a pattern in a batch of texts. */
export interface PatternResult {
  matches: StructuralMatch[];
  truncated: boolean;
  /** The time was up, or the parser broke on a text. */
  timed_out: boolean;
  /** Texts that were parsed. */
  n_files: number;
  /** Steps that each of them took. */
  n_steps: number[];
  /** The worker is of no use any more. */
  is_lost?: boolean;
}

/** A text of which columns are wanted; `grammars` as in `parse`. */
export interface ColumnsRequest {
  readonly path: string;
  readonly text: string;
  readonly grammars: Record<string, WebAssembly.Module>;
}

/** Index worker → parsing worker. */
export interface ParseProtocol {
  start: {
    request: {
      engine: WebAssembly.Module;
      chunks?: ChunkOptions | undefined;
      languages?: readonly LanguageInit[] | undefined;
      /** Whether users' grammars may follow: the worker then removes constructors that compile text into code. */
      guests?: boolean | undefined;
    };
    response: null;
  };
  /** `grammars`: those that this worker has not been sent before. */
  parse: { request: { files: ParseFile[]; grammars: Record<string, WebAssembly.Module> }; response: ParseResult };
  /** The grammar that a text needs, if it needs one. */
  grammarOf: { request: { path: string; text: string }; response: string | null };
  highlights: { request: ColumnsRequest; response: Uint32Array<ArrayBuffer> };
  locals: { request: ColumnsRequest; response: Uint32Array<ArrayBuffer> };
  /** Reads a pattern in these languages; it takes the place of the one before. `grammars`: all that they need. */
  readPattern: {
    request: { request: StructuralRequest; languages: string[]; grammars: Record<string, WebAssembly.Module> };
    response: StructuralPlan;
  };
  /** Loads the model that ships, or says that it is none that the engine evaluates. Between parsing and building a worker embeds. */
  startModel: { request: null; response: { name: string; dimensions: number } | null };
  /** Rows as an index keeps them, `dimensions` numbers for each text. */
  embed: { request: Texts; response: Int8Array<ArrayBuffer> };
  /** Packs a section of a snapshot from its archive: bytes of the file, name by name. */
  packSection: {
    request: { name: string; archive: Uint8Array<ArrayBuffer> };
    response: [name: string, bytes: Uint8Array<ArrayBuffer>][];
  };
  /** Packs blocks of texts, and where each ends, as the file holds them. */
  packTexts: {
    request: { blocks: Uint8Array<ArrayBuffer>; ends: Uint32Array<ArrayBuffer> };
    response: Uint8Array<ArrayBuffer>[];
  };
  /** Finds the matches of the pattern that was read last. */
  findPattern: { request: PatternBatch; response: PatternResult };
}

/** Texts, one after the other, and where each ends. */
export interface Texts {
  texts: Uint8Array<ArrayBuffer>;
  ends: Uint32Array<ArrayBuffer>;
}

/** Index worker → embedding worker. */
export interface EmbedProtocol {
  /** The worker fetches runtime and model by itself: the index worker may be busy building. */
  start: {
    request: { model?: EmbeddingModel | undefined; engine?: WebAssembly.Module | undefined };
    response: { name: string; dimensions: number };
  };
  /** Row by row, `dimensions` numbers for each text. The texts are UTF-8, one after the other. */
  embed: { request: Texts; response: Float32Array<ArrayBuffer> };
  query: { request: string; response: Float32Array<ArrayBuffer> };
  /** A graph over rows of `dim` numbers of eight bits. Minutes for 100,000; needs no `start`. */
  neighbours: { request: { dim: number; rows: Int8Array<ArrayBuffer> }; response: Uint32Array<ArrayBuffer> };
  /** Loads a cross-encoder instead. */
  startScoring: { request: RerankModel; response: { name: string } };
  /** One number for each text. */
  score: { request: Texts & { query: string }; response: Float32Array<ArrayBuffer> };
}
