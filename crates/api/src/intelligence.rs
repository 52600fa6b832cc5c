//! `code_intelligence`: the questions about a symbol under one name, as agents' tools have them.

use crate::{
    CallsResponse, FindResponse, ReferencesResponse, SearchResponse, TraverseResponse, wire,
};

wire! {
    /// What is asked of a symbol.
    #[derive(Copy, Eq)]
    #[serde(rename_all = "snake_case")]
    pub enum IntelligenceCommand {
        /// Its definitions.
        Find,
        /// Its uses.
        Refs,
        /// Who calls it.
        Callers,
        /// Whom it calls.
        Callees,
        /// Code like it; `symbol` may be a description in words.
        Similar,
        /// Who calls and uses it, level by level.
        Graph,
        /// Callers and references in one answer.
        Query,
    }

    /// A question about a symbol.
    pub struct CodeIntelligenceRequest {
        /// What is asked.
        pub command: IntelligenceCommand,
        /// As in [`crate::FindRequest`]; for `similar` also words.
        pub symbol: String,
        /// How many steps (1 to 10), where there are steps; 2 if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub depth: Option<u32>,
        /// Leave out edges below this confidence, where there are edges; 0 if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub min_confidence: Option<f32>,
        /// At most so many results; 50 if absent, 10 for `similar`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub limit: Option<u32>,
    }

    /// The answer in the shape of the question that it stands for.
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
        /// Who calls it.
        pub callers: CallsResponse,
        /// Its uses.
        pub references: ReferencesResponse,
    }
}
