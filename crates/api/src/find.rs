//! Symbols: by name, by position, by file.

use crate::{Range, wire};

wire! {
    /// Symbols by name.
    #[serde(deny_unknown_fields)]
    pub struct FindRequest {
        /// A simple name (`add`), a qualified one (`Router.add`), one within a file (`src/router.ts#add`) or a place (`src/router.ts:40`).
        pub symbol: String,
        /// Only this kind.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub kind: Option<String>,
        /// If nothing matches exactly, also finds names with this prefix, names that contain it, and names one or two
        /// edits away (default true).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub fuzzy: Option<bool>,
        /// Maximum number of results (default 20).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub limit: Option<u32>,
    }

    /// The definitions found.
    pub struct FindResponse {
        /// Best first: exact, then by case, prefix, substring, edit distance.
        pub symbols: Vec<Symbol>,
        /// Number of results before the limit.
        pub total: u32,
    }

    /// A definition.
    pub struct Symbol {
        /// Number within this index; changes when the index is built anew.
        pub id: u32,
        /// Simple name.
        pub name: String,
        /// Name with its containers (`Router.add`).
        pub qualified_name: String,
        /// `function`, `method`, `class`, …
        pub kind: String,
        /// Language by name.
        pub language: String,
        /// Path of its file.
        pub path: String,
        /// Line of its name, 1-based.
        pub line: u32,
        /// First line of the definition, 1-based.
        pub start_line: u32,
        /// Last line of the definition, 1-based, inclusive.
        pub end_line: u32,
        /// Its name.
        pub name_range: Range,
        /// The declaration without its body.
        pub signature: String,
        /// The doc comment.
        pub doc: String,
        /// Visible from outside its file or package.
        pub exported: bool,
    }

    /// The symbols of a file in source order; `parent` points into the same list.
    pub struct Outline {
        /// Path of the file.
        pub path: String,
        /// The symbols.
        pub symbols: Vec<OutlineEntry>,
    }

    /// A symbol and its place in the tree.
    pub struct OutlineEntry {
        /// The symbol.
        pub symbol: Symbol,
        /// Index of the entry that contains it.
        pub parent: Option<u32>,
    }

    /// Requests the definition of the name under the cursor.
    #[serde(deny_unknown_fields)]
    pub struct DefinitionRequest {
        /// Path of the file.
        pub path: String,
        /// 0-based line.
        pub line: u32,
        /// 0-based UTF-16 code unit.
        pub character: u32,
    }

    /// The definition of the name under the cursor; several if it is uncertain.
    pub struct DefinitionResponse {
        /// The name itself, where there is one.
        pub origin: Option<Range>,
        /// Best first.
        pub targets: Vec<Target>,
    }

    /// A definition that a use may mean.
    pub struct Target {
        /// The definition.
        pub symbol: Symbol,
        /// Share of such resolutions that are right, 0 to 1.
        pub confidence: f32,
        /// The rule that found it (`import`, `receiver-type`, `unique-name`).
        pub reason: String,
    }
}
