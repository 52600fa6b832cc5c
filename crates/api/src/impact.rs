//! The blast radius of a change.

use crate::paging::paged;
use crate::{Candidate, CoChanged, Match, Page, SymbolRef, wire};

wire! {
    /// Direction in which a change is followed.
    #[derive(Copy, Eq, Default)]
    #[serde(rename_all = "snake_case")]
    pub enum ImpactDirection {
        /// To its dependants.
        #[default]
        Upstream,
        /// To what it depends on.
        Downstream,
    }

    /// Handling of test code.
    #[derive(Copy, Eq, Default)]
    #[serde(rename_all = "snake_case")]
    pub enum TestScope {
        /// Like all other code; each entry says whether it is a test.
        #[default]
        Include,
        /// Nothing.
        Exclude,
        /// Only tests are listed: those to run.
        Only,
    }
}

paged! {
    /// Requests the impact of a change.
    #[derive(Default)]
    #[serde(deny_unknown_fields)]
    pub struct ImpactRequest {
        /// As in [`crate::ContextRequest`].
        pub symbol: String,
        /// Direction (default `upstream`).
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub direction: ImpactDirection,
        /// Number of steps (1 to 10, default 3).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub depth: Option<u32>,
        /// Minimum confidence of relations (default 0).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub min_confidence: Option<f32>,
        /// Relations to follow; `CALLS`, `REFERENCES`, `EXTENDS`, `IMPLEMENTS`, `DISPATCH`, `ALIASES` if empty, and
        /// `DEFINES` from a function within a function to the one around it.
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub kinds: Vec<String>,
        /// Handling of test code (default `include`).
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub tests: TestScope,
    }
    /// Maximum number of symbols (default 200).
    limit, offset, max_bytes;
}

wire! {
    /// A blast radius.
    pub struct ImpactResponse {
        /// Whether the name was resolved uniquely.
        pub status: Match,
        /// The changed symbol, with all definitions inside it.
        pub target: SymbolRef,
        /// All that the name may mean, the likeliest first; empty where it was clear.
        pub candidates: Vec<Candidate>,
        /// The direction that was followed.
        pub direction: ImpactDirection,
        /// Risk of the change.
        pub risk: Risk,
        /// Number of symbols reached at each depth, listed or not.
        pub by_depth: Vec<DepthGroup>,
        /// The part of the symbols, counted over all depths, in this answer.
        pub page: Page,
        /// Files that hold them.
        pub n_files: u32,
        /// Execution flows that go through what changes or is reached, those with the most affected steps first. Flows
        /// that begin in tests are here for `tests: only` alone.
        pub affected_processes: Vec<AffectedProcess>,
        /// The part of the flows in this answer.
        pub processes_page: Page,
        /// Functional areas that are reached, the most affected first; ten at most.
        pub areas: Vec<AffectedArea>,
        /// Files that usually change together with its file, by commits; only where the host reads the history of the repository.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub changes_with: Vec<CoChanged>,
    }

    /// Risk of a change. Tests do not count: they reveal a mistake.
    #[derive(Eq, Default)]
    pub struct Risk {
        /// `low`, `medium`, `high`, `critical`.
        pub level: String,
        /// The counts that make it so, in words; empty for `low`.
        pub reasons: Vec<String>,
    }

    /// Symbols that are reached with the same number of steps.
    pub struct DepthGroup {
        /// Steps from what changes, from 1.
        pub depth: u32,
        /// Meaning of the depth: `will break`, `likely affected`, `may need testing`.
        pub meaning: String,
        /// Number of symbols.
        pub total: u32,
        /// Those that are here: product code first, the surest first.
        pub symbols: Vec<Impacted>,
    }

    /// A symbol that is reached.
    pub struct Impacted {
        /// The symbol.
        pub symbol: SymbolRef,
        /// The relation over which it is reached.
        pub relation: String,
        /// The symbol one step nearer to what changes, by number.
        pub via: u32,
        /// Line of the (first) use, 1-based, in the file of the one that uses.
        pub use_line: u32,
        /// Share of such relations that are right, 0 to 1.
        pub confidence: f32,
        /// Product of the confidences on the way here.
        pub certainty: f32,
        /// The rule that found the relation.
        pub reason: String,
        /// True for test code.
        pub is_test: bool,
    }

    /// An execution flow that is affected.
    #[derive(Eq)]
    pub struct AffectedProcess {
        /// Its number within this index.
        pub id: u32,
        /// Its name.
        pub label: String,
        /// `intra_community` or `cross_community`.
        pub process_type: String,
        /// Number of steps.
        pub n_steps: u32,
        /// Number of affected steps.
        pub n_affected: u32,
        /// The first of these, from 1: from here on it may go wrong.
        pub first_affected: u32,
    }

    /// A functional area that is affected.
    #[derive(Eq)]
    pub struct AffectedArea {
        /// Its label.
        pub label: String,
        /// Number of its symbols that are reached.
        pub n_symbols: u32,
    }
}
