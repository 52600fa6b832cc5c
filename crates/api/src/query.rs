//! Search, told by execution flows.

use crate::{Page, SymbolRef, wire};

wire! {
    /// A question about what the code does.
    #[derive(Default)]
    pub struct QueryRequest {
        /// Words, a question, or an identifier.
        pub query: String,
        /// At most so many flows; 5 if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub limit: Option<u32>,
        /// Leave out so many flows first.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub offset: Option<u32>,
        /// At most so many definitions outside of flows; 10 if absent.
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
        /// Lists end where the answer would have more bytes of JSON than this; 32768 if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub max_bytes: Option<u32>,
    }

    /// What answers.
    pub struct QueryResponse {
        /// The query as asked.
        pub query: String,
        /// Whether meanings were compared, beside words.
        pub by_meaning: bool,
        /// Execution flows that have to do with it, best first.
        pub processes: Vec<ProcessHit>,
        /// Which part of them is here.
        pub processes_page: Page,
        /// Definitions that have to do with it and stand in no flow: types, configuration, helpers nobody calls.
        pub definitions: Vec<DefinitionHit>,
        /// Which part of them is here.
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
        /// How many steps it has.
        pub step_count: u32,
        /// How many of them were found.
        pub symbol_count: u32,
        /// The steps that were found, in order; ten at most.
        pub symbols: Vec<ProcessSymbol>,
    }

    /// A step that was found.
    pub struct ProcessSymbol {
        /// The symbol.
        pub symbol: SymbolRef,
        /// Which step, from 1.
        pub step_index: u32,
    }

    /// A definition that answers.
    pub struct DefinitionHit {
        /// The definition.
        pub symbol: SymbolRef,
        /// As in [`ProcessHit`].
        pub priority: f32,
    }
}
