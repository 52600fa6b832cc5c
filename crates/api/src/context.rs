//! Everything about one symbol at once.

use crate::paging::paged;
use crate::{Candidate, CoChanged, Page, Symbol, SymbolRef, wire};

paged! {
    /// A symbol to be seen from all sides.
    #[derive(Default)]
    #[serde(deny_unknown_fields)]
    pub struct ContextRequest {
        /// A simple name (`add`), a qualified one (`Router.add`), one within a file (`src/router.ts#add`) or a place (`src/router.ts:40`).
        pub symbol: String,
        /// Minimum confidence of relations (default 0).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub min_confidence: Option<f32>,
        /// Includes relations from test code (default true).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub tests: Option<bool>,
    }
    /// Maximum number of items in each list (default 25).
    limit, offset, max_bytes;
}

wire! {
    /// Whether a name was resolved uniquely.
    #[derive(Copy, Eq, Default)]
    #[serde(rename_all = "snake_case")]
    pub enum Match {
        /// There is one definition that it can mean.
        #[default]
        Found,
        /// There are several: the answer is about the likeliest, `candidates` names all.
        Ambiguous,
    }

    /// A symbol seen from all sides.
    pub struct ContextResponse {
        /// Whether the name was resolved uniquely.
        pub status: Match,
        /// The symbol of the answer.
        pub symbol: Symbol,
        /// All that the name may mean, the likeliest first; empty where it was clear.
        pub candidates: Vec<Candidate>,
        /// The definition or file around it.
        pub container: Option<SymbolRef>,
        /// Definitions inside it, in source order.
        pub members: Vec<SymbolRef>,
        /// The part of the members in this answer.
        pub members_page: Page,
        /// Relations that lead to it, by kind: callers are under `CALLS`.
        pub incoming: Vec<RelationGroup>,
        /// Relations that lead from it.
        pub outgoing: Vec<RelationGroup>,
        /// The execution flows it is a step of.
        pub processes: Vec<ProcessPlace>,
        /// The part of the flows in this answer.
        pub processes_page: Page,
        /// The functional area it belongs to, by its label.
        pub community: Option<String>,
        /// Files that usually change together with its file, by commits; only where the host reads the history of the repository.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub changes_with: Vec<CoChanged>,
    }

    /// Relations of one kind; product code first, the surest first.
    pub struct RelationGroup {
        /// `CALLS`, `REFERENCES`, `IMPORTS`, `EXTENDS`, `IMPLEMENTS`, `DISPATCH`, `ALIASES`.
        pub kind: String,
        /// The relations.
        pub relations: Vec<Relation>,
        /// The part of the list in this answer.
        pub page: Page,
    }

    /// A relation to another symbol.
    pub struct Relation {
        /// The other one.
        pub symbol: SymbolRef,
        /// Line of the (first) use, 1-based: in the other's file for what leads here, in this symbol's file for what it leads to.
        pub use_line: u32,
        /// Share of such relations that are right, 0 to 1.
        pub confidence: f32,
        /// The rule that found it.
        pub reason: String,
        /// True if the other symbol is test code.
        pub is_test: bool,
    }

    /// A step of an execution flow.
    pub struct ProcessPlace {
        /// Number of the flow within this index.
        pub id: u32,
        /// Its name.
        pub label: String,
        /// `intra_community` or `cross_community`.
        pub process_type: String,
        /// Step number, from 1.
        pub step: u32,
        /// Number of steps.
        pub n_steps: u32,
    }
}
