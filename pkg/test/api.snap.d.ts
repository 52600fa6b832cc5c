export interface Call {
    symbol: Symbol | undefined;
    path: string;
    line: number;
    depth: number;
    via: number;
    confidence: number;
    reason: string;
}

export interface CallsRequest {
    symbol: string;
    depth?: number;
    min_confidence?: number;
    limit?: number;
}

export interface CallsResponse {
    symbols: Symbol[];
    calls: Call[];
    total: number;
}

export interface Count {
    name: string;
    count: number;
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

export interface FileText {
    path: string;
    language: string;
    text: string;
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
    snippet: Snippet;
    why: string[];
    more: FoldedHit[];
    explanation?: Explanation;
}

export interface Outline {
    path: string;
    symbols: OutlineEntry[];
}

export interface OutlineEntry {
    symbol: Symbol;
    parent: number | undefined;
}

export interface Position {
    line: number;
    character: number;
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
    limit?: number;
    offset?: number;
}

export interface ReferencesResponse {
    symbols: Symbol[];
    references: Reference[];
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
}

export interface RegexResponse {
    matches: RegexMatch[];
    truncated: boolean;
    n_files: number;
}

export interface SearchRequest {
    query: string;
    limit?: number;
    offset?: number;
    mode?: SearchMode;
    languages?: string[];
    paths?: string[];
    kinds?: string[];
    explain?: boolean;
    ungrouped?: boolean;
}

export interface SearchResponse {
    query: string;
    mode: SearchMode;
    intent: string;
    total: number;
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

export interface UsagesResponse {
    symbols: SymbolUsage[];
    total: number;
}

export type SearchMode = "auto" | "lexical" | "vector" | "hybrid";
