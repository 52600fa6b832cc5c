//! Changes an index: adds files, updates it, freezes it into a snapshot, and opens a snapshot again for further
//! changes.

pub(crate) mod index;
pub(crate) mod indexer;
#[cfg(feature = "ingest")]
pub(crate) mod ingest;
pub(crate) mod pending;
pub(crate) mod round;
pub(crate) mod unit;

pub(crate) mod build;
pub(crate) mod graph;
pub(crate) mod info;
pub(crate) mod parts;
pub(crate) mod reopen;
pub(crate) mod update;

pub(crate) mod approximate;
pub mod scip;
pub(crate) mod vectors;
