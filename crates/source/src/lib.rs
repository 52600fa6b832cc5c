//! Bytes in, a set of text files out.

mod ids;

pub use ids::FileId;
