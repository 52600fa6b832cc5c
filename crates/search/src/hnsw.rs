//! Approximate nearest neighbours for large sets of vectors: the graph that `instant-distance` builds, laid out flat.
//!
//! "Here is a vector, give me near chunks." Not useful below some hundred thousand chunks: the exact scan is faster
//! there, and exact.

use rkyv::{Archive, Deserialize, Serialize};

use crate::frozen::FrozenError;

/// The layers of a hierarchical navigable small world graph (Malkov and Yashunin 2016) over the rows of
/// [`crate::Vectors`].
#[derive(Debug, Clone, PartialEq, Eq, Default, Archive, Serialize, Deserialize)]
pub struct Hnsw {
    /// How many candidates a search keeps.
    pub ef_search: u32,
    /// Per point: the chunk whose row it is.
    pub chunks: Vec<u32>,
    /// Per point of the lowest layer: its neighbours.
    pub links: Vec<u32>,
}

impl ArchivedHnsw {
    pub(crate) fn validate(&self, n_chunks: usize) -> Result<(), FrozenError> {
        crate::frozen::ensure(
            self.chunks
                .iter()
                .all(|chunk| (chunk.to_native() as usize) < n_chunks),
            "hnsw",
            "a chunk that is not there",
        )
    }
}
