//! Graphs over the vectors of large indexes: rows of a `CodeIndex` in, numbers for it out, in a worker of their own.

use engine::{HnswConfig, NearRows};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::errors::{JsResult, error};

/// A graph over rows.
#[wasm_bindgen]
pub struct Neighbours(NearRows);

#[wasm_bindgen]
impl Neighbours {
    /// Builds it over rows of `dim` numbers. Some 50 µs times their number times its logarithm to the base 2: minutes for 100,000.
    #[wasm_bindgen(constructor)]
    pub fn new(dim: usize, rows: Vec<i8>) -> JsResult<Neighbours> {
        NearRows::build(dim, rows, &HnswConfig::default())
            .map(Self)
            .ok_or_else(|| error("vectors.mismatch", "the rows are no vectors"))
    }

    /// The graph, for `CodeIndex.setNeighbours`.
    #[must_use]
    pub fn numbers(&self) -> Vec<u32> {
        self.0.numbers()
    }

    /// Rows near to a vector, best first, by the graph; `exact`: by looking at every row.
    #[must_use]
    pub fn nearest(&self, vector: &[f32], limit: usize, exact: bool) -> Vec<u32> {
        self.0.nearest(vector, limit, exact)
    }
}
