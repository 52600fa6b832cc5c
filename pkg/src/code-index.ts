/// <reference lib="esnext.disposable" preserve="true" />

/** The index that `Portolan.index` and `Portolan.open` return, and its questions. */

import type {
  AssembleRequest,
  AssembleResponse,
  AtlasRequest,
  AtlasResponse,
  CallsRequest,
  CallsResponse,
  ChunksRequest,
  ChunksResponse,
  CodeIntelligenceRequest,
  CodeIntelligenceResponse,
  CommunitiesRequest,
  CommunitiesResponse,
  CommunityRequest,
  CommunityResponse,
  ContextRequest,
  ContextResponse,
  CyclesRequest,
  CyclesResponse,
  CypherRequest,
  CypherResponse,
  DefinitionRequest,
  DefinitionResponse,
  DetectChangesRequest,
  DetectChangesResponse,
  Edge,
  ExportRequest,
  ExportResponse,
  FileList,
  FileText,
  FindRequest,
  FindResponse,
  ImpactRequest,
  ImpactResponse,
  LinkedRequest,
  LinkedResponse,
  LinkRequest,
  LinkResponse,
  LocateRequest,
  LocateResponse,
  MapRequest,
  MapResponse,
  Outline,
  PathsRequest,
  PathsResponse,
  ProcessesRequest,
  ProcessesResponse,
  ProcessRequest,
  ProcessResponse,
  QueryRequest,
  QueryResponse,
  ReferencesRequest,
  ReferencesResponse,
  RegexRequest,
  RegexResponse,
  RenameRequest,
  RenameResponse,
  SearchMode,
  SearchRequest,
  SearchResponse,
  Status,
  StructuralRequest,
  StructuralResponse,
  SubgraphRequest,
  SubgraphResponse,
  Tools,
  TraceRequest,
  TraceResponse,
  TraverseRequest,
  TraverseResponse,
} from "../wasm/reader.js";
import type { AbortSignal } from "./platform.js";
import { PortolanError } from "./errors.js";
import type { Backend } from "./reading/backend.js";
import { CLOSED, readOnly } from "./reading/closed.js";
import { searchReranked } from "./reading/rerank.js";
import { searchWithFiles } from "./reading/select-files.js";
import type {
  FileChanges,
  FileEdits,
  IndexState,
  SaveOptions,
  SearchOptions,
  Staleness,
  Stored,
  UpdateOptions,
  WatchOptions,
} from "./types.js";

/**
 * An index. Every question is asked with a plain object and answered with one; positions named `line` are 1-based,
 * ranges are 0-based in UTF-16 units. Rejects with a `PortolanError`.
 */
export class CodeIndex {
  /** @internal */
  constructor(
    private backend: Backend,
    private readonly state: IndexState,
  ) {}

  /** The repository's or folder's name. */
  get name(): string {
    return this.state.name;
  }

  /**
   * Brings the index up to date: without `edits`, all files of the folder that was indexed are looked at again; with them, these only. Resolves
   * with what has changed as soon as it can be asked about; vectors of new code follow. The result is that of indexing anew.
   */
  update(edits?: FileEdits, options: UpdateOptions = {}): Promise<FileChanges> {
    if (!this.backend.update) return Promise.reject(readOnly());
    return this.backend.update(edits, options);
  }

  /**
   * Brings the index up to date whenever something changes in the folder that was indexed (Node: any folder by its path; browser: a
   * directory handle, where there is `FileSystemObserver`; otherwise rejects with `watch.unsupported`). Resolves when `signal` ends it.
   */
  watch(options: WatchOptions = {}): Promise<void> {
    if (!this.backend.watch) return Promise.reject(readOnly());
    return this.backend.watch(options);
  }

  /** Whether it is kept in the store. */
  get stored(): Stored {
    return this.state.stored;
  }

  /** Resolves when vectors are computed and the index is stored, where that was asked for; the index can be asked before. */
  get complete(): Promise<void> {
    return this.state.complete;
  }

  /**
   * Where is the code for … : words, a question or an identifier in, ranked pieces of code out. With `selectFiles` files that a function
   * picks are joined with the hits; with `rerank` the first hits are looked at again and come in the order of its scores.
   */
  search(request: SearchRequest | string, options?: SearchOptions): Promise<SearchResponse> {
    const asked = typeof request === "string" ? { query: request } : request;
    const { backend } = this;
    const search = (asked: SearchRequest) => this.backend.ask("search", asked);
    const selects = options?.selectFiles ? { ...options, selectFiles: options.selectFiles } : undefined;
    const paths = async () => (await this.files()).files.map(({ path }) => path);
    const first = selects ? (asked: SearchRequest) => searchWithFiles(search, paths, asked, selects) : search;
    return options?.rerank ? searchReranked(backend, asked, options, first) : first(asked);
  }

  /**
   * The same in layers that run side by side, each answer better than the one before: by words, which are there at once, then by all that the
   * planner chooses, for which the model may still have to load. While somebody types, show the first and replace it; leave the loop to
   * stop.
   */
  async *searchInLayers(request: SearchRequest | string): AsyncGenerator<SearchResponse, void, void> {
    const asked: SearchRequest = typeof request === "string" ? { query: request } : request;
    const layers: SearchMode[] =
      asked.mode === undefined || asked.mode === "auto" || asked.mode === "hybrid"
        ? ["lexical", asked.mode ?? "auto"]
        : [asked.mode];
    const answers = layers.map((mode) => this.search({ ...asked, mode }));
    // An answer that nothing awaits any more may fail.
    for (const answer of answers) answer.catch(() => {});
    for (const answer of answers) yield await answer;
  }

  /** Code for a question, packed into a token budget: the best chunks, the functions that they call and the types that they name. */
  assemble(request: AssembleRequest | string): Promise<AssembleResponse> {
    return this.backend.ask("assemble", typeof request === "string" ? { query: request } : request);
  }

  /** Files and functions that the text of an issue, an error message or a stack trace is about, with reasons. */
  locate(request: LocateRequest | string): Promise<LocateResponse> {
    return this.backend.ask("locate", typeof request === "string" ? { text: request } : request);
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

  /** Everything about a symbol: its definition, incoming and outgoing relations, members, execution flows. */
  context(request: ContextRequest | string): Promise<ContextResponse> {
    return this.backend.ask("context", typeof request === "string" ? { symbol: request } : request);
  }

  /** Returns the impact of a change of it: its dependants, by depth, with a risk level. */
  impact(request: ImpactRequest | string): Promise<ImpactResponse> {
    return this.backend.ask("impact", typeof request === "string" ? { symbol: request } : request);
  }

  /** Returns the effects of a change: changed symbols, execution flows, dependants. A string is a unified diff. */
  detectChanges(request: DetectChangesRequest | string): Promise<DetectChangesResponse> {
    return this.backend.ask("detect_changes", typeof request === "string" ? { diff: request } : request);
  }

  /** The edits that give a symbol another name, and a diff. Nothing is written: `applyRename` of `portolan/files` does that. */
  rename(request: RenameRequest): Promise<RenameResponse> {
    return this.backend.ask("rename", request);
  }

  /** Which execution flows, and which definitions outside of them, have to do with a question. */
  query(request: QueryRequest | string): Promise<QueryResponse> {
    return this.backend.ask("query", typeof request === "string" ? { query: request } : request);
  }

  /** How one symbol leads to another: calls, nested functions, callbacks, implementations. */
  trace(request: TraceRequest): Promise<TraceResponse> {
    return this.backend.ask("trace", request);
  }

  /** Returns everything within reach of a symbol, file, folder or package: which way, over which edges, through which nodes, how far. */
  traverse(request: TraverseRequest | string): Promise<TraverseResponse> {
    return this.backend.ask("traverse", typeof request === "string" ? { from: request } : request);
  }

  /** Ways from one to the other, the shortest first. */
  paths(request: PathsRequest): Promise<PathsResponse> {
    return this.backend.ask("paths", request);
  }

  /** Finds cycles. */
  cycles(request: CyclesRequest = {}): Promise<CyclesResponse> {
    return this.backend.ask("cycles", request);
  }

  /** Returns everything around a symbol, file, folder or package, and the edges among that. */
  subgraph(request: SubgraphRequest | string): Promise<SubgraphResponse> {
    return this.backend.ask("subgraph", typeof request === "string" ? { from: request } : request);
  }

  /** Execution flows: chains of calls from entry points. */
  processes(request: ProcessesRequest = {}): Promise<ProcessesResponse> {
    return this.backend.ask("processes", request);
  }

  /** One execution flow by its label or number, step by step. */
  process(request: ProcessRequest | string): Promise<ProcessResponse> {
    return this.backend.ask("process", typeof request === "string" ? { process: request } : request);
  }

  /** Functional areas: symbols that call and use one another more than others. */
  communities(request: CommunitiesRequest = {}): Promise<CommunitiesResponse> {
    return this.backend.ask("communities", request);
  }

  /** One functional area by its label or number, with its members. */
  community(request: CommunityRequest | string): Promise<CommunityResponse> {
    return this.backend.ask("community", typeof request === "string" ? { community: request } : request);
  }

  /** The questions about one symbol under one name: find, refs, callers, callees, similar, graph, query. */
  codeIntelligence(request: CodeIntelligenceRequest): Promise<CodeIntelligenceResponse> {
    return this.backend.ask("code_intelligence", request);
  }

  /** Any tool by its name, as over HTTP. */
  ask<T extends keyof Tools>(tool: T, request: Tools[T][0]): Promise<Tools[T][1]> {
    return this.backend.ask(tool, request);
  }

  /** A table from the graph, by a read-only Cypher query: `MATCH (f:Function)-[:CALLS]->(g {name: $name}) RETURN f.path, f.name`. */
  cypher(request: CypherRequest | string): Promise<CypherResponse> {
    return this.backend.ask("cypher", typeof request === "string" ? { query: request } : request);
  }

  /** A piece of the graph for other tools: GraphML, JSON, CSV, DOT, Mermaid. */
  export(request: ExportRequest | ExportRequest["format"]): Promise<ExportResponse> {
    return this.backend.ask("export", typeof request === "string" ? { format: request } : request);
  }

  /** The chunk at a place, and the definition of the name there, with code, callers and callees. */
  linkLspToChunk(request: LinkRequest): Promise<LinkResponse> {
    return this.backend.ask("link_lsp_to_chunk", request);
  }

  /** The chunks that hold a symbol, with code, callers and callees. */
  findChunksForSymbol(request: LinkedRequest | string): Promise<LinkedResponse> {
    return this.backend.ask("find_chunks_for_symbol", typeof request === "string" ? { symbol: request } : request);
  }

  /** The chunks of the callers of a symbol. */
  getCallersAsResults(request: LinkedRequest | string): Promise<LinkedResponse> {
    return this.backend.ask("get_callers_as_results", typeof request === "string" ? { symbol: request } : request);
  }

  /** The chunks of those whom a symbol calls. */
  getCalleesAsResults(request: LinkedRequest | string): Promise<LinkedResponse> {
    return this.backend.ask("get_callees_as_results", typeof request === "string" ? { symbol: request } : request);
  }

  /** Lines that match a regular expression. */
  regex(request: RegexRequest | string): Promise<RegexResponse> {
    return this.backend.ask("regex", typeof request === "string" ? { pattern: request } : request);
  }

  /**
   * Finds code by a pattern with metavariables (`foo($A)`, `$$$ARGS` for any number of nodes), or by a tree-sitter query. Parses the
   * files that may match, in workers; a signal ends the search.
   */
  structural(
    request: StructuralRequest | string,
    { signal, onProgress }: { signal?: AbortSignal; onProgress?: (done: number, total: number) => void } = {},
  ): Promise<StructuralResponse> {
    return this.backend.structural(typeof request === "string" ? { pattern: request } : request, signal, onProgress);
  }

  /** Returns areas, files or symbols with their places on a plane, which are the same everywhere, and the edges between them. */
  atlas(request: AtlasRequest = {}): Promise<AtlasResponse> {
    return this.backend.ask("atlas", request);
  }

  /** Returns the repository map: files and their definitions within a token budget. */
  map(request: MapRequest = {}): Promise<MapResponse> {
    return this.backend.ask("map", request);
  }

  /** The definitions of a file. */
  outline(path: string): Promise<Outline> {
    return this.backend.ask("outline", { path });
  }

  /** The pieces that a file was cut into, with scope, definitions, imports used, complexity and hash of each. */
  chunks(request: string | ChunksRequest): Promise<ChunksResponse> {
    return this.backend.ask("chunks", typeof request === "string" ? { path: request } : request);
  }

  /** A file's text, as it was when it was indexed. */
  text(path: string): Promise<FileText> {
    return this.backend.ask("file_text", { path });
  }

  /** All indexed files. */
  files(): Promise<FileList> {
    return this.backend.ask("files", {});
  }

  /** Every resolved edge of the code graph by names: thousands of rows on a real repository. */
  edges(): Promise<Edge[]> {
    return this.backend.ask("edges", null);
  }

  /** Counts, sizes, model, skipped files and problems. */
  status(): Promise<Status> {
    return this.backend.ask("status", {});
  }

  /**
   * The files that have changed since the index was built: of a folder that was indexed or whose index was opened by its path. Undefined
   * where the files are not available, as those of a snapshot from elsewhere.
   */
  async stale(): Promise<Staleness | undefined> {
    return this.backend.stale?.();
  }

  /**
   * Highlighting of a file: triples of start, end (UTF-16 units in `text(path)`) and class, an index into
   * `HIGHLIGHT_CLASSES`; sorted, none overlapping. With `text`, of that text as if the file had it: another version, at most 5 million units.
   */
  highlights(path: string, text?: string): Promise<Uint32Array> {
    return this.backend.highlights(path, text);
  }

  /**
   * Names that hold within a file only: parameters, local variables and imported names, each with its binding. Rows of seven numbers in
   * source order: start and end of the name, start and end of the name where it is bound, the kind (0 variable, 1 parameter, 2 import),
   * start and end of the module an import names. Positions are UTF-16 units in `text(path)`.
   */
  locals(path: string): Promise<Uint32Array> {
    return this.backend.locals(path);
  }

  /** The snapshot: one file that `Portolan.open` takes everywhere; with a passphrase, or a key for its paths, only with these. */
  save(options: SaveOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
    return this.backend.save(options);
  }

  /** Stores the index from now on, as `store: true` does when one is made: one that was opened from a file is there on the next visit. */
  async keep(name: string = this.name): Promise<Stored> {
    if (!this.backend.keep)
      throw new PortolanError(
        "storage.unavailable",
        "an index that was opened in this thread is not stored",
        "write what save() gives to a file",
      );
    const stored = await this.backend.keep(name);
    this.state.stored = stored;
    return stored;
  }

  /**
   * Frees memory and ends the workers. Unfinished work rejects with `index.closed`, and so does every later question; closing again does
   * nothing.
   */
  close(): void {
    const { backend } = this;
    this.backend = CLOSED;
    backend.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
