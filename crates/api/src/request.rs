//! Requests that say little, and what many answers share.

use crate::wire;

wire! {
    /// Nothing needs to be said.
    #[derive(Eq, Default)]
    #[serde(deny_unknown_fields)]
    pub struct NoRequest {}

    /// A file.
    #[derive(Eq, Default)]
    #[serde(deny_unknown_fields)]
    pub struct FileRequest {
        /// Its path.
        pub path: String,
    }

    /// A definition in one line of a list. Code at the top level of a file has kind `file` and the path as its name.
    #[derive(Eq, Default)]
    pub struct SymbolRef {
        /// Number within this index; changes when the index is built anew.
        pub id: u32,
        /// Simple name.
        pub name: String,
        /// Name with its containers (`Router.add`).
        pub qualified_name: String,
        /// `function`, `method`, `class`, …; `file`, `folder`, `external` for what is no definition.
        pub kind: String,
        /// Path of its file.
        pub path: String,
        /// Line of its name, 1-based.
        pub line: u32,
    }

    /// A definition of an ambiguous name.
    #[derive(Eq, Default)]
    pub struct Candidate {
        /// The definition.
        pub symbol: SymbolRef,
        /// Selects exactly this definition: `src/router.ts#Router.add` or `src/router.ts:40`.
        pub selector: String,
        /// Places that name it, calls included.
        pub n_references: u32,
    }
}
