//! What a change means: from a diff, or from texts before and after.

use crate::{DepthGroup, Page, ProcessPlace, Risk, SymbolRef, TestScope, wire};

wire! {
    /// A change: a diff, or files after it (compared with the index), or files before and after.
    #[derive(Default)]
    pub struct DetectChangesRequest {
        /// A unified diff, as `git diff` writes it. The index may be of before it or of after it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub diff: Option<String>,
        /// Files as they become.
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub after: Vec<FileVersion>,
        /// All files as they were; the texts of the index if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub before: Option<Vec<FileVersion>>,
        /// How many steps to those who depend on what changed (0 to 10); 2 if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub depth: Option<u32>,
        /// Do not follow relations below this confidence; 0 if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub min_confidence: Option<f32>,
        /// What is told of tests that depend on it; `include` if absent.
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub tests: TestScope,
        /// At most so many in each list; 200 if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub limit: Option<u32>,
        /// Leave out so many first, in each list.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub offset: Option<u32>,
        /// Lists end where the answer would have more bytes of JSON than this; 32768 if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub max_bytes: Option<u32>,
    }

    /// A version of a file.
    #[derive(Eq, Default)]
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
        /// How dangerous it is.
        pub risk: Risk,
        /// Files that changed, by path.
        pub changed_files: Vec<ChangedFile>,
        /// Which part of them is here.
        pub files_page: Page,
        /// Symbols that changed, by file and place.
        pub changed_symbols: Vec<ChangedSymbol>,
        /// Which part of them is here.
        pub symbols_page: Page,
        /// Execution flows with changed steps, those with the most first.
        pub affected_processes: Vec<ChangedProcess>,
        /// Which part of them is here.
        pub processes_page: Page,
        /// Who depends on what changed.
        pub dependants: Vec<DepthGroup>,
        /// Which part of them, counted over all depths, is here.
        pub dependants_page: Page,
    }

    /// A change in numbers.
    #[derive(Eq, Default)]
    pub struct ChangeSummary {
        /// Symbols that changed.
        pub changed_count: u32,
        /// Execution flows with changed steps.
        pub affected_count: u32,
        /// Files that changed.
        pub changed_files: u32,
        /// Symbols that depend on what changed.
        pub dependants: u32,
        /// `low`, `medium`, `high`, `critical`.
        pub risk_level: String,
    }

    /// A file that changed.
    #[derive(Eq)]
    pub struct ChangedFile {
        /// Its path after; before, where it is gone.
        pub path: String,
        /// Its path before, where that was another.
        pub old_path: Option<String>,
        /// `added`, `modified`, `deleted`, `renamed`.
        pub status: String,
        /// Which version the index holds: `old`, `new`, `stale` (another one: line numbers may be off) or `absent`.
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
        /// Whether lines up to its name changed: those who use it may have to change, too.
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
        /// Which step, from 1.
        pub step: u32,
    }
}
