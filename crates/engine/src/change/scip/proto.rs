//! The SCIP messages that are read: `scip.proto` of scip-code/scip (Apache-2.0), fields by their numbers. Other fields
//! are skipped.

use prost::Message;

/// A whole index.
#[derive(Clone, PartialEq, Message)]
pub struct Index {
    /// The indexer and the project.
    #[prost(message, optional, tag = "1")]
    pub metadata: Option<Metadata>,
    /// One document for each source file.
    #[prost(message, repeated, tag = "2")]
    pub documents: Vec<Document>,
}

/// The indexer that made an index, and the project's root.
#[derive(Clone, PartialEq, Message)]
pub struct Metadata {
    /// The indexer.
    #[prost(message, optional, tag = "2")]
    pub tool_info: Option<ToolInfo>,
    /// URI of the folder that paths are relative to.
    #[prost(string, tag = "3")]
    pub project_root: String,
}

/// An indexer.
#[derive(Clone, PartialEq, Message)]
pub struct ToolInfo {
    /// `scip-typescript`, `rust-analyzer`, …
    #[prost(string, tag = "1")]
    pub name: String,
    /// Its version.
    #[prost(string, tag = "2")]
    pub version: String,
}

/// A source file.
#[derive(Clone, PartialEq, Message)]
pub struct Document {
    /// Relative to the project's root, with `/`.
    #[prost(string, tag = "1")]
    pub relative_path: String,
    /// Names in it.
    #[prost(message, repeated, tag = "2")]
    pub occurrences: Vec<Occurrence>,
    /// Definitions in it.
    #[prost(message, repeated, tag = "3")]
    pub symbols: Vec<SymbolInformation>,
    /// Its text; most indexers leave it out.
    #[prost(string, tag = "5")]
    pub text: String,
    /// Unit of columns: 1 bytes, 2 UTF-16 units, 3 characters, 0 unspecified.
    #[prost(int32, tag = "6")]
    pub position_encoding: i32,
}

/// A name in a file.
#[derive(Clone, PartialEq, Message)]
pub struct Occurrence {
    /// Line, column, last column; or line, column, last line, last column. 0-based, half-open.
    #[prost(int32, repeated, tag = "1")]
    pub range: Vec<i32>,
    /// The symbol that it refers to; `local …` is known within the document only.
    #[prost(string, tag = "2")]
    pub symbol: String,
    /// Bits: 1 definition, 2 import, 4 write, 8 read, 16 generated, 32 test, 64 forward definition.
    #[prost(int32, tag = "3")]
    pub symbol_roles: i32,
}

/// A definition and its relationships.
#[derive(Clone, PartialEq, Message)]
pub struct SymbolInformation {
    /// Its symbol.
    #[prost(string, tag = "1")]
    pub symbol: String,
    /// Its relations to other symbols.
    #[prost(message, repeated, tag = "4")]
    pub relationships: Vec<Relationship>,
}

/// A relation to another symbol.
#[derive(Clone, PartialEq, Message)]
pub struct Relationship {
    /// The other symbol.
    #[prost(string, tag = "1")]
    pub symbol: String,
    /// Whether this one implements, extends or overrides the other.
    #[prost(bool, tag = "3")]
    pub is_implementation: bool,
}
