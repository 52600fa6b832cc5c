//! Requests that say little, and what many answers share.

use crate::wire;

wire! {
    /// Nothing needs to be said.
    #[derive(Eq, Default)]
    pub struct NoRequest {}

    /// A file.
    #[derive(Eq, Default)]
    pub struct FileRequest {
        /// Its path.
        pub path: String,
    }

    /// A definition in one line of a list. Code at the top level of a file stands as the file: kind `file`, named by its path.
    #[derive(Eq, Default)]
    pub struct SymbolRef {
        /// Number within this index; changes when the index is built anew.
        pub id: u32,
        /// Simple name.
        pub name: String,
        /// With the names of what it stands in (`Router.add`).
        pub qualified_name: String,
        /// `function`, `method`, `class`, …; `file`, `folder`, `external` for what is no definition.
        pub kind: String,
        /// Path of its file.
        pub path: String,
        /// Line of its name, 1-based.
        pub line: u32,
    }

    /// Which part of a list is here. A list ends early at the limit of the request, or where the answer would grow larger
    /// than the request's `max_bytes`.
    #[derive(Copy, Eq, Default)]
    pub struct Page {
        /// How many there are in all.
        pub total: u32,
        /// How many were left out before the first one here.
        pub offset: u32,
        /// Whether there are more behind the last one here: ask again with a larger `offset` or `limit`.
        pub truncated: bool,
    }

    /// A definition that a name may stand for, where it may stand for several.
    #[derive(Eq, Default)]
    pub struct Candidate {
        /// The definition.
        pub symbol: SymbolRef,
        /// How to ask for this one and no other: `src/router.ts#Router.add` or `src/router.ts:40`.
        pub selector: String,
        /// Places that name it, calls included.
        pub n_references: u32,
    }
}
