//! Renaming a symbol everywhere.

use crate::paging::paged;
use crate::{Page, Range, SymbolRef, wire};

wire! {
    /// Handling of other occurrences of the same word.
    #[derive(Copy, Eq, Default)]
    #[serde(rename_all = "snake_case")]
    pub enum TextSearch {
        /// They are not looked for.
        Off,
        /// They are listed for review, and are not part of the diff.
        #[default]
        Review,
        /// They are changed, too.
        Apply,
    }
}

paged! {
    /// Requests a rename. Nothing is written: the answer holds edits and a diff.
    #[derive(Default)]
    #[serde(deny_unknown_fields)]
    pub struct RenameRequest {
        /// As in [`crate::ContextRequest`]; it must select one definition.
        pub symbol: String,
        /// The new simple name.
        pub new_name: String,
        /// Handling of the same word in comments, strings, documents and unresolved code (default `review`).
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub text_search: TextSearch,
        /// Uses resolved with less confidence count as text (default 0).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub min_confidence: Option<f32>,
        /// Change only paths that match one of these globs; one that starts with `!` excludes. Uses elsewhere are listed and not applied.
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub paths: Vec<String>,
        /// Maximum size of the answer in bytes of JSON (default 131072); shortens the list of edits and leaves out the
        /// diff.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub max_bytes: Option<u32>,
    }
    /// Maximum number of listed edits (default 500).
    limit, offset;
}

wire! {
    /// A rename to be reviewed.
    pub struct RenameResponse {
        /// The name before.
        pub old_name: String,
        /// The name after.
        pub new_name: String,
        /// The symbol first, then what must keep the same name: overloads, declarations it implements, implementations.
        pub symbols: Vec<SymbolRef>,
        /// Files with edits, whether these are listed here or not.
        pub n_files: u32,
        /// Edits that are listed only: words that may mean something else, and uses outside of `paths`.
        pub n_left: u32,
        /// Edits that the graph knows of.
        pub n_graph_edits: u32,
        /// The same word elsewhere.
        pub n_text_edits: u32,
        /// Files with their edits, by path.
        pub changes: Vec<FileRename>,
        /// The part of the edits, counted over all files, in this answer.
        pub page: Page,
        /// Places where the new name is taken already.
        pub conflicts: Vec<RenameConflict>,
        /// The edits with `applied`, as a diff for `git apply`; none if it would be larger than the answer may be.
        pub diff: Option<String>,
    }

    /// The edits of a file, from top to bottom.
    pub struct FileRename {
        /// Path of the file.
        pub path: String,
        /// The edits.
        pub edits: Vec<RenameEdit>,
    }

    /// Source of an edit.
    #[derive(Copy, Eq)]
    #[serde(rename_all = "snake_case")]
    pub enum EditSource {
        /// A definition or a resolved use.
        Graph,
        /// The same word.
        TextSearch,
    }

    /// A changed piece of a line.
    pub struct RenameEdit {
        /// 1-based.
        pub line: u32,
        /// The replaced range.
        pub range: Range,
        /// The text before.
        pub old_text: String,
        /// The text after.
        pub new_text: String,
        /// The whole line before, trimmed; at most 200 characters.
        pub text: String,
        /// Source of the edit.
        pub source: EditSource,
        /// Share of such resolutions that are right, 0 to 1; none for text.
        pub confidence: Option<f32>,
        /// The rule that resolved it; none for text.
        pub reason: Option<String>,
        /// `code`, `comment`, `string`, `document`.
        pub place: String,
        /// True if it is part of the diff.
        pub applied: bool,
    }

    /// A place where the new name is taken.
    #[derive(Eq)]
    pub struct RenameConflict {
        /// Path of the file.
        pub path: String,
        /// 1-based.
        pub line: u32,
        /// For a person.
        pub message: String,
    }
}
