//! Localisation: the text of an issue, a message or a stack trace in, files and functions out.

use crate::{CoChanged, wire};

wire! {
    /// A text, and how much is wanted of it.
    #[derive(Default)]
    #[serde(deny_unknown_fields)]
    pub struct LocateRequest {
        /// An issue, an error message, a stack trace or a diff, as plain text or Markdown, with the title in its first line. Of more than
        /// 64 KiB the first 48 and the last 16 are read.
        pub text: String,
        /// Maximum number of files (1 to 200, default 10).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub limit: Option<u32>,
        /// Maximum number of functions of all files together (0 to 200, default 10).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub function_limit: Option<u32>,
        /// Token budget of the answer (256 to 1,000,000; default 2,000), counted from above. Files come first, then the code of the
        /// likeliest functions as far as it fits.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub max_tokens: Option<u32>,
        /// Add the code of functions while there is room (default true).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub code: Option<bool>,
        /// Only these languages, by name.
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub languages: Vec<String>,
        /// Only paths that match one of these globs; one that starts with `!` excludes.
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub paths: Vec<String>,
        /// Files that usually change together, of at most 100 files with at most 100 others each: from the history of the repository. The
        /// command line and the MCP server add them where a `.git` is.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub together: Vec<ChangesTogether>,
    }

    /// A file with those that usually change together with it.
    pub struct ChangesTogether {
        /// Its path.
        pub path: String,
        /// The others.
        pub files: Vec<CoChanged>,
    }

    /// The places that a text is about.
    pub struct LocateResponse {
        /// The title as it was read; empty for a text without one, such as a stack trace.
        pub title: String,
        /// How sure it is that the right files are among the first five, 0 to 1.
        pub confidence: f32,
        /// Whether that is enough to rely on; else `note` says so.
        pub known: bool,
        /// Tells that nothing in the text points clearly to a place.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub note: Option<String>,
        /// The parts that were read in the text.
        pub read: LocateReading,
        /// Number of files with any clue, before `limit`.
        pub total: u32,
        /// Files that were found and did not fit into the budget.
        pub n_more: u32,
        /// Best first.
        pub files: Vec<LocatedFile>,
        /// Tokens of this answer as JSON, counted from above.
        pub n_tokens: u32,
        /// Whether the history of the repository counted; false where it was not read in time. Only where the host reads it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub with_history: Option<bool>,
    }

    /// The parts that were read in a text.
    #[derive(Eq)]
    pub struct LocateReading {
        /// Frames of stack traces.
        pub n_frames: u32,
        /// Names in the form of code.
        pub n_names: u32,
        /// Paths.
        pub n_paths: u32,
        /// Messages of programs.
        pub n_messages: u32,
        /// Programs with their versions.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub versions: Vec<String>,
        /// Options of command lines.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub options: Vec<String>,
        /// Bytes in the middle of a long text that were not read.
        #[serde(default, skip_serializing_if = "is_zero")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub n_left_out: u32,
    }

    /// A file that a text is about.
    pub struct LocatedFile {
        /// Its path.
        pub path: String,
        /// Higher is better; comparable within one response only.
        pub score: f32,
        /// How sure it is that this file is right, 0 to 1.
        pub confidence: f32,
        /// The clues that speak for it, the strongest first: `title`, `frame: src/cart.py:12`, `name: Cart.add`.
        pub why: Vec<String>,
        /// Its functions among the likeliest of all, the likeliest first.
        pub functions: Vec<LocatedFunction>,
    }

    /// A function that a text is about.
    pub struct LocatedFunction {
        /// Qualified name.
        pub symbol: String,
        /// `function`, `method`, `constructor`.
        pub kind: String,
        /// First line, 1-based.
        pub start_line: u32,
        /// Last line, 1-based, inclusive.
        pub end_line: u32,
        /// Its place among the functions of all files, from 1.
        pub rank: u32,
        /// Higher is better; comparable with the other functions of the response.
        pub score: f32,
        /// As for files.
        pub why: Vec<String>,
        /// Its code, where it fits into the budget.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub code: Option<String>,
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_zero(n: &u32) -> bool {
    *n == 0
}
