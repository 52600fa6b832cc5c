//! Search grouped by execution flows.

use crate::paging::paged;
use crate::{Page, SymbolRef, wire};

paged! {
    /// A question about what the code does.
    #[derive(Default)]
    #[serde(deny_unknown_fields)]
    pub struct QueryRequest {
        /// Words, a question, or an identifier.
        pub query: String,
        /// Maximum number of definitions outside flows (default 10).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub max_definitions: Option<u32>,
        /// Only these languages, by name.
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub languages: Vec<String>,
        /// Only paths that match one of these globs; one that starts with `!` excludes.
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub paths: Vec<String>,
    }
    /// Maximum number of flows (default 5).
    limit, offset, max_bytes;
}

wire! {
    /// The flows and definitions found.
    pub struct QueryResponse {
        /// The query as asked.
        pub query: String,
        /// True if vectors were compared in addition to words.
        pub by_meaning: bool,
        /// Execution flows that have to do with it, best first.
        pub processes: Vec<ProcessHit>,
        /// The part of the list in this answer.
        pub processes_page: Page,
        /// Definitions that match and are in no flow: types, configuration, helpers without callers.
        pub definitions: Vec<DefinitionHit>,
        /// The part of the list in this answer.
        pub definitions_page: Page,
    }

    /// An execution flow that answers.
    pub struct ProcessHit {
        /// Its number within this index.
        pub id: u32,
        /// Its name.
        pub summary: String,
        /// Higher is better; comparable within one answer only.
        pub priority: f32,
        /// `intra_community` or `cross_community`.
        pub process_type: String,
        /// Why it begins where it does: `main`, `route`, `handler`, `exported`, `uncalled`, `test`.
        pub entry_kind: String,
        /// Number of steps.
        pub n_steps: u32,
        /// Number of its symbols that matched.
        pub n_symbols: u32,
        /// The steps that were found, in order; ten at most.
        pub symbols: Vec<ProcessSymbol>,
    }

    /// A step that was found.
    pub struct ProcessSymbol {
        /// The symbol.
        pub symbol: SymbolRef,
        /// Step number, from 1.
        pub step: u32,
    }

    /// A definition that answers.
    pub struct DefinitionHit {
        /// The definition.
        pub symbol: SymbolRef,
        /// As in [`ProcessHit`].
        pub priority: f32,
    }
}
