//! Chunks: the pieces of a file that are searched, embedded and shown as one.

use crate::{SymbolRef, wire};

wire! {
    /// The chunks of a file.
    #[derive(Eq, Default)]
    #[serde(deny_unknown_fields)]
    pub struct ChunksRequest {
        /// Path of the file.
        pub path: String,
        /// Also the text that is embedded of each: its place, then its code. Off by default.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub embedding_text: Option<bool>,
    }

    /// The chunks of a file in order; together they cover every line once.
    #[derive(Default)]
    pub struct ChunksResponse {
        /// Path of the file.
        pub path: String,
        /// Language of the file.
        pub language: String,
        /// In order.
        pub chunks: Vec<ChunkInfo>,
    }

    /// A chunk with all that is known of it.
    #[derive(Default)]
    pub struct ChunkInfo {
        /// Number within this index; changes when the index is built anew.
        pub id: u32,
        /// First line, 1-based.
        pub start_line: u32,
        /// Last line, 1-based, inclusive.
        pub end_line: u32,
        /// Kind of the syntax node it was cut at (`function_item`, `class_declaration`; `module` for merged neighbours); empty where
        /// the index was saved without facts.
        pub node_kind: String,
        /// The definition it mainly consists of.
        pub symbol: Option<SymbolRef>,
        /// Names of that definition and those around it, outermost first.
        pub scope: Vec<String>,
        /// Definitions that start in it.
        pub defines: Vec<SymbolRef>,
        /// Imports of the file that it uses.
        pub imports: Vec<ChunkImport>,
        /// Cyclomatic complexity of its definition, or the largest of those that start in it.
        pub complexity: u32,
        /// Characters that are not white space.
        pub n_chars: u32,
        /// BLAKE3 of its text in hexadecimal digits; empty where the index was saved without texts.
        pub hash: String,
        /// The text that is embedded, on request.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub embedding_text: Option<String>,
    }

    /// An import that a chunk uses.
    #[derive(Eq, Default)]
    pub struct ChunkImport {
        /// The module as written.
        pub module: String,
        /// The name within the module; empty where the module itself is bound.
        pub name: String,
        /// Its name in the file.
        pub local: String,
    }
}
