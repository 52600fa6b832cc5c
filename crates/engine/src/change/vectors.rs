//! Stores vectors by the key of their text, so that they survive changes to the files around them.

use rustc_hash::FxHashMap;
use search::{ChunkId, Vectors, VectorsBuilder, scale_of};

use crate::{Error, ErrorKind};

/// One row as in the snapshot: 8 bits for each number. Keeping this form instead of the original floats makes an index
/// that was saved and opened again equal to one that was not.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Row {
    pub scale: f32,
    pub cells: Box<[i8]>,
}

/// Vectors of one model, rounded to what an index keeps of them: a quarter of their bytes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Rows {
    dim: usize,
    cells: Vec<i8>,
}

impl Rows {
    /// Rounds vectors of `dim` numbers each, one after the other.
    ///
    /// # Errors
    ///
    /// `vectors.mismatch` if they are not whole vectors, or a number is not finite.
    pub fn of(vectors: &[f32], dim: usize) -> Result<Self, Error> {
        check_dim(vectors.len(), dim)?;
        if !vectors.iter().all(|number| number.is_finite()) {
            let message = "a vector holds a number that is not finite";
            return Err(Error::new(ErrorKind::VectorsMismatch, message));
        }
        let mut builder = VectorsBuilder::new(dim, vectors.len() / dim);
        for (number, vector) in (0..).zip(vectors.chunks_exact(dim)) {
            // A text without a known word has no direction: its row is zeros, so that it is not embedded again.
            builder.set(ChunkId(number), vector);
        }
        let cells = builder.build().rows;
        Ok(Self { dim, cells })
    }

    /// Rows that were rounded elsewhere.
    ///
    /// # Errors
    ///
    /// `vectors.mismatch` if they are not whole rows.
    pub fn of_cells(cells: Vec<i8>, dim: usize) -> Result<Self, Error> {
        check_dim(cells.len(), dim)?;
        Ok(Self { dim, cells })
    }

    /// The rows, one after the other.
    #[must_use]
    pub fn cells(&self) -> &[i8] {
        &self.cells
    }

    fn each(&self) -> std::slice::ChunksExact<'_, i8> {
        self.cells.chunks_exact(self.dim.max(1))
    }
}

fn check_dim(n_numbers: usize, dim: usize) -> Result<(), Error> {
    if dim > 0 && n_numbers.is_multiple_of(dim) {
        return Ok(());
    }
    let message = format!("{n_numbers} numbers are not vectors of {dim}");
    Err(Error::new(ErrorKind::VectorsMismatch, message))
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

    /// Adds a row for each key; rows of another model or dimension are dropped first.
    pub fn set(&mut self, keys: &[u64], rows: &Rows, model: &str) -> Result<(), Error> {
        let n_rows = rows.each().len();
        if keys.len() != n_rows {
            let message = format!("{n_rows} vectors are not those of {} texts", keys.len());
            return Err(Error::new(ErrorKind::VectorsMismatch, message));
        }
        if self.dim != rows.dim || self.model != model {
            *self = Self::new(model, rows.dim);
        }
        for (key, cells) in keys.iter().zip(rows.each()) {
            self.restore(*key, scale_of(cells), cells);
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
