//! References, callers, callees, edges.

use crate::paging::paged;
use crate::{Range, Symbol, wire};

paged! {
    /// Requests the uses of a symbol.
    #[serde(deny_unknown_fields)]
    pub struct ReferencesRequest {
        /// As in [`crate::FindRequest`]; a name with several definitions is answered for all of them. Also the path of a file or
        /// folder, for all that it defines, used from elsewhere.
        pub symbol: String,
        /// Only definitions of this kind (`function`, `class`).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub kind: Option<String>,
    }
    /// Maximum number of results (default 100).
    limit, offset;
}

wire! {
    /// The uses.
    pub struct ReferencesResponse {
        /// Definitions that the name was resolved to.
        pub symbols: Vec<Symbol>,
        /// Product code first, then examples and documents, then tests; each by path and line.
        pub references: Vec<Reference>,
        /// Number of uses in product code.
        pub n_product: u32,
        /// Number of uses before limit and offset.
        pub total: u32,
    }

    /// A use of a symbol.
    pub struct Reference {
        /// Path of the file.
        pub path: String,
        /// 1-based.
        pub line: u32,
        /// The name.
        pub range: Range,
        /// The line, trimmed.
        pub text: String,
        /// `call`, `method_call`, `path_call`, `new`, `macro_call`, `jsx`, `decorator`, `type`, `value`, `member`.
        pub form: String,
        /// Share of such resolutions that are right, 0 to 1.
        pub confidence: f32,
        /// The rule that found it.
        pub reason: String,
        /// Id of the symbol used.
        pub target: u32,
        /// Qualified name of the definition around it.
        pub enclosing: Option<String>,
    }
}

paged! {
    /// Requests the callers or callees of a symbol, step by step.
    #[serde(deny_unknown_fields)]
    pub struct CallsRequest {
        /// As in [`ReferencesRequest`]; also the path of a file or folder, for all that it defines.
        pub symbol: String,
        /// Only definitions of this kind (`function`, `class`).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub kind: Option<String>,
        /// Number of steps (1 to 10, default 1).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub depth: Option<u32>,
        /// Minimum confidence of edges (default 0).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub min_confidence: Option<f32>,
    }
    /// Maximum number of results (default 100).
    limit, offset;
}

wire! {
    /// Breadth first: all of depth 1, then depth 2, …; within a depth product code first, then examples and documents, then tests.
    pub struct CallsResponse {
        /// Definitions that the name was resolved to.
        pub symbols: Vec<Symbol>,
        /// The callers or callees.
        pub calls: Vec<Call>,
        /// Number of calls in product code.
        pub n_product: u32,
        /// Number of calls before limit and offset.
        pub total: u32,
    }

    /// A caller or callee.
    pub struct Call {
        /// The caller or callee; none for code at the top level of a file.
        pub symbol: Option<Symbol>,
        /// Path of the file that holds the call.
        pub path: String,
        /// Line of the (first) call, 1-based.
        pub line: u32,
        /// Steps from the requested symbol, from 1.
        pub depth: u32,
        /// Id of the symbol one step nearer.
        pub via: u32,
        /// Share of such edges that are right, 0 to 1.
        pub confidence: f32,
        /// The rule that found the edge.
        pub reason: String,
    }

    /// An edge by names, as `portolan edges` prints it.
    pub struct Edge {
        /// Path.
        pub caller_file: String,
        /// Simple name; `<file>` at the top level of a file.
        pub caller_name: String,
        /// Line of the caller's name, 1-based; 1 for a file.
        pub caller_line: u32,
        /// Path.
        pub callee_file: String,
        /// Simple name.
        pub callee_name: String,
        /// Line of the callee's name, 1-based.
        pub callee_line: u32,
        /// `CALLS`, `REFERENCES`, `IMPORTS`, `EXTENDS`, `IMPLEMENTS`, …
        pub kind: String,
        /// Share of such edges that are right, 0 to 1.
        pub confidence: f32,
        /// The rule that found it.
        pub reason: String,
    }
}
