//! The blast radius of a change.

use crate::{Candidate, Match, Page, SymbolRef, wire};

wire! {
    /// Which way a change is followed.
    #[derive(Copy, Eq, Default)]
    #[serde(rename_all = "snake_case")]
    pub enum ImpactDirection {
        /// To those who depend on it.
        #[default]
        Upstream,
        /// To what it depends on.
        Downstream,
    }

    /// What is told of test code.
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

    /// What changes, and how far to follow.
    #[derive(Default)]
    pub struct ImpactRequest {
        /// As in [`crate::ContextRequest`].
        pub symbol: String,
        /// Which way; `upstream` if absent.
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub direction: ImpactDirection,
        /// How many steps (1 to 10); 3 if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub depth: Option<u32>,
        /// Do not follow relations below this confidence; 0 if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub min_confidence: Option<f32>,
        /// Relations to follow; `CALLS`, `REFERENCES`, `EXTENDS`, `IMPLEMENTS`, `DISPATCH`, `ALIASES` if empty.
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub kinds: Vec<String>,
        /// What is told of test code; `include` if absent.
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub tests: TestScope,
        /// At most so many symbols; 200 if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub limit: Option<u32>,
        /// Leave out so many symbols first.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub offset: Option<u32>,
        /// Lists end where the answer would have more bytes of JSON than this; 32768 if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub max_bytes: Option<u32>,
    }

    /// A blast radius.
    pub struct ImpactResponse {
        /// Whether the name was clear.
        pub status: Match,
        /// What changes, with all that is defined in it.
        pub target: SymbolRef,
        /// All that the name may mean, the likeliest first; empty where it was clear.
        pub candidates: Vec<Candidate>,
        /// Which way it was followed.
        pub direction: ImpactDirection,
        /// How dangerous the change is.
        pub risk: Risk,
        /// How many symbols are reached at each depth, whether they are listed here or not.
        pub by_depth: Vec<DepthGroup>,
        /// Which part of the symbols, counted over all depths, is here.
        pub page: Page,
        /// Files that hold them.
        pub n_files: u32,
        /// Execution flows that go through what changes or is reached, those with the most affected steps first.
        pub affected_processes: Vec<AffectedProcess>,
        /// Which part of the flows is here.
        pub processes_page: Page,
        /// Functional areas that are reached, the most affected first; ten at most.
        pub areas: Vec<AffectedArea>,
    }

    /// How dangerous a change is. Tests do not count: they tell one that it is wrong.
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
        /// What that means: `will break`, `likely affected`, `may need testing`.
        pub meaning: String,
        /// How many there are.
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
        /// Whether it is test code.
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
        /// How many steps it has.
        pub n_steps: u32,
        /// How many of them are affected.
        pub n_affected: u32,
        /// The first of these, from 1: from here on it may go wrong.
        pub first_affected: u32,
    }

    /// A functional area that is affected.
    #[derive(Eq)]
    pub struct AffectedArea {
        /// Its label.
        pub label: String,
        /// How many of its symbols are reached.
        pub n_symbols: u32,
    }
}
