//! Code for a reader with little room: what answers a question, packed into a number of tokens.

use crate::wire;

wire! {
    /// A question, and how much room there is for code.
    #[derive(Default)]
    #[serde(deny_unknown_fields)]
    pub struct AssembleRequest {
        /// Words, a question, or an identifier.
        pub query: String,
        /// Token budget (default 4,096). Tokens are counted from above, so that language models (`o200k`, `cl100k`) count no more.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub max_tokens: Option<u32>,
        /// Share of `max_tokens` that code may take, 0 to 1 (default 1): a reader gives its whole window and the share for code.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub budget_ratio: Option<f32>,
        /// Maximum number of chunks that are found (1 to 100, default 100); callees and types come on top.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub max_chunks: Option<u32>,
        /// Minimum cosine similarity to the query, 0 to 1; needs vectors.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub similarity_threshold: Option<f32>,
        /// Minimum score as a share of the best chunk's, 0 to 1 (default 0.4).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub min_share: Option<f32>,
        /// Percentage of the budget for callees and types (default 25; 0 follows no edges).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub related_percent: Option<u32>,
        /// Only these languages, by name.
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub languages: Vec<String>,
        /// Only paths that match one of these globs; one that starts with `!` excludes.
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub paths: Vec<String>,
    }

    /// Code with its places.
    pub struct AssembleResponse {
        /// `<code_context>`, a `<code path="…" lines="…">` for each chunk, `</code_context>`; empty where nothing fits.
        pub text: String,
        /// Its tokens.
        pub n_tokens: u32,
        /// The pieces of code, in the order of the text.
        pub pieces: Vec<AssembledPiece>,
        /// Chunks that scored well enough and did not fit.
        pub n_more: u32,
    }

    /// A chunk.
    pub struct AssembledPiece {
        /// Path of its file.
        pub path: String,
        /// First line, 1-based.
        pub start_line: u32,
        /// Last line, 1-based, inclusive.
        pub end_line: u32,
        /// Qualified name of the definition it mainly consists of.
        pub symbol: Option<String>,
        /// Its score; 0 for what was added because something leans on it.
        pub score: f32,
        /// The symbol that uses this piece.
        pub used_by: Option<String>,
    }
}
