//! Stores vectors by the key of their text, so that they survive changes to the files around them.

use rustc_hash::FxHashMap;
use search::{ChunkId, Vectors, VectorsBuilder};

use crate::{Error, ErrorKind};

/// One row as in the snapshot: 8 bits for each number. Keeping this form instead of the original floats makes an index
/// that was saved and opened again equal to one that was not.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Row {
    pub scale: f32,
    pub cells: Box<[i8]>,
}

/// All vectors of one model.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct VectorStore {
    pub model: String,
    pub dim: usize,
    rows: FxHashMap<u64, Row>,
}

impl VectorStore {
    pub fn new(model: &str, dim: usize) -> Self {
        Self {
            model: model.to_owned(),
            dim,
            rows: FxHashMap::default(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub fn has(&self, key: u64) -> bool {
        self.rows.contains_key(&key)
    }

    /// Adds one row as it was saved.
    pub fn restore(&mut self, key: u64, scale: f32, cells: &[i8]) {
        self.rows.insert(
            key,
            Row {
                scale,
                cells: cells.into(),
            },
        );
    }

    /// Quantises and adds `keys.len()` rows; rows of another model or dimension are dropped first.
    pub fn set(
        &mut self,
        keys: &[u64],
        vectors: &[f32],
        dim: usize,
        model: &str,
    ) -> Result<(), Error> {
        if dim == 0 || keys.len().checked_mul(dim) != Some(vectors.len()) {
            let message = format!(
                "{} numbers are not {} vectors of {dim}",
                vectors.len(),
                keys.len()
            );
            return Err(Error::new(ErrorKind::VectorsMismatch, message));
        }
        if !vectors.iter().all(|number| number.is_finite()) {
            return Err(Error::new(
                ErrorKind::VectorsMismatch,
                "a vector holds a number that is not finite",
            ));
        }
        if self.dim != dim || self.model != model {
            *self = Self::new(model, dim);
        }
        for (key, vector) in keys.iter().zip(vectors.chunks_exact(dim)) {
            let mut builder = VectorsBuilder::new(dim, 1);
            // A text without a known word has no direction: its row is zeros, so that it is not embedded again.
            builder.set(ChunkId(0), vector);
            let quantised = builder.build();
            let scale = quantised.scales.first().copied().unwrap_or_default();
            self.rows.insert(
                *key,
                Row {
                    scale,
                    cells: quantised.rows.into(),
                },
            );
        }
        Ok(())
    }

    /// The frozen rows of chunks with these keys; none if no chunk has a vector.
    pub fn freeze(&self, keys: &[u64]) -> Option<Vectors> {
        if !keys.iter().any(|key| self.has(*key)) {
            return None;
        }
        let mut scales = Vec::with_capacity(keys.len());
        let mut cells = Vec::with_capacity(keys.len() * self.dim);
        for key in keys {
            match self.rows.get(key) {
                Some(row) => {
                    scales.push(row.scale);
                    cells.extend_from_slice(&row.cells);
                }
                None => {
                    scales.push(0.0);
                    cells.resize(cells.len() + self.dim, 0);
                }
            }
        }
        Some(Vectors {
            dim: self.dim as u32,
            scales,
            rows: cells,
            hnsw: None,
        })
    }
}
