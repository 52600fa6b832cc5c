//! An approximate index over the vectors of a snapshot, made while the snapshot is already in use.
//!
//! The exact scan looks at every vector, which is the faster and the better way for any one repository. For large shared sets a graph
//! (HNSW) finds nearly the same in a fraction of the time, but takes minutes to build: so it is a step of its own, that a host takes in
//! the background. Until then queries scan, and so they do after the next change to the index.

use search::HnswConfig;

use crate::build::freeze;
use crate::snapshot::Part;
use crate::{Error, Snapshot};

impl Snapshot {
    /// This snapshot with an approximate index over its vectors; none if it has fewer than `config.threshold` of them, or one already.
    /// Some 10 µs times the number of vectors times its logarithm.
    ///
    /// # Errors
    ///
    /// `index.too-large` where the section would be.
    pub fn approximated(&self, config: &HnswConfig) -> Result<Option<Self>, Error> {
        let vectors = self
            .vectors()
            .and_then(|vectors| vectors.approximated(config));
        let Some(vectors) = vectors else {
            return Ok(None);
        };
        let parts = vec![(Part::Vectors, freeze(&vectors, Part::Vectors)?)];
        Ok(Some(Self::assemble(Some(self), parts)))
    }
}
