//! Every question by its name: one list, from which the dispatch, the names and the TypeScript of all hosts are made.
//!
//! A host says how a request is read and an answer is written ([`Exchange`]); nothing else about tools is a host's matter.

use engine::{Index, Reader};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super as answer;
use crate::guard::check_json;
use crate::*;

/// Turns a text into a vector of the index's model; none where there is no model.
pub type Embed<'a> = &'a dyn Fn(&str) -> Result<Option<Vec<f32>>, ErrorBody>;

/// The index that questions are put to, and what a host adds to it.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    /// The index.
    pub index: &'a Index,
    /// Makes the vectors of queries.
    pub embed: Embed<'a>,
    /// Milliseconds since some moment, for time limits; without it only counts limit.
    pub clock: Option<&'a dyn Fn() -> f64>,
}

/// One question: the host's part of [`Asked`], and the question's own reader.
#[derive(Clone, Copy)]
struct Question<'a> {
    reader: &'a Reader,
    embed: Embed<'a>,
    clock: Option<&'a dyn Fn() -> f64>,
}

impl<'a> Question<'a> {
    fn of(asked: Asked<'a>, reader: &'a Reader) -> Self {
        let Asked { embed, clock, .. } = asked;
        Self {
            reader,
            embed,
            clock,
        }
    }
}

/// Tools that compare meanings, where there are vectors and a model.
const BY_MEANING: [&str; 5] = ["search", "locate", "assemble", "query", "code_intelligence"];

/// Returns true for tools that answer better with a vector of the query.
#[must_use]
pub fn wants_vector(tool: &str) -> bool {
    BY_MEANING.contains(&tool)
}

/// Tools that read definitions, edges and uses, and at most some lines of text: no chunks, no words, no vectors.
const BY_SYMBOL: [&str; 27] = [
    "find",
    "references",
    "usages",
    "callers",
    "callees",
    "definition",
    "context",
    "impact",
    "trace",
    "traverse",
    "paths",
    "cycles",
    "subgraph",
    "processes",
    "process",
    "communities",
    "community",
    "atlas",
    "cypher",
    "export",
    "edges",
    "regex",
    "map",
    "outline",
    "file_text",
    "files",
    "rename",
];

/// The sections of a snapshot that a tool reads (`name`: what an index is called); texts and postings come block by block.
#[must_use]
pub fn sections_of(tool: &str) -> &'static [&'static str] {
    if tool == "name" {
        &["info"]
    } else if tool == "status" {
        &["info", "files"]
    } else if BY_SYMBOL.contains(&tool) {
        &["info", "files", "graph", "names", "texts"]
    } else if wants_vector(tool) {
        &[
            "info", "files", "chunks", "graph", "names", "lexical", "postings", "vectors", "texts",
        ]
    } else {
        &[
            "info", "files", "chunks", "graph", "names", "lexical", "postings", "vectors", "texts",
            "facts",
        ]
    }
}

/// Converts requests and answers for a host: JSON text, JavaScript values, …
pub trait Exchange {
    /// An answer in the host's form.
    type Answer;

    /// Reads the request.
    ///
    /// # Errors
    ///
    /// `request.invalid`, naming the field; `request.depth` and `request.too-large` before anything is converted.
    fn request<T: DeserializeOwned>(&self) -> Result<T, ErrorBody>;

    /// Writes the answer.
    ///
    /// # Errors
    ///
    /// `request.invalid` where the host cannot hold it.
    fn answer<T: Serialize>(&self, answer: &T) -> Result<Self::Answer, ErrorBody>;
}

/// Request and answer as JSON text.
pub struct Json<'a>(pub &'a str);

impl Exchange for Json<'_> {
    type Answer = String;

    fn request<T: DeserializeOwned>(&self) -> Result<T, ErrorBody> {
        check_json(self.0)?;
        serde_json::from_str(self.0).map_err(|error| invalid(&error))
    }

    fn answer<T: Serialize>(&self, answer: &T) -> Result<String, ErrorBody> {
        serde_json::to_string(answer).map_err(|error| invalid(&error))
    }
}

fn invalid(error: &serde_json::Error) -> ErrorBody {
    ErrorBody {
        code: "request.invalid".to_owned(),
        message: error.to_string(),
        help: "the request is a JSON object with the fields of the tool".to_owned(),
    }
}

/// A tool's name and what it is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tool {
    /// As hosts call it.
    pub name: &'static str,
    /// One line for people.
    pub about: &'static str,
}

macro_rules! tools {
    ($(#[doc = $doc:literal] $name:ident($request:ident) -> $response:ident = $function:expr;)*) => {
        /// Every tool, in the order in which they are explained.
        pub const TOOLS: &[Tool] = &[$(Tool { name: stringify!($name), about: $doc }),*];

        /// Puts a question by name.
        ///
        /// # Errors
        ///
        /// `request.tool` for a tool that there is not, `request.invalid` for a request that it cannot read, `snapshot.…` where
        /// the index cannot be read, and those of the tool itself.
        pub fn ask<E: Exchange>(asked: Asked<'_>, tool: &str, exchange: &E) -> Result<E::Answer, ErrorBody> {
            match tool {
                $(stringify!($name) => {
                    // A function of its own, so that a lazy compiler compiles only the tool that is called.
                    #[inline(never)]
                    fn one<E: Exchange>(asked: Asked<'_>, exchange: &E) -> Result<E::Answer, ErrorBody> {
                        let request: $request = exchange.request()?;
                        let function: fn(Question<'_>, &$request) -> Result<$response, ErrorBody> = $function;
                        let answer = asked.index.ask(|reader| function(Question::of(asked, reader), &request));
                        exchange.answer(&answer?)
                    }
                    one(asked, exchange)
                })*
                _ => Err(no_tool(tool)),
            }
        }

        /// `name: [request, answer]` of every tool.
        #[cfg(feature = "ts")]
        #[wasm_bindgen::prelude::wasm_bindgen(typescript_custom_section)]
        const TYPESCRIPT: &'static str = concat!(
            "/** Every tool with its request and its answer. */\nexport interface Tools {\n",
            $("    /**", $doc, " */\n    ", stringify!($name), ": [", stringify!($request), ", ", stringify!($response), "];\n",)*
            "}\n"
        );
    };
}

tools! {
    /// Find code by words, a question or an identifier.
    search(SearchRequest) -> SearchResponse = |asked, request| {
        let started = asked.clock.filter(|_| request.explain).map(|clock| (clock, clock()));
        let vector = if request.mode.compares() { (asked.embed)(&request.query)? } else { None };
        let mut found = answer::search(asked.reader, request, vector.as_deref())?;
        found.processing_time = started.map(|(clock, start)| clock() - start);
        Ok(found)
    };
    /// Files and functions that an issue, an error message or a stack trace is about, with reasons.
    locate(LocateRequest) -> LocateResponse = |asked, request| answer::locate(asked.reader, request, asked.embed);
    /// Code for a query within a token budget: the best chunks, their callees and the types that they name.
    assemble(AssembleRequest) -> AssembleResponse = |asked, request| {
        let vector = (asked.embed)(&request.query)?;
        answer::assemble(asked.reader, request, vector.as_deref())
    };
    /// Find definitions by name.
    find(FindRequest) -> FindResponse = |asked, request| answer::find(asked.reader, request);
    /// Find definitions by name, with the number of uses of each.
    usages(FindRequest) -> UsagesResponse = |asked, request| answer::usages(asked.reader, request);
    /// Uses of a symbol.
    references(ReferencesRequest) -> ReferencesResponse = |asked, request| answer::references(asked.reader, request);
    /// Callers of a symbol, step by step.
    callers(CallsRequest) -> CallsResponse = |asked, request| answer::callers(asked.reader, request);
    /// Callees of a symbol, step by step.
    callees(CallsRequest) -> CallsResponse = |asked, request| answer::callees(asked.reader, request);
    /// Definition of the name at a position.
    definition(DefinitionRequest) -> DefinitionResponse = |asked, request| answer::definition(asked.reader, request);
    /// Everything about a symbol: definition, relations by kind, members, execution flows, area.
    context(ContextRequest) -> ContextResponse = |asked, request| answer::context(asked.reader, request);
    /// Dependants that a change of a symbol affects: the blast radius by depth, with a risk level.
    impact(ImpactRequest) -> ImpactResponse = |asked, request| answer::impact(asked.reader, request);
    /// Effects of a change, from a diff or from texts: changed symbols, execution flows, dependants, risk.
    detect_changes(DetectChangesRequest) -> DetectChangesResponse = |asked, request| answer::detect_changes(asked.reader, request);
    /// The edits that rename a symbol, from the graph and from text, with a unified diff.
    rename(RenameRequest) -> RenameResponse = |asked, request| answer::rename(asked.reader, request);
    /// Execution flows, and definitions outside of them, that match a query.
    query(QueryRequest) -> QueryResponse = |asked, request| {
        let vector = (asked.embed)(&request.query)?;
        answer::query(asked.reader, request, vector.as_deref())
    };
    /// Paths from one symbol to another, through calls, nested functions, callbacks and implementations.
    trace(TraceRequest) -> TraceResponse = |asked, request| answer::trace(asked.reader, request);
    /// Everything within reach of a symbol, file or package, over chosen edges.
    traverse(TraverseRequest) -> TraverseResponse = |asked, request| answer::traverse(asked.reader, request);
    /// Paths from one symbol, file or package to another, the shortest first.
    paths(PathsRequest) -> PathsResponse = |asked, request| answer::paths(asked.reader, request);
    /// Cycles of calls, imports, or other edges.
    cycles(CyclesRequest) -> CyclesResponse = |asked, request| answer::cycles(asked.reader, request);
    /// The neighbourhood of a node: nodes and the edges among them.
    subgraph(SubgraphRequest) -> SubgraphResponse = |asked, request| answer::subgraph(asked.reader, request);
    /// Execution flows, the most certain entry points first.
    processes(ProcessesRequest) -> ProcessesResponse = |asked, request| answer::processes(asked.reader, request);
    /// One execution flow, step by step.
    process(ProcessRequest) -> ProcessResponse = |asked, request| answer::process(asked.reader, request);
    /// Communities (functional areas), the largest first.
    communities(CommunitiesRequest) -> CommunitiesResponse = |asked, request| answer::communities(asked.reader, request);
    /// One community with its members.
    community(CommunityRequest) -> CommunityResponse = |asked, request| answer::community(asked.reader, request);
    /// The map of the repository: areas, files and symbols with their places, and the edges between them.
    atlas(AtlasRequest) -> AtlasResponse = |asked, request| answer::atlas(asked.reader, request);
    /// One question about a symbol by a command: find, refs, callers, callees, similar, graph, query.
    code_intelligence(CodeIntelligenceRequest) -> CodeIntelligenceResponse = |asked, request| {
        let wanted = request.command == IntelligenceCommand::Similar;
        let vector = if wanted { (asked.embed)(&request.symbol)? } else { None };
        answer::code_intelligence(asked.reader, request, vector.as_deref())
    };
    /// The result table of a read-only Cypher query on the graph.
    cypher(CypherRequest) -> CypherResponse = |asked, request| answer::cypher(asked.reader, request, asked.clock);
    /// The graph, or a part of it, for other tools: GraphML, JSON, CSV, DOT, Mermaid, SVG.
    export(ExportRequest) -> ExportResponse = |asked, request| answer::export(asked.reader, request);
    /// The chunk at a place and the definition of the name there, with code, callers and callees.
    link_lsp_to_chunk(LinkRequest) -> LinkResponse = |asked, request| answer::link(asked.reader, request);
    /// The chunks that hold a symbol, with code, callers and callees.
    find_chunks_for_symbol(LinkedRequest) -> LinkedResponse = |asked, request| answer::chunks_for_symbol(asked.reader, request);
    /// The chunks of a symbol's callers.
    get_callers_as_results(LinkedRequest) -> LinkedResponse = |asked, request| answer::callers_as_results(asked.reader, request);
    /// The chunks of a symbol's callees.
    get_callees_as_results(LinkedRequest) -> LinkedResponse = |asked, request| answer::callees_as_results(asked.reader, request);
    /// Lines that match a regular expression.
    regex(RegexRequest) -> RegexResponse = |asked, request| answer::regex(asked.reader, request, asked.clock);
    /// The repository map: files and their definitions within a token budget.
    map(MapRequest) -> MapResponse = |asked, request| answer::map(asked.reader, request);
    /// The definitions of a file.
    outline(FileRequest) -> Outline = |asked, request| answer::outline(asked.reader, &request.path);
    /// The chunks of a file, with scope, definitions, imports, complexity and hash of each.
    chunks(ChunksRequest) -> ChunksResponse = |asked, request| answer::chunks(asked.reader, request);
    /// A file's text, as it was when it was indexed.
    file_text(FileRequest) -> FileText = |asked, request| answer::file_text(asked.reader, &request.path);
    /// All indexed files.
    files(NoRequest) -> FileList = |asked, _| Ok(answer::files(asked.reader));
    /// Counts, sizes, model, skipped files and problems.
    status(NoRequest) -> Status = |asked, _| Ok(answer::status(asked.reader));
}

fn no_tool(tool: &str) -> ErrorBody {
    let names: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
    let shown: String = tool.chars().take(60).collect();
    ErrorBody {
        code: "request.tool".to_owned(),
        message: format!("there is no tool {shown:?}"),
        help: format!("one of {}", names.join(", ")),
    }
}
