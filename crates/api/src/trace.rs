//! Paths from one symbol to another.

use crate::{Candidate, Match, SymbolRef, wire};

wire! {
    /// Two ends.
    #[derive(Default)]
    #[serde(deny_unknown_fields)]
    pub struct TraceRequest {
        /// Start, as in [`crate::ContextRequest`]; a name with several definitions selects all of them, a type includes
        /// the definitions inside it.
        pub from: String,
        /// End.
        pub to: String,
        /// Maximum number of steps (1 to 100, default 20).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub max_depth: Option<u32>,
        /// Maximum number of paths (1 to 20, default 3).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub limit: Option<u32>,
        /// Minimum confidence of relations (default 0).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub min_confidence: Option<f32>,
        /// Relations to follow; `CALLS`, `DISPATCH`, `DEFINES` (a function to one inside it) and `REFERENCES` if empty.
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub kinds: Vec<String>,
        /// Allows paths through test code (default false).
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub tests: bool,
    }

    /// The end that the paths start from.
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
        /// Whether `from` was resolved uniquely.
        pub from_status: Match,
        /// The likeliest start.
        pub from: SymbolRef,
        /// All that it may mean; empty where it was clear.
        pub from_candidates: Vec<Candidate>,
        /// Whether `to` was resolved uniquely.
        pub to_status: Match,
        /// The likeliest end.
        pub to: SymbolRef,
        /// All that it may mean; empty where it was clear.
        pub to_candidates: Vec<Candidate>,
        /// The end that the paths start from.
        pub direction: TraceDirection,
        /// The surest short one first.
        pub paths: Vec<TracePath>,
        /// Where there is no path as asked: how far the search came, and what is missing.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub gap: Option<TraceGap>,
    }

    /// The gap between two symbols without a path.
    pub struct TraceGap {
        /// The symbols that the start leads to.
        pub forward: TraceReach,
        /// The symbols that lead to the end.
        pub backward: TraceReach,
        /// The missing kind of step, in a sentence.
        pub missing: String,
        /// A relation that would close the gap, where there is one that was not followed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub across: Option<TraceStep>,
    }

    /// How far a search came from one end.
    pub struct TraceReach {
        /// Number of symbols reached.
        pub n_reached: u32,
        /// Steps to the farthest of them.
        pub depth: u32,
        /// Some of the farthest, the most central first.
        pub last: Vec<SymbolRef>,
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
