export interface AffectedArea {
    label: string;
    n_symbols: number;
}

export interface AffectedProcess {
    id: number;
    label: string;
    process_type: string;
    n_steps: number;
    n_affected: number;
    first_affected: number;
}

export interface AssembleRequest {
    query: string;
    max_tokens?: number;
    budget_ratio?: number;
    max_chunks?: number;
    similarity_threshold?: number;
    min_share?: number;
    related_percent?: number;
    languages?: string[];
    paths?: string[];
}

export interface AssembleResponse {
    text: string;
    n_tokens: number;
    pieces: AssembledPiece[];
    n_more: number;
}

export interface AssembledPiece {
    path: string;
    start_line: number;
    end_line: number;
    symbol: string | undefined;
    score: number;
    used_by: string | undefined;
}

export interface AtlasArea {
    area: number;
    label: string;
    is_community: boolean;
    x: number;
    y: number;
    r: number;
    n_files: number;
    n_tests: number;
    n_symbols: number;
    n_lines: number;
    complexity: number;
}

export interface AtlasEdges {
    source: number[];
    target: number[];
    kinds: string[];
    kind: number[];
    count: number[];
    confidence: number[];
    total: number;
}

export interface AtlasFile {
    path: string;
    language: string;
    area: number;
    x: number;
    y: number;
    r: number;
    n_symbols: number;
    n_lines: number;
    complexity: number;
    is_test: boolean;
}

export interface AtlasRequest {
    level?: AtlasLevel;
    area?: string;
    paths?: string[];
    edges?: string[];
    min_confidence?: number;
    max_edges?: number;
    limit?: number;
    offset?: number;
}

export interface AtlasResponse {
    areas: AtlasArea[];
    files: AtlasFile[];
    symbols: AtlasSymbols;
    edges: AtlasEdges;
    page: Page;
}

export interface AtlasSymbols {
    name: string[];
    kinds: string[];
    kind: number[];
    file: number[];
    line: number[];
    complexity: number[];
    x: number[];
    y: number[];
}

export interface Call {
    symbol: Symbol | undefined;
    path: string;
    line: number;
    depth: number;
    via: number;
    confidence: number;
    reason: string;
}

export interface CallersAndReferences {
    callers: CallsResponse;
    references: ReferencesResponse;
}

export interface CallsRequest {
    symbol: string;
    kind?: string;
    depth?: number;
    min_confidence?: number;
    limit?: number;
    offset?: number;
}

export interface CallsResponse {
    symbols: Symbol[];
    calls: Call[];
    n_product: number;
    total: number;
}

export interface Candidate {
    symbol: SymbolRef;
    selector: string;
    n_references: number;
}

export interface ChangeSummary {
    n_symbols: number;
    n_processes: number;
    n_files: number;
    n_dependants: number;
    risk_level: string;
}

export interface ChangedFile {
    path: string;
    old_path: string | undefined;
    status: string;
    index: string;
    n_added: number;
    n_deleted: number;
}

export interface ChangedProcess {
    process: ProcessPlace;
    changed_steps: ChangedStep[];
}

export interface ChangedStep {
    symbol: string;
    step: number;
}

export interface ChangedSymbol {
    symbol: SymbolRef;
    change_type: string;
    touches_declaration: boolean;
    n_lines: number;
}

export interface ChangesTogether {
    path: string;
    files: CoChanged[];
}

export interface ChunkImport {
    module: string;
    name: string;
    local: string;
}

export interface ChunkInfo {
    id: number;
    start_line: number;
    end_line: number;
    node_kind: string;
    symbol: SymbolRef | undefined;
    scope: string[];
    defines: SymbolRef[];
    imports: ChunkImport[];
    complexity: number;
    n_chars: number;
    hash: string;
    embedding_text?: string;
}

export interface ChunksRequest {
    path: string;
    embedding_text?: boolean;
}

export interface ChunksResponse {
    path: string;
    language: string;
    chunks: ChunkInfo[];
}

export interface CoChanged {
    path: string;
    support: number;
    confidence: number;
    reverse?: number;
}

export interface CodeIntelligenceRequest {
    command: IntelligenceCommand;
    symbol: string;
    depth?: number;
    min_confidence?: number;
    limit?: number;
}

export interface CommunitiesRequest {
    limit?: number;
    offset?: number;
    max_bytes?: number;
}

export interface CommunitiesResponse {
    communities: CommunitySummary[];
    page: Page;
}

export interface CommunityRequest {
    community: string;
    limit?: number;
    offset?: number;
    max_bytes?: number;
}

export interface CommunityResponse {
    community: CommunitySummary;
    members: SymbolRef[];
    page: Page;
}

export interface CommunitySummary {
    id: number;
    label: string;
    n_members: number;
    central: SymbolRef[];
}

export interface ContextRequest {
    symbol: string;
    min_confidence?: number;
    tests?: boolean;
    limit?: number;
    offset?: number;
    max_bytes?: number;
}

export interface ContextResponse {
    status: Match;
    symbol: Symbol;
    candidates: Candidate[];
    container: SymbolRef | undefined;
    members: SymbolRef[];
    members_page: Page;
    incoming: RelationGroup[];
    outgoing: RelationGroup[];
    processes: ProcessPlace[];
    processes_page: Page;
    community: string | undefined;
    changes_with?: CoChanged[];
}

export interface Count {
    name: string;
    count: number;
}

export interface CutOff {
    path: string;
    reason: CutOffReason;
    help: string;
}

export interface CyclesRequest {
    from?: string;
    edges?: string[];
    nodes?: string[];
    depth?: number;
    min_confidence?: number;
    limit?: number;
    offset?: number;
    max_bytes?: number;
}

export interface CyclesResponse {
    cycles: WalkCycle[];
    page: Page;
}

export interface CypherNode {
    id: number;
    label: string;
    name: string;
    qualified_name: string;
    path: string | undefined;
    line: number | undefined;
}

export interface CypherPath {
    nodes: CypherNode[];
    relationships: CypherRelationship[];
}

export interface CypherRelationship {
    type: string;
    source: number;
    target: number;
    confidence: number;
    reason: string;
    line: number | undefined;
}

export interface CypherRequest {
    /**
     * `MATCH (f:Function)-[:CALLS]->(g {name: $name}

export interface CypherResponse {
    columns: string[];
    rows: CypherValue[][];
    truncated: boolean;
    n_steps: number;
}

export interface DefinitionHit {
    symbol: SymbolRef;
    priority: number;
}

export interface DefinitionRequest {
    path: string;
    line: number;
    character: number;
}

export interface DefinitionResponse {
    origin: Range | undefined;
    targets: Target[];
}

export interface DepthGroup {
    depth: number;
    meaning: string;
    total: number;
    symbols: Impacted[];
}

export interface DetectChangesRequest {
    diff?: string;
    after?: FileVersion[];
    before?: FileVersion[];
    depth?: number;
    min_confidence?: number;
    tests?: TestScope;
    limit?: number;
    offset?: number;
    max_bytes?: number;
}

export interface DetectChangesResponse {
    summary: ChangeSummary;
    risk: Risk;
    changed_files: ChangedFile[];
    files_page: Page;
    changed_symbols: ChangedSymbol[];
    symbols_page: Page;
    affected_processes: ChangedProcess[];
    processes_page: Page;
    dependants: DepthGroup[];
    dependants_page: Page;
}

export interface Edge {
    caller_file: string;
    caller_name: string;
    caller_line: number;
    callee_file: string;
    callee_name: string;
    callee_line: number;
    kind: string;
    confidence: number;
    reason: string;
}

export interface Enrichment {
    details?: boolean;
    graph?: boolean;
    graph_depth?: number;
    snippet?: boolean;
    max_snippet?: number;
}

export interface ErrorBody {
    code: string;
    message: string;
    help?: string;
}

export interface Explanation {
    terms: TermScore[];
    lexical_score: number;
    lexical_rank: number | undefined;
    vector_score: number | undefined;
    vector_rank: number | undefined;
    fused_score: number;
    signals: SignalEffect[];
    score: number;
}

export interface ExportRequest {
    format: string;
    from?: string;
    to?: string;
    process?: string;
    /**
     * Address that the boxes of an SVG link to, with `{path}

export interface ExportResponse {
    files: ExportedFile[];
    n_nodes: number;
    n_edges: number;
}

export interface ExportedFile {
    name: string;
    text: string;
}

export interface FileEntry {
    path: string;
    language: string;
    n_bytes: number;
    n_lines: number;
    n_symbols: number;
}

export interface FileList {
    files: FileEntry[];
}

export interface FileProblem {
    path: string;
    code: string;
    line: number;
    message: string;
}

export interface FileRename {
    path: string;
    edits: RenameEdit[];
}

export interface FileRequest {
    path: string;
}

export interface FileText {
    path: string;
    language: string;
    text: string;
}

export interface FileVersion {
    path: string;
    text?: string | undefined;
}

export interface FindRequest {
    symbol: string;
    kind?: string;
    fuzzy?: boolean;
    limit?: number;
}

export interface FindResponse {
    symbols: Symbol[];
    total: number;
}

export interface FlowStep {
    step: number;
    symbol: SymbolRef;
    confidence: number;
    community: string | undefined;
}

export interface FoldedHit {
    start_line: number;
    end_line: number;
    score: number;
    symbol: string | undefined;
}

export interface Hit {
    path: string;
    language: string;
    start_line: number;
    end_line: number;
    score: number;
    symbol: string | undefined;
    kind: string | undefined;
    symbol_line?: number;
    guess?: boolean;
    snippet: Snippet;
    why: string[];
    more: FoldedHit[];
    explanation?: Explanation;
}

export interface ImpactRequest {
    symbol: string;
    direction?: ImpactDirection;
    depth?: number;
    min_confidence?: number;
    kinds?: string[];
    tests?: TestScope;
    limit?: number;
    offset?: number;
    max_bytes?: number;
}

export interface ImpactResponse {
    status: Match;
    target: SymbolRef;
    candidates: Candidate[];
    direction: ImpactDirection;
    risk: Risk;
    by_depth: DepthGroup[];
    page: Page;
    n_files: number;
    affected_processes: AffectedProcess[];
    processes_page: Page;
    areas: AffectedArea[];
    changes_with?: CoChanged[];
}

export interface Impacted {
    symbol: SymbolRef;
    relation: string;
    via: number;
    use_line: number;
    confidence: number;
    certainty: number;
    reason: string;
    is_test: boolean;
}

export interface LanguageWords {
    language: string;
    words: string[];
}

export interface LinkRequest {
    path: string;
    line: number;
    character?: number;
    enrich?: Enrichment;
}

export interface LinkResponse {
    chunk: LinkedResult;
    definition: LinkedResult | undefined;
}

export interface LinkedRequest {
    symbol: string;
    depth?: number;
    enrich?: Enrichment;
    limit?: number;
    offset?: number;
    max_bytes?: number;
}

export interface LinkedResponse {
    symbols: SymbolRef[];
    results: LinkedResult[];
    page: Page;
}

export interface LinkedResult {
    chunk: number;
    path: string;
    language: string;
    start_line: number;
    end_line: number;
    symbol: SymbolRef | undefined;
    reason: string;
    confidence: number;
    depth: number;
    call_line: number | undefined;
    signature: string | undefined;
    doc: string | undefined;
    callers: SymbolRef[];
    callees: SymbolRef[];
    snippet: string | undefined;
    snippet_cut: boolean;
}

export interface LocateReading {
    n_frames: number;
    n_names: number;
    n_paths: number;
    n_messages: number;
    versions?: string[];
    options?: string[];
    n_left_out?: number;
}

export interface LocateRequest {
    text: string;
    limit?: number;
    function_limit?: number;
    max_tokens?: number;
    code?: boolean;
    languages?: string[];
    paths?: string[];
    together?: ChangesTogether[];
}

export interface LocateResponse {
    title: string;
    confidence: number;
    known: boolean;
    note?: string;
    read: LocateReading;
    total: number;
    n_more: number;
    files: LocatedFile[];
    n_tokens: number;
    with_history?: boolean;
}

export interface LocatedFile {
    path: string;
    score: number;
    confidence: number;
    why: string[];
    functions: LocatedFunction[];
}

export interface LocatedFunction {
    symbol: string;
    kind: string;
    start_line: number;
    end_line: number;
    rank: number;
    score: number;
    why: string[];
    code?: string;
}

export interface MapRequest {
    max_tokens?: number;
    order?: MapOrder;
    paths?: string[];
    languages?: string[];
}

export interface MapResponse {
    text: string;
    n_tokens: number;
    n_files: number;
    n_more: number;
}

export interface MissingShard {
    shard: number;
    n_files: number;
    code: string;
    message: string;
}

export interface NoRequest {}

export interface Outline {
    path: string;
    symbols: OutlineEntry[];
}

export interface OutlineEntry {
    symbol: Symbol;
    parent: number | undefined;
}

export interface Page {
    total: number;
    offset: number;
    truncated: boolean;
}

export interface PathsRequest {
    from: string;
    to: string;
    direction?: WalkDirection;
    edges?: string[];
    nodes?: string[];
    depth?: number;
    min_confidence?: number;
    limit?: number;
    max_bytes?: number;
}

export interface PathsResponse {
    from: SymbolRef[];
    to: SymbolRef[];
    found: boolean;
    paths: WalkPath[];
    complete: boolean;
}

export interface Position {
    line: number;
    character: number;
}

export interface ProcessHit {
    id: number;
    summary: string;
    priority: number;
    process_type: string;
    entry_kind: string;
    n_steps: number;
    n_symbols: number;
    symbols: ProcessSymbol[];
}

export interface ProcessPlace {
    id: number;
    label: string;
    process_type: string;
    step: number;
    n_steps: number;
}

export interface ProcessRequest {
    process: string;
}

export interface ProcessResponse {
    process: ProcessSummary;
    steps: FlowStep[];
}

export interface ProcessSummary {
    id: number;
    label: string;
    process_type: string;
    entry_kind: string;
    n_steps: number;
    entry: SymbolRef;
    terminal: SymbolRef;
}

export interface ProcessSymbol {
    symbol: SymbolRef;
    step: number;
}

export interface ProcessesRequest {
    symbol?: string;
    entry_kinds?: string[];
    process_type?: string;
    limit?: number;
    offset?: number;
    max_bytes?: number;
}

export interface ProcessesResponse {
    processes: ProcessSummary[];
    page: Page;
}

export interface QueryRequest {
    query: string;
    max_definitions?: number;
    languages?: string[];
    paths?: string[];
    limit?: number;
    offset?: number;
    max_bytes?: number;
}

export interface QueryResponse {
    query: string;
    by_meaning: boolean;
    processes: ProcessHit[];
    processes_page: Page;
    definitions: DefinitionHit[];
    definitions_page: Page;
}

export interface Range {
    start: Position;
    end: Position;
}

export interface Reference {
    path: string;
    line: number;
    range: Range;
    text: string;
    form: string;
    confidence: number;
    reason: string;
    target: number;
    enclosing: string | undefined;
}

export interface ReferencesRequest {
    symbol: string;
    kind?: string;
    limit?: number;
    offset?: number;
}

export interface ReferencesResponse {
    symbols: Symbol[];
    references: Reference[];
    n_product: number;
    total: number;
}

export interface RegexMatch {
    path: string;
    line: number;
    text: string;
    marks: [number, number][];
    before: string[];
    after: string[];
}

export interface RegexRequest {
    pattern: string;
    ignore_case?: boolean;
    whole_word?: boolean;
    paths?: string[];
    languages?: string[];
    context_lines?: number;
    limit?: number;
    max_millis?: number;
}

export interface RegexResponse {
    matches: RegexMatch[];
    truncated: boolean;
    timed_out: boolean;
    cut_off?: CutOff;
    n_files: number;
}

export interface Relation {
    symbol: SymbolRef;
    use_line: number;
    confidence: number;
    reason: string;
    is_test: boolean;
}

export interface RelationGroup {
    kind: string;
    relations: Relation[];
    page: Page;
}

export interface RenameConflict {
    path: string;
    line: number;
    message: string;
}

export interface RenameEdit {
    line: number;
    range: Range;
    old_text: string;
    new_text: string;
    text: string;
    source: EditSource;
    confidence: number | undefined;
    reason: string | undefined;
    place: string;
    applied: boolean;
}

export interface RenameRequest {
    symbol: string;
    new_name: string;
    text_search?: TextSearch;
    min_confidence?: number;
    paths?: string[];
    max_bytes?: number;
    limit?: number;
    offset?: number;
}

export interface RenameResponse {
    old_name: string;
    new_name: string;
    symbols: SymbolRef[];
    n_files: number;
    n_left: number;
    n_graph_edits: number;
    n_text_edits: number;
    changes: FileRename[];
    page: Page;
    conflicts: RenameConflict[];
    diff: string | undefined;
}

export interface Risk {
    level: string;
    reasons: string[];
}

export interface SearchPlan {
    mode: SearchMode;
    why: string;
}

export interface SearchRequest {
    query: string;
    mode?: SearchMode;
    fusion?: SearchFusion;
    languages?: string[];
    paths?: string[];
    kinds?: string[];
    node_types?: string[];
    min_complexity?: number;
    max_complexity?: number;
    similarity_threshold?: number;
    explain?: boolean;
    ungrouped?: boolean;
    weights?: Record<string, number>;
    limit?: number;
    offset?: number;
}

export interface SearchResponse {
    query: string;
    mode: SearchMode;
    plan: SearchPlan;
    intent: string;
    total: number;
    note?: string;
    did_you_mean?: string[];
    processing_time?: number;
    missing_shards?: MissingShard[];
    hits: Hit[];
}

export interface SignalEffect {
    name: string;
    factor: number;
    added: number;
}

export interface SkippedFile {
    path: string;
    code: string;
    message: string;
}

export interface Snippet {
    start_line: number;
    text: string;
    marks: [number, number][];
}

export interface Status {
    name: string;
    built_by: string;
    built_at: number;
    format_version: number;
    n_shards?: number;
    n_files: number;
    n_bytes: number;
    n_lines: number;
    n_symbols: number;
    n_chunks: number;
    n_vectors: number;
    n_edges: number;
    embedder: string;
    dimensions: number;
    languages: Count[];
    kinds: Count[];
    edges: Count[];
    sections: Count[];
    skipped: SkippedFile[];
    problems: FileProblem[];
}

export interface StructuralCapture {
    name: string;
    range: Range;
    text: string;
}

export interface StructuralConstraint {
    name: string;
    regex?: string;
    not_regex?: string;
    kinds?: string[];
}

export interface StructuralFile {
    path: string;
    language: string;
}

export interface StructuralFiles {
    languages: string[];
    files: StructuralFile[];
}

export interface StructuralFilesRequest {
    paths: string[];
    languages: string[];
    words?: LanguageWords[];
}

export interface StructuralFound {
    matches: StructuralMatch[];
    truncated: boolean;
    timed_out: boolean;
    n_steps: number;
}

export interface StructuralMatch {
    path: string;
    language: string;
    start_line: number;
    end_line: number;
    range: Range;
    text: string;
    captures: StructuralCapture[];
}

export interface StructuralPlan {
    words: LanguageWords[];
    unread: UnreadLanguage[];
    limit: number;
    max_steps: number;
    max_millis: number;
}

export interface StructuralRequest {
    pattern?: string;
    query?: string;
    constraints?: StructuralConstraint[];
    strictness?: Strictness;
    paths?: string[];
    languages?: string[];
    limit?: number;
    max_millis?: number;
}

export interface StructuralResponse {
    matches: StructuralMatch[];
    truncated: boolean;
    timed_out: boolean;
    cut_off?: CutOff;
    n_files: number;
    languages: string[];
    unread: UnreadLanguage[];
}

export interface SubgraphRequest {
    from: string;
    direction?: WalkDirection;
    edges?: string[];
    nodes?: string[];
    depth?: number;
    min_confidence?: number;
    limit?: number;
    max_bytes?: number;
}

export interface SubgraphResponse {
    nodes: SymbolRef[];
    nodes_page: Page;
    edges: WalkEdge[];
    edges_page: Page;
    complete: boolean;
}

export interface Symbol {
    id: number;
    name: string;
    qualified_name: string;
    kind: string;
    language: string;
    path: string;
    line: number;
    start_line: number;
    end_line: number;
    name_range: Range;
    signature: string;
    doc: string;
    exported: boolean;
}

export interface SymbolRef {
    id: number;
    name: string;
    qualified_name: string;
    kind: string;
    path: string;
    line: number;
}

export interface SymbolUsage {
    symbol: Symbol;
    n_references: number;
    n_callers: number;
    n_callees: number;
}

export interface Target {
    symbol: Symbol;
    confidence: number;
    reason: string;
}

export interface TermScore {
    term: string;
    document_frequency: number;
    score: number;
}

export interface Tools {
    search: [SearchRequest, SearchResponse];
    locate: [LocateRequest, LocateResponse];
    assemble: [AssembleRequest, AssembleResponse];
    find: [FindRequest, FindResponse];
    usages: [FindRequest, UsagesResponse];
    references: [ReferencesRequest, ReferencesResponse];
    callers: [CallsRequest, CallsResponse];
    callees: [CallsRequest, CallsResponse];
    definition: [DefinitionRequest, DefinitionResponse];
    context: [ContextRequest, ContextResponse];
    impact: [ImpactRequest, ImpactResponse];
    detect_changes: [DetectChangesRequest, DetectChangesResponse];
    rename: [RenameRequest, RenameResponse];
    query: [QueryRequest, QueryResponse];
    trace: [TraceRequest, TraceResponse];
    traverse: [TraverseRequest, TraverseResponse];
    paths: [PathsRequest, PathsResponse];
    cycles: [CyclesRequest, CyclesResponse];
    subgraph: [SubgraphRequest, SubgraphResponse];
    processes: [ProcessesRequest, ProcessesResponse];
    process: [ProcessRequest, ProcessResponse];
    communities: [CommunitiesRequest, CommunitiesResponse];
    community: [CommunityRequest, CommunityResponse];
    atlas: [AtlasRequest, AtlasResponse];
    code_intelligence: [CodeIntelligenceRequest, CodeIntelligenceResponse];
    cypher: [CypherRequest, CypherResponse];
    export: [ExportRequest, ExportResponse];
    link_lsp_to_chunk: [LinkRequest, LinkResponse];
    find_chunks_for_symbol: [LinkedRequest, LinkedResponse];
    get_callers_as_results: [LinkedRequest, LinkedResponse];
    get_callees_as_results: [LinkedRequest, LinkedResponse];
    regex: [RegexRequest, RegexResponse];
    map: [MapRequest, MapResponse];
    outline: [FileRequest, Outline];
    chunks: [ChunksRequest, ChunksResponse];
    file_text: [FileRequest, FileText];
    files: [NoRequest, FileList];
    status: [NoRequest, Status];
}

export interface TraceGap {
    forward: TraceReach;
    backward: TraceReach;
    missing: string;
    across?: TraceStep;
}

export interface TracePath {
    steps: TraceStep[];
    certainty: number;
}

export interface TraceReach {
    n_reached: number;
    depth: number;
    last: SymbolRef[];
}

export interface TraceRequest {
    from: string;
    to: string;
    max_depth?: number;
    limit?: number;
    min_confidence?: number;
    kinds?: string[];
    tests?: boolean;
}

export interface TraceResponse {
    from_status: Match;
    from: SymbolRef;
    from_candidates: Candidate[];
    to_status: Match;
    to: SymbolRef;
    to_candidates: Candidate[];
    direction: TraceDirection;
    paths: TracePath[];
    gap?: TraceGap;
}

export interface TraceStep {
    from: SymbolRef;
    to: SymbolRef;
    relation: string;
    use_line: number;
    confidence: number;
    reason: string;
}

export interface TraverseRequest {
    from: string;
    direction?: WalkDirection;
    order?: WalkOrder;
    edges?: string[];
    nodes?: string[];
    depth?: number;
    min_confidence?: number;
    limit?: number;
    offset?: number;
    max_bytes?: number;
}

export interface TraverseResponse {
    from: SymbolRef[];
    steps: WalkStep[];
    page: Page;
    complete: boolean;
}

export interface UnreadLanguage {
    language: string;
    message: string;
}

export interface UsagesResponse {
    symbols: SymbolUsage[];
    total: number;
}

export interface UserLanguageEntry {
    name: string;
    extensions: string[];
}

export interface WalkCycle {
    n_members: number;
    members: SymbolRef[];
    path: WalkPath;
}

export interface WalkEdge {
    source: number;
    target: number;
    kind: string;
    use_line: number;
    confidence: number;
    reason: string;
}

export interface WalkPath {
    nodes: SymbolRef[];
    edges: WalkEdge[];
}

export interface WalkStep {
    symbol: SymbolRef;
    depth: number;
    via: number;
    relation: string;
    use_line: number;
    confidence: number;
    reason: string;
}

export type AtlasLevel = "areas" | "files" | "symbols";

export type CodeIntelligenceResponse = ({ command: "find" } & FindResponse) | ({ command: "refs" } & ReferencesResponse) | ({ command: "callers" } & CallsResponse) | ({ command: "callees" } & CallsResponse) | ({ command: "similar" } & SearchResponse) | ({ command: "graph" } & TraverseResponse) | ({ command: "query" } & CallersAndReferences);

export type CutOffReason = "steps" | "time";

export type CypherValue = undefined | boolean | number | number | string | CypherValue[] | CypherNode | CypherRelationship | CypherPath | { [key: string]: CypherValue };

export type EditSource = "graph" | "text_search";

export type ImpactDirection = "upstream" | "downstream";

export type IntelligenceCommand = "find" | "refs" | "callers" | "callees" | "similar" | "graph" | "query";

export type MapOrder = "symbols" | "centrality";

export type Match = "found" | "ambiguous";

export type SearchFusion = "weighted" | "rrf";

export type SearchMode = "auto" | "lexical" | "vector" | "hybrid" | "ast" | "graph" | "all";

export type Strictness = "cst" | "smart" | "ast" | "relaxed" | "signature";

export type TestScope = "include" | "exclude" | "only";

export type TextSearch = "off" | "review" | "apply";

export type TraceDirection = "forward" | "backward" | "none";

export type WalkDirection = "out" | "in" | "both";

export type WalkOrder = "breadth" | "depth";
