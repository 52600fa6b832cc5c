//! Contents of the index: files, counts, problems.

use crate::wire;

wire! {
    /// The index at a glance.
    pub struct Status {
        /// Name given to it (repository or folder).
        pub name: String,
        /// Version of Portolan that built it.
        pub built_by: String,
        /// When, in milliseconds since 1970; 0 if unknown.
        pub built_at: f64,
        /// Version of the snapshot format.
        pub format_version: u32,
        /// Number of shards; absent where the index is in one piece.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub n_shards: Option<u32>,
        /// Indexed files.
        pub n_files: u32,
        /// Their bytes.
        pub n_bytes: f64,
        /// Their lines.
        pub n_lines: u32,
        /// Definitions.
        pub n_symbols: u32,
        /// Chunks.
        pub n_chunks: u32,
        /// Chunks that have a vector.
        pub n_vectors: u32,
        /// Edges.
        pub n_edges: u32,
        /// Embedding model; empty if none.
        pub embedder: String,
        /// Its dimensions.
        pub dimensions: u32,
        /// Files by language, most first.
        pub languages: Vec<Count>,
        /// Definitions by kind, most first.
        pub kinds: Vec<Count>,
        /// Edges by kind, most first.
        pub edges: Vec<Count>,
        /// Size of the snapshot by section.
        pub sections: Vec<Count>,
        /// Files left out, and why.
        pub skipped: Vec<SkippedFile>,
        /// Files that were only partly understood, and why.
        pub problems: Vec<FileProblem>,
    }

    /// A count by name.
    pub struct Count {
        /// The counted thing.
        pub name: String,
        /// The count.
        pub count: f64,
    }

    /// A file left out.
    #[derive(Eq)]
    pub struct SkippedFile {
        /// Its path.
        pub path: String,
        /// `ignored`, `binary`, `too-large`, `not-utf-8`, `generated`, `unsafe-path`, `duplicate-path`, `unreadable`, …
        pub code: String,
        /// The reason for a person.
        pub message: String,
    }

    /// A file only partly understood.
    #[derive(Eq)]
    pub struct FileProblem {
        /// Its path.
        pub path: String,
        /// `syntax`, `timeout`, `no-grammar`, `limit`, `crash`.
        pub code: String,
        /// 1-based line.
        pub line: u32,
        /// Description, for a person.
        pub message: String,
    }

    /// Indexed files by path.
    pub struct FileList {
        /// The files.
        pub files: Vec<FileEntry>,
    }

    /// An indexed file.
    pub struct FileEntry {
        /// Its path.
        pub path: String,
        /// Language by name.
        pub language: String,
        /// Bytes.
        pub n_bytes: u32,
        /// Lines.
        pub n_lines: u32,
        /// Definitions.
        pub n_symbols: u32,
    }

    /// A file's text.
    #[derive(Eq)]
    pub struct FileText {
        /// Its path.
        pub path: String,
        /// Language by name.
        pub language: String,
        /// The whole text.
        pub text: String,
    }
}
