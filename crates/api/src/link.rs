//! Connectors: from places and symbols, as editors and language servers know them, to chunks with what the graph knows of them.

use crate::{Page, SymbolRef, wire};

wire! {
    /// What is told of each result.
    #[derive(Copy, Eq, Default)]
    pub struct Enrichment {
        /// Signature and doc comment of the definition; yes if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub details: Option<bool>,
        /// Callers and callees; yes if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub graph: Option<bool>,
        /// Steps to callers and callees (1 to 5); 2 if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub graph_depth: Option<u32>,
        /// The code; yes if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub snippet: Option<bool>,
        /// Most characters of the code (40 to 100000); 500 if absent. Cut at the end of a line where there is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub max_snippet: Option<u32>,
    }

    /// Which chunk holds a place, and what is there?
    #[derive(Default)]
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
        /// What is told of it.
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub enrich: Enrichment,
    }

    /// The chunk of a place.
    pub struct LinkResponse {
        /// The chunk that holds the place.
        pub chunk: LinkedResult,
        /// What the name there means, with the chunk that defines it; the same as `chunk` for a place in its own definition; none where
        /// nothing is defined around it.
        pub definition: Option<LinkedResult>,
    }

    /// The chunks of a symbol, or of its callers or callees.
    #[derive(Default)]
    pub struct LinkedRequest {
        /// `add`, `Router.add`, `src/router.ts#add`, `src/router.ts:40`; a name with several definitions stands for all.
        pub symbol: String,
        /// Steps to callers or callees (1 to 10); 1 if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub depth: Option<u32>,
        /// What is told of each.
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub enrich: Enrichment,
        /// At most so many; 20 if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub limit: Option<u32>,
        /// Leave out so many first.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub offset: Option<u32>,
        /// The list ends where the answer would have more bytes of JSON than this; 32768 if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub max_bytes: Option<u32>,
    }

    /// Chunks.
    pub struct LinkedResponse {
        /// What the name was taken for.
        pub symbols: Vec<SymbolRef>,
        /// The chunks.
        pub results: Vec<LinkedResult>,
        /// Which part of them is here.
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
        /// What the result is about.
        pub symbol: Option<SymbolRef>,
        /// The rule that led here; `compiler-index` where a SCIP index says so, `structure` for the chunk of the place or symbol itself.
        pub reason: String,
        /// Share of such links that are right, 0 to 1.
        pub confidence: f32,
        /// Steps from the symbol asked for; 0 for itself.
        pub depth: u32,
        /// Line of the call that led here, 1-based; none without one.
        pub call_line: Option<u32>,
        /// Signature of the definition, if asked for.
        pub signature: Option<String>,
        /// Its doc comment, if asked for and there.
        pub doc: Option<String>,
        /// Who calls it, nearest first, at most ten; empty if not asked for.
        pub callers: Vec<SymbolRef>,
        /// Whom it calls, nearest first, at most ten; empty if not asked for.
        pub callees: Vec<SymbolRef>,
        /// The code, if asked for and there.
        pub snippet: Option<String>,
        /// Whether the code is longer than the snippet.
        pub snippet_cut: bool,
    }
}
