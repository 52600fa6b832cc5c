//! `code_intelligence`: the questions about a symbol under one name, as agents' tools have them.

use crate::{
    CallsResponse, FindResponse, ReferencesResponse, SearchResponse, TraverseResponse, wire,
};

wire! {
    /// The relation to query.
    #[derive(Copy, Eq)]
    #[serde(rename_all = "snake_case")]
    pub enum IntelligenceCommand {
        /// Its definitions.
        Find,
        /// Its uses.
        Refs,
        /// Its callers.
        Callers,
        /// Whom it calls.
        Callees,
        /// Code like it; `symbol` may be a description in words.
        Similar,
        /// Its callers and users, level by level.
        Graph,
        /// Callers and references in one answer.
        Query,
    }

    /// A question about a symbol.
    #[serde(deny_unknown_fields)]
    pub struct CodeIntelligenceRequest {
        /// The relation to query.
        pub command: IntelligenceCommand,
        /// As in [`crate::FindRequest`]; for `similar` also words.
        pub symbol: String,
        /// Number of steps (1 to 10, default 2), for relations with steps.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub depth: Option<u32>,
        /// Minimum confidence of edges (default 0), for relations over edges.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub min_confidence: Option<f32>,
        /// Maximum number of results (default 50, 10 for `similar`).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub limit: Option<u32>,
    }

    /// The answer, with the fields of the tool that the command calls.
    #[serde(tag = "command", rename_all = "snake_case")]
    pub enum CodeIntelligenceResponse {
        /// Definitions.
        Find(FindResponse),
        /// Uses.
        Refs(ReferencesResponse),
        /// Callers.
        Callers(CallsResponse),
        /// Callees.
        Callees(CallsResponse),
        /// Like code.
        Similar(SearchResponse),
        /// Callers and users by level.
        Graph(TraverseResponse),
        /// Both.
        Query(CallersAndReferences),
    }

    /// Callers and references.
    pub struct CallersAndReferences {
        /// Its callers.
        pub callers: CallsResponse,
        /// Its uses.
        pub references: ReferencesResponse,
    }
}
