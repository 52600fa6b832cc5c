//! Queries: each module answers one question, as methods of [`crate::Reader`], over a snapshot that it only reads.

pub(crate) mod index;
pub(crate) mod joined;
pub(crate) mod parts;
pub(crate) mod reader;

// Names and places.
pub(crate) mod candidates;
pub(crate) mod find;
pub(crate) mod places;
pub(crate) mod select;

// Texts.
pub(crate) mod chunks;
pub(crate) mod grep;
pub(crate) mod groups;
pub(crate) mod label;
pub(crate) mod locate;
pub(crate) mod outline;
pub(crate) mod search;
pub(crate) mod structural;
pub(crate) mod subject;

// Symbols and the graph.
pub(crate) mod calls;
pub(crate) mod context;
pub mod cypher;
pub(crate) mod definition;
pub(crate) mod export;
pub(crate) mod flows;
pub(crate) mod gap;
pub(crate) mod impact;
pub(crate) mod link;
pub(crate) mod references;
pub(crate) mod risk;
pub(crate) mod trace;
pub(crate) mod usage;
pub(crate) mod walks;

// Edits.
pub(crate) mod changes;
pub(crate) mod rename;

// The whole index.
pub(crate) mod assemble;
pub(crate) mod atlas;
pub(crate) mod map;
pub(crate) mod status;
