//! How one symbol leads to another.

use crate::{Candidate, Match, SymbolRef, wire};

wire! {
    /// Two ends.
    #[derive(Default)]
    pub struct TraceRequest {
        /// Where to start, as in [`crate::ContextRequest`]; a name with several definitions stands for all of them, a type for what
        /// is defined in it, too.
        pub from: String,
        /// Where to end.
        pub to: String,
        /// Most steps (1 to 100); 20 if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub max_depth: Option<u32>,
        /// Most ways (1 to 20); 3 if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub limit: Option<u32>,
        /// Do not follow relations below this confidence; 0 if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub min_confidence: Option<f32>,
        /// Relations to follow; `CALLS`, `DISPATCH`, `DEFINES` (a function to one inside it) and `REFERENCES` if empty.
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub kinds: Vec<String>,
        /// Whether ways may lead through test code; off by default.
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub tests: bool,
    }

    /// Which end the ways start from.
    #[derive(Copy, Eq)]
    #[serde(rename_all = "snake_case")]
    pub enum TraceDirection {
        /// As asked.
        Forward,
        /// There is no way as asked, but there is one back: the ways here start at `to`.
        Backward,
        /// There is none.
        None,
    }

    /// The ways from one symbol to another.
    pub struct TraceResponse {
        /// Whether `from` was clear.
        pub from_status: Match,
        /// The likeliest start.
        pub from: SymbolRef,
        /// All that it may mean; empty where it was clear.
        pub from_candidates: Vec<Candidate>,
        /// Whether `to` was clear.
        pub to_status: Match,
        /// The likeliest end.
        pub to: SymbolRef,
        /// All that it may mean; empty where it was clear.
        pub to_candidates: Vec<Candidate>,
        /// Which end the ways start from.
        pub direction: TraceDirection,
        /// The surest short one first.
        pub paths: Vec<TracePath>,
    }

    /// A way.
    pub struct TracePath {
        /// Its steps; the first starts where the way does.
        pub steps: Vec<TraceStep>,
        /// Product of the confidences of its steps.
        pub certainty: f32,
    }

    /// A step of a way.
    pub struct TraceStep {
        /// From here.
        pub from: SymbolRef,
        /// To here.
        pub to: SymbolRef,
        /// `CALLS`, `DISPATCH`, `DEFINES`, `REFERENCES`, …
        pub relation: String,
        /// Line of the (first) use in the file of `from`, 1-based.
        pub use_line: u32,
        /// Share of such relations that are right, 0 to 1.
        pub confidence: f32,
        /// The rule that found it.
        pub reason: String,
    }
}
