//! Execution flows and functional areas: lists, and one of them with all that is in it.

use crate::paging::paged;
use crate::{Page, SymbolRef, wire};

paged! {
    /// Requests the execution flows.
    #[derive(Default)]
    #[serde(deny_unknown_fields)]
    pub struct ProcessesRequest {
        /// Only those that go through this symbol.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub symbol: Option<String>,
        /// Only those that begin so: `main`, `route`, `handler`, `exported`, `uncalled`, `test` (default all but `test`).
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub entry_kinds: Vec<String>,
        /// Only these: `intra_community` or `cross_community`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub process_type: Option<String>,
    }
    /// Maximum number of results (default 50).
    limit, offset, max_bytes;
}

wire! {
    /// Execution flows.
    pub struct ProcessesResponse {
        /// Those with the surest entry points that tell most first, tests last.
        pub processes: Vec<ProcessSummary>,
        /// The part of the list in this answer.
        pub page: Page,
    }

    /// A flow of calls from an entry point to where it ends.
    pub struct ProcessSummary {
        /// Number within this index; changes when the index is built anew.
        pub id: u32,
        /// Names of the first symbol and of the most telling one that it leads to.
        pub label: String,
        /// `intra_community` or `cross_community`.
        pub process_type: String,
        /// Why it begins where it does: `main`, `route`, `handler`, `exported`, `uncalled`, `test`.
        pub entry_kind: String,
        /// Number of steps.
        pub n_steps: u32,
        /// Its first step; a file for code at the top level.
        pub entry: SymbolRef,
        /// Its last step.
        pub terminal: SymbolRef,
    }

    /// One execution flow.
    #[derive(Default)]
    #[serde(deny_unknown_fields)]
    pub struct ProcessRequest {
        /// Its label or its number.
        pub process: String,
    }

    /// An execution flow step by step.
    pub struct ProcessResponse {
        /// The flow.
        pub process: ProcessSummary,
        /// In order: each calls the next, constructs it, or is implemented by it.
        pub steps: Vec<FlowStep>,
    }

    /// A step of an execution flow.
    pub struct FlowStep {
        /// From 1.
        pub step: u32,
        /// The symbol; a file for code at the top level.
        pub symbol: SymbolRef,
        /// Share of such calls as lead to it that are right, 0 to 1; 1 for the first.
        pub confidence: f32,
        /// The functional area it belongs to.
        pub community: Option<String>,
    }
}

paged! {
    /// Requests the communities.
    #[derive(Default)]
    #[serde(deny_unknown_fields)]
    pub struct CommunitiesRequest {
    }
    /// Maximum number of results (default 50).
    limit, offset, max_bytes;
}

wire! {
    /// Functional areas.
    pub struct CommunitiesResponse {
        /// The largest first.
        pub communities: Vec<CommunitySummary>,
        /// The part of the list in this answer.
        pub page: Page,
    }

    /// Symbols that call and use one another more than others.
    pub struct CommunitySummary {
        /// Number within this index; changes when the index is built anew.
        pub id: u32,
        /// From the folders and names of its members.
        pub label: String,
        /// Number of symbols.
        pub n_members: u32,
        /// The five that most leads to.
        pub central: Vec<SymbolRef>,
    }
}

paged! {
    /// One functional area.
    #[derive(Default)]
    #[serde(deny_unknown_fields)]
    pub struct CommunityRequest {
        /// Its label or its number.
        pub community: String,
    }
    /// Maximum number of members (default 200).
    limit, offset, max_bytes;
}

wire! {
    /// A functional area with its members.
    pub struct CommunityResponse {
        /// The area.
        pub community: CommunitySummary,
        /// Its members, by file and place.
        pub members: Vec<SymbolRef>,
        /// The part of the list in this answer.
        pub page: Page,
    }
}
