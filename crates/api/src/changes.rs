//! The effects of a change: from a diff, or from texts before and after.

use crate::paging::paged;
use crate::{DepthGroup, Page, ProcessPlace, Risk, SymbolRef, TestScope, wire};

paged! {
    /// A change: a diff, or files after it (compared with the index), or files before and after.
    #[derive(Default)]
    #[serde(deny_unknown_fields)]
    pub struct DetectChangesRequest {
        /// A unified diff, as `git diff` writes it. The index may be of before it or of after it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub diff: Option<String>,
        /// Files as they become.
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub after: Vec<FileVersion>,
        /// All files before the change (default: the texts of the index).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub before: Option<Vec<FileVersion>>,
        /// Number of steps to dependants of the change (0 to 10, default 2).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub depth: Option<u32>,
        /// Minimum confidence of relations (default 0).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub min_confidence: Option<f32>,
        /// Handling of dependants in test code (default `include`).
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub tests: TestScope,
    }
    /// Maximum number of items in each list (default 200).
    limit, offset, max_bytes;
}

wire! {
    /// A version of a file.
    #[derive(Eq, Default)]
    #[serde(deny_unknown_fields)]
    pub struct FileVersion {
        /// Its path.
        pub path: String,
        /// Its text; none where there is no such file.
        #[serde(default)]
        pub text: Option<String>,
    }

    /// A change in terms of the code graph.
    pub struct DetectChangesResponse {
        /// In numbers.
        pub summary: ChangeSummary,
        /// Risk of the change.
        pub risk: Risk,
        /// Files that changed, by path.
        pub changed_files: Vec<ChangedFile>,
        /// The part of the list in this answer.
        pub files_page: Page,
        /// Symbols that changed, by file and place.
        pub changed_symbols: Vec<ChangedSymbol>,
        /// The part of the list in this answer.
        pub symbols_page: Page,
        /// Execution flows with changed steps, those with the most first.
        pub affected_processes: Vec<ChangedProcess>,
        /// The part of the list in this answer.
        pub processes_page: Page,
        /// Dependants of the change.
        pub dependants: Vec<DepthGroup>,
        /// The part of the dependants, counted over all depths, in this answer.
        pub dependants_page: Page,
    }

    /// A change in numbers.
    #[derive(Eq, Default)]
    pub struct ChangeSummary {
        /// Symbols that changed.
        pub n_symbols: u32,
        /// Execution flows with changed steps.
        pub n_processes: u32,
        /// Files that changed.
        pub n_files: u32,
        /// Symbols that depend on what changed.
        pub n_dependants: u32,
        /// `low`, `medium`, `high`, `critical`.
        pub risk_level: String,
    }

    /// A file that changed.
    #[derive(Eq)]
    pub struct ChangedFile {
        /// Its path after the change; before, if it was deleted.
        pub path: String,
        /// Its path before, where that was another.
        pub old_path: Option<String>,
        /// `added`, `modified`, `deleted`, `renamed`.
        pub status: String,
        /// The version in the index: `old`, `new`, `stale` (another one: line numbers may be off) or `absent`.
        pub index: String,
        /// Lines that are new.
        pub n_added: u32,
        /// Lines that are gone.
        pub n_deleted: u32,
    }

    /// A symbol that changed.
    #[derive(Eq)]
    pub struct ChangedSymbol {
        /// The symbol.
        pub symbol: SymbolRef,
        /// `added`, `modified`, `deleted`.
        pub change_type: String,
        /// True if lines up to its name changed: its users may have to change, too.
        pub touches_declaration: bool,
        /// Lines of its own that changed.
        pub n_lines: u32,
    }

    /// An execution flow with changed steps.
    pub struct ChangedProcess {
        /// The flow and its first changed step.
        pub process: ProcessPlace,
        /// The steps that changed, in order.
        pub changed_steps: Vec<ChangedStep>,
    }

    /// A step that changed.
    #[derive(Eq)]
    pub struct ChangedStep {
        /// Qualified name of the symbol.
        pub symbol: String,
        /// Step number, from 1.
        pub step: u32,
    }
}
