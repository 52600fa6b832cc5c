/// <reference lib="esnext.disposable" preserve="true" />

/** What `Portolan.index` and `Portolan.open` give: one index, to be asked. */

import type {
  CallsRequest,
  CallsResponse,
  DefinitionRequest,
  DefinitionResponse,
  Edge,
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
import type { Question, Questions } from "./protocol.js";
import type { Stored } from "./types.js";

/** Where the answers come from: a worker, or this thread. */
export interface Backend {
  ask<Q extends Question>(question: Q, request: Questions[Q][0]): Promise<Questions[Q][1]>;
  highlights(path: string): Promise<Uint32Array>;
  save(): Promise<Uint8Array<ArrayBuffer>>;
  close(): void;
}

/** What is known of an index while work on it goes on. */
export interface IndexState {
  name: string;
  stored: Stored;
  /** Resolves when vectors and saving are done, too. */
  readonly complete: Promise<void>;
}

/**
 * An index. Every question is asked with a plain object and answered with one; positions named `line` are 1-based,
 * ranges are 0-based in UTF-16 units. Rejects with a `PortolanError`.
 */
export class CodeIndex {
  /** @internal */
  constructor(
    private readonly backend: Backend,
    private readonly state: IndexState,
  ) {}

  /** The repository's or folder's name. */
  get name(): string {
    return this.state.name;
  }

  /** Whether it is kept in the store. */
  get stored(): Stored {
    return this.state.stored;
  }

  /** Resolves when vectors are computed and the index is stored, where that was asked for; the index can be asked before. */
  get complete(): Promise<void> {
    return this.state.complete;
  }

  /** Where is the code for … : words, a question or an identifier in, ranked pieces of code out. */
  search(request: SearchRequest | string): Promise<SearchResponse> {
    return this.backend.ask("search", typeof request === "string" ? { query: request } : request);
  }

  /** Which definitions have this name: `add`, `Router.add`, `src/router.ts#add`, `src/router.ts:40`. */
  find(request: FindRequest | string): Promise<FindResponse> {
    return this.backend.ask("find", typeof request === "string" ? { symbol: request } : request);
  }

  /** Who uses it. */
  references(request: ReferencesRequest | string): Promise<ReferencesResponse> {
    return this.backend.ask("references", typeof request === "string" ? { symbol: request } : request);
  }

  /** Who calls it, `depth` steps back. */
  callers(request: CallsRequest | string): Promise<CallsResponse> {
    return this.backend.ask("callers", typeof request === "string" ? { symbol: request } : request);
  }

  /** Whom it calls, `depth` steps on. */
  callees(request: CallsRequest | string): Promise<CallsResponse> {
    return this.backend.ask("callees", typeof request === "string" ? { symbol: request } : request);
  }

  /** Where the name at a position is defined. */
  definition(request: DefinitionRequest): Promise<DefinitionResponse> {
    return this.backend.ask("definition", request);
  }

  /** Lines that match a regular expression. */
  regex(request: RegexRequest | string): Promise<RegexResponse> {
    return this.backend.ask("regex", typeof request === "string" ? { pattern: request } : request);
  }

  /** The definitions of a file. */
  outline(path: string): Promise<Outline> {
    return this.backend.ask("outline", path);
  }

  /** A file's text, as it was when it was indexed. */
  text(path: string): Promise<FileText> {
    return this.backend.ask("fileText", path);
  }

  /** All indexed files. */
  files(): Promise<FileList> {
    return this.backend.ask("files", null);
  }

  /** Every resolved edge of the code graph by names: thousands of rows on a real repository. */
  edges(): Promise<Edge[]> {
    return this.backend.ask("edges", null);
  }

  /** Counts, sizes, model, skipped files and problems. */
  status(): Promise<Status> {
    return this.backend.ask("status", null);
  }

  /**
   * Highlighting of a file: triples of start, end (UTF-16 units in `text(path)`) and class, an index into
   * `HIGHLIGHT_CLASSES`; sorted, none overlapping.
   */
  highlights(path: string): Promise<Uint32Array> {
    return this.backend.highlights(path);
  }

  /** The snapshot: one file that `Portolan.open` takes everywhere. */
  save(): Promise<Uint8Array<ArrayBuffer>> {
    return this.backend.save();
  }

  /** Frees memory and ends the workers. Unfinished work rejects. */
  close(): void {
    this.backend.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
