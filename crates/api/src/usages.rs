//! The definitions of a name, each with how much it is used.

use crate::{Symbol, wire};

wire! {
    /// The definitions that a [`crate::FindRequest`] finds, with counts.
    pub struct UsagesResponse {
        /// Best first, as in [`crate::FindResponse`].
        pub symbols: Vec<SymbolUsage>,
        /// Number of results before the limit.
        pub total: u32,
    }

    /// A definition and how much it is used.
    pub struct SymbolUsage {
        /// The definition.
        pub symbol: Symbol,
        /// Places that name it, calls included.
        pub n_references: u32,
        /// Definitions, and files with code at their top level, that call it.
        pub n_callers: u32,
        /// Definitions that it calls.
        pub n_callees: u32,
    }
}
