/** What goes between the page, the index worker, the parsing workers and the embedding worker. */

import type {
  CallsRequest,
  CallsResponse,
  DefinitionRequest,
  DefinitionResponse,
  Edge,
  ErrorBody,
  FileList,
  FileText,
  FindRequest,
  FindResponse,
  Outline,
  ReferencesRequest,
  ReferencesResponse,
  RegexRequest,
  RegexResponse,
  SearchRequest,
  SearchResponse,
  Status,
} from "../wasm/reader.js";
import type { FileInput, IndexOptions, Input, Progress, Stored } from "./types.js";

/** Every question that an index answers, with its request and its answer. */
export interface Questions {
  search: [SearchRequest, SearchResponse];
  find: [FindRequest, FindResponse];
  references: [ReferencesRequest, ReferencesResponse];
  callers: [CallsRequest, CallsResponse];
  callees: [CallsRequest, CallsResponse];
  definition: [DefinitionRequest, DefinitionResponse];
  regex: [RegexRequest, RegexResponse];
  outline: [string, Outline];
  fileText: [string, FileText];
  files: [null, FileList];
  edges: [null, Edge[]];
  status: [null, Status];
}
export type Question = keyof Questions;

/** The part of the options that crosses to the index worker. */
export type WorkOptions = Pick<IndexOptions, "name" | "workers" | "store" | "embeddings" | "source">;

/** What the index worker says on the way. */
export type IndexEvent =
  | { type: "progress"; progress: Progress }
  | { type: "warning"; warning: ErrorBody }
  /** Words, names and the graph can be asked from now on. */
  | { type: "usable"; name: string }
  | { type: "vectors" }
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
  open: { request: { name: string } | { bytes: Uint8Array }; response: { name: string }; event: IndexEvent };
  ask: { request: { question: Question; request: unknown }; response: unknown };
  highlights: { request: string; response: Uint32Array };
  save: { request: null; response: Uint8Array<ArrayBuffer> };
}

/** A text to parse. */
export interface ParseFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Set after a crash: read it as plain text and report this. */
  readonly crash?: string;
}

/** What a parsing worker made of a batch. */
export interface ParseResult {
  /** Path and file unit, in the order of the batch. */
  units: { path: string; unit: Uint8Array<ArrayBuffer> }[];
  /** The file at which the parser broke; those after it were not read, and this worker is of no use any more. */
  crashed?: { path: string; message: string };
  /** Bytes of wasm memory, which never shrinks. */
  memory: number;
  warnings: ErrorBody[];
}

/** Index worker → parsing worker. */
export interface ParseProtocol {
  start: { request: { engine: WebAssembly.Module }; response: null };
  /** `grammars`: those that this worker has not been sent before. */
  parse: { request: { files: ParseFile[]; grammars: Record<string, WebAssembly.Module> }; response: ParseResult };
  /** The grammar that a text needs, if it needs one. */
  grammarOf: { request: { path: string; text: string }; response: string | null };
  highlights: { request: { path: string; text: string; grammars: Record<string, WebAssembly.Module> }; response: Uint32Array<ArrayBuffer> };
}

/** Index worker → embedding worker. */
export interface EmbedProtocol {
  /** The worker fetches runtime and model by itself: the index worker may be busy building. */
  start: { request: null; response: { name: string; dimensions: number } };
  /** Row by row, `dimensions` numbers for each text. */
  embed: { request: string[]; response: Float32Array<ArrayBuffer> };
}
