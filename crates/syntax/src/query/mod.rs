//! Facts queries: tree-sitter's query language, run over a flattened tree.
//!
//! tree-sitter compiles a query by an analysis of the whole grammar (50 to 170 ms for TypeScript, Rust and C++, once in
//! every worker) and then steps all its patterns through every node. Here a tree is flattened once, each node is compared
//! with the patterns that begin with its kind, and compiling is reading. The queries stay what they are: files that other
//! tools understand ([decision 11](../../../../docs/decisions/0011-facts-queries.md)).
//!
//! Understood: named nodes, `"anonymous"` nodes, `(_)` and `_`, `ERROR`, fields, `!field`, `[alternations]`, captures,
//! anchors `.`, the quantifiers `?`, `*`, `+`, and the predicates `#eq?`, `#not-eq?`, `#any-of?`, `#match?` and `#not-match?`.
//! A group of siblings is not.

mod compile;
mod flat;
mod read;
mod run;
#[cfg(all(test, feature = "all-languages"))]
mod tests;

pub(crate) use compile::{Matcher, QueryError};
pub(crate) use flat::FlatTree;
pub(crate) use run::Found;
