//! Regular expressions over the indexed sources.

use crate::{CutOff, wire};

wire! {
    /// A pattern in the syntax of Rust's `regex` crate. All texts together take a bounded number of steps, so that none can hang.
    #[serde(deny_unknown_fields)]
    pub struct RegexRequest {
        /// The pattern.
        pub pattern: String,
        /// Upper and lower case are the same.
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub ignore_case: bool,
        /// Only whole words.
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub whole_word: bool,
        /// Only paths that match one of these globs; one that starts with `!` excludes.
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub paths: Vec<String>,
        /// Only these languages, by name.
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub languages: Vec<String>,
        /// Lines of context before and after (default 0, at most 10).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub context_lines: Option<u32>,
        /// Maximum number of matching lines (default 200).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub limit: Option<u32>,
        /// Time limit in milliseconds (default 30,000): a last resort, since a number of steps ends an expensive search first.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub max_millis: Option<u32>,
    }

    /// Matching lines by path and line.
    pub struct RegexResponse {
        /// The matches.
        pub matches: Vec<RegexMatch>,
        /// True if the limit cut the list.
        pub truncated: bool,
        /// True if the search ended before all files were searched; `cut_off` says where.
        pub timed_out: bool,
        /// Where the search ended, and how to narrow it. Absent if all files were searched.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub cut_off: Option<CutOff>,
        /// Number of files searched to their end.
        pub n_files: u32,
    }

    /// A matching line.
    #[derive(Eq)]
    pub struct RegexMatch {
        /// Path of the file.
        pub path: String,
        /// 1-based.
        pub line: u32,
        /// The line without its break, at most 2,000 bytes around the match.
        pub text: String,
        /// The matched pieces, `[start, end)` in UTF-16 code units of `text`.
        pub marks: Vec<(u32, u32)>,
        /// Lines before.
        pub before: Vec<String>,
        /// Lines after.
        pub after: Vec<String>,
    }
}
