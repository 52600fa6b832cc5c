//! Connectors: from places and symbols, as editors and language servers know them, to chunks with what the graph knows of them.

use crate::paging::paged;
use crate::{Page, SymbolRef, wire};

wire! {
    /// Optional parts of each result.
    #[derive(Copy, Eq, Default)]
    pub struct Enrichment {
        /// Signature and doc comment of the definition (default true).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub details: Option<bool>,
        /// Callers and callees (default true).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub graph: Option<bool>,
        /// Steps to callers and callees (1 to 5, default 2).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub graph_depth: Option<u32>,
        /// The code (default true).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub snippet: Option<bool>,
        /// Maximum number of characters of code (40 to 100000, default 500). Cut at the end of a line if possible.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub max_snippet: Option<u32>,
    }

    /// Requests the chunk at a place.
    #[derive(Default)]
    #[serde(deny_unknown_fields)]
    pub struct LinkRequest {
        /// Path of the file.
        pub path: String,
        /// 1-based.
        pub line: u32,
        /// Column of a name, 0-based, in UTF-16 units, as language servers count. With it the result is about what the name means,
        /// without it about the definition around the line.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub character: Option<u32>,
        /// Optional parts of the result.
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub enrich: Enrichment,
    }

    /// The chunk of a place.
    pub struct LinkResponse {
        /// The chunk that holds the place.
        pub chunk: LinkedResult,
        /// The definition of the name there, with its chunk; the same as `chunk` for a place in its own definition;
        /// none if nothing is defined around it.
        pub definition: Option<LinkedResult>,
    }
}

paged! {
    /// The chunks of a symbol, or of its callers or callees.
    #[derive(Default)]
    #[serde(deny_unknown_fields)]
    pub struct LinkedRequest {
        /// `add`, `Router.add`, `src/router.ts#add`, `src/router.ts:40`; a name with several definitions selects all of
        /// them.
        pub symbol: String,
        /// Steps to callers or callees (1 to 10, default 1).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub depth: Option<u32>,
        /// Optional parts of each result.
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub enrich: Enrichment,
    }
    /// Maximum number of results (default 20).
    limit, offset, max_bytes;
}

wire! {
    /// Chunks.
    pub struct LinkedResponse {
        /// Definitions that the name was resolved to.
        pub symbols: Vec<SymbolRef>,
        /// The chunks.
        pub results: Vec<LinkedResult>,
        /// The part of the list in this answer.
        pub page: Page,
    }

    /// A chunk as a result, with what is known of its definition.
    pub struct LinkedResult {
        /// Number of the chunk within this index.
        pub chunk: u32,
        /// Path of its file.
        pub path: String,
        /// Language of its file.
        pub language: String,
        /// First line, 1-based.
        pub start_line: u32,
        /// Last line, 1-based, inclusive.
        pub end_line: u32,
        /// The symbol of the result.
        pub symbol: Option<SymbolRef>,
        /// The rule that led here; `compiler-index` where a SCIP index says so, `structure` for the chunk of the place or symbol itself.
        pub reason: String,
        /// Share of such links that are right, 0 to 1.
        pub confidence: f32,
        /// Steps from the requested symbol; 0 for itself.
        pub depth: u32,
        /// Line of the call that led here, 1-based; none without one.
        pub call_line: Option<u32>,
        /// Signature of the definition, on request.
        pub signature: Option<String>,
        /// Its doc comment, on request, if it has one.
        pub doc: Option<String>,
        /// Its callers, nearest first, at most ten; empty unless requested.
        pub callers: Vec<SymbolRef>,
        /// Its callees, nearest first, at most ten; empty unless requested.
        pub callees: Vec<SymbolRef>,
        /// The code, on request, if the index has it.
        pub snippet: Option<String>,
        /// True if the code is longer than the snippet.
        pub snippet_cut: bool,
    }
}
