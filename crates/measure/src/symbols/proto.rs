//! The part of SCIP's protobuf schema (scip.proto of github.com/scip-code/scip, Apache-2.0) that tells definitions.

use prost::Message;

/// An index of one repository.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Index {
    #[prost(message, optional, tag = "1")]
    pub(crate) metadata: Option<Metadata>,
    #[prost(message, repeated, tag = "2")]
    pub(crate) documents: Vec<Document>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Metadata {
    #[prost(message, optional, tag = "2")]
    pub(crate) tool: Option<Tool>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Tool {
    #[prost(string, tag = "1")]
    pub(crate) name: String,
    #[prost(string, tag = "2")]
    pub(crate) version: String,
}

/// One source file.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Document {
    #[prost(string, tag = "1")]
    pub(crate) relative_path: String,
    #[prost(message, repeated, tag = "2")]
    pub(crate) occurrences: Vec<Occurrence>,
    #[prost(message, repeated, tag = "3")]
    pub(crate) symbols: Vec<SymbolInformation>,
    /// 1: columns count UTF-8 bytes; else UTF-16 units.
    #[prost(int32, tag = "6")]
    pub(crate) position_encoding: i32,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Occurrence {
    /// Line, column, end column; or line, column, end line, end column.
    #[prost(int32, repeated, tag = "1")]
    pub(crate) range: Vec<i32>,
    #[prost(string, tag = "2")]
    pub(crate) symbol: String,
    /// Bit 1: a definition.
    #[prost(int32, tag = "3")]
    pub(crate) symbol_roles: i32,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct SymbolInformation {
    #[prost(string, tag = "1")]
    pub(crate) symbol: String,
    #[prost(string, repeated, tag = "3")]
    pub(crate) documentation: Vec<String>,
    #[prost(int32, tag = "5")]
    pub(crate) kind: i32,
}
