//! Regular expressions over the indexed sources.

use crate::wire;

wire! {
    /// A pattern in the syntax of Rust's `regex` crate: linear time, and a limit on it, so that none can hang.
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
        /// Lines shown before and after; 0 if absent, at most 10.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub context_lines: Option<u32>,
        /// At most so many matching lines; 200 if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub limit: Option<u32>,
        /// Milliseconds that it may take; 10,000 if absent. What was found until then is the answer.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub max_millis: Option<u32>,
    }

    /// Matching lines by path and line.
    pub struct RegexResponse {
        /// The matches.
        pub matches: Vec<RegexMatch>,
        /// Whether the limit cut the list.
        pub truncated: bool,
        /// Whether the time was up before all files were looked at.
        pub timed_out: bool,
        /// Files looked at to their end.
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
