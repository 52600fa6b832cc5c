//! Vectors of chunks: numbers from −7 to 7 in eight bits each and one scale a row, scanned exactly.
//!
//! "Here is a vector, give me the chunks nearest to it." The exact scan reads every row once: 16 MB for 128,000 chunks of
//! 128 numbers, a few milliseconds with SIMD. An approximate index pays only far beyond that, see [`crate::hnsw`].

use rkyv::rend::f32_le;
use rkyv::{Archive, Deserialize, Serialize};

use crate::csr::{FrozenError, ensure};
use crate::dot::{dot, dot_of_rows};
use crate::frozen::ChunkId;
use crate::hnsw::Hnsw;
use crate::signs::Signs;
use crate::topk::{Best, Filtered, TopK};

/// The vector of every chunk that has one.
#[derive(Debug, Clone, PartialEq, Default, Archive, Serialize, Deserialize)]
pub struct Vectors {
    /// Numbers in a row.
    pub dim: u32,
    /// One a chunk; 0 where the chunk has no vector.
    pub scales: Vec<f32>,
    /// `dim` a chunk: the vector divided by its scale.
    pub rows: Vec<i8>,
    /// Approximate index over the rows, for large sets.
    pub hnsw: Option<Hnsw>,
}

impl Vectors {
    /// Of rows of `dim` numbers, one a chunk; rows of zeros are chunks without a vector.
    #[must_use]
    pub fn of_rows(dim: usize, rows: Vec<i8>) -> Vectors {
        Vectors {
            dim: dim as u32,
            scales: rows.chunks_exact(dim.max(1)).map(scale_of).collect(),
            rows,
            hnsw: None,
        }
    }
}

/// Largest number in a row, either way: four bits hold it, which is what a snapshot stores of it.
const LARGEST: f32 = 7.0;

/// Quantisation step, in units of the numbers' root mean square: the best for seven levels to each side of a normal
/// distribution (Max 1960). With outliers, steps reach as far as the largest.
const STEP: f32 = 0.335;

/// Returns the factor that scales a row to length 1; 0 for a row of zeros.
#[must_use]
pub fn scale_of(row: &[i8]) -> f32 {
    let square = dot_of_rows(row, row);
    if square > 0 {
        1.0 / (square as f32).sqrt()
    } else {
        0.0
    }
}

/// Number of chunks that represent their file.
const FILE_CHUNKS: usize = 3;

/// Collects vectors in any order.
#[derive(Debug, Clone)]
pub struct VectorsBuilder {
    vectors: Vectors,
}

impl VectorsBuilder {
    /// For vectors of `dim` numbers.
    #[must_use]
    pub fn new(dim: usize, n_chunks: usize) -> VectorsBuilder {
        VectorsBuilder {
            vectors: Vectors {
                dim: dim as u32,
                scales: vec![0.0; n_chunks],
                rows: vec![0; n_chunks * dim],
                hnsw: None,
            },
        }
    }

    /// Sets the vector of a chunk, L2-normalised or not (only its direction counts). False, and nothing done, if it has the wrong
    /// length, is no direction (zero or not finite) or there is no such chunk.
    pub fn set(&mut self, chunk: ChunkId, vector: &[f32]) -> bool {
        let dim = self.vectors.dim as usize;
        let norm = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
        if vector.len() != dim || !norm.is_normal() || chunk.index() >= self.vectors.scales.len() {
            return false;
        }
        let larger = |max: f32, x: &f32| if x.abs() > max { x.abs() } else { max };
        let largest = vector.iter().fold(0.0, larger);
        let row = &mut self.vectors.rows[chunk.index() * dim..][..dim];
        let (usual, widest) = (norm * STEP / (dim as f32).sqrt(), largest / LARGEST);
        let step = if likeness(vector, widest) > likeness(vector, usual) {
            widest
        } else {
            usual
        };
        for (slot, &x) in row.iter_mut().zip(vector) {
            *slot = cell(x, step) as i8;
        }
        self.vectors.scales[chunk.index()] = scale_of(row);
        true
    }

    /// The flat form, scanned exactly.
    #[must_use]
    pub fn build(self) -> Vectors {
        self.vectors
    }

    /// The flat form, with a graph for approximate search if there are at least `config.threshold` vectors. Slow: minutes for
    /// 100,000; meant for large shared sets, built in the background.
    #[cfg(feature = "hnsw")]
    #[must_use]
    pub fn build_hnsw(mut self, config: &crate::hnsw_build::HnswConfig) -> Vectors {
        let n_vectors = self
            .vectors
            .scales
            .iter()
            .filter(|&&scale| scale > 0.0)
            .count();
        if n_vectors >= config.threshold {
            self.vectors.hnsw = crate::hnsw_build::build(&self.vectors, config);
        }
        self.vectors
    }
}

/// Numbers that are rounded and summed side by side, as processors do it.
const LANES: usize = 4;

/// Cosine between a vector and its row of this step.
fn likeness(vector: &[f32], step: f32) -> f32 {
    let (mut dots, mut squares) = ([0.0_f32; LANES], [0.0_f32; LANES]);
    let mut add = |numbers: &[f32; LANES]| {
        let cells = numbers.map(|x| cell(x, step));
        for lane in 0..LANES {
            dots[lane] += numbers[lane] * cells[lane];
            squares[lane] += cells[lane] * cells[lane];
        }
    };
    let (whole, rest) = vector.as_chunks::<LANES>();
    whole.iter().for_each(&mut add);
    let mut last = [0.0; LANES];
    last[..rest.len()].copy_from_slice(rest);
    add(&last);
    dots.iter().sum::<f32>() / squares.iter().sum::<f32>().sqrt()
}

/// A number in steps, rounded to a whole one. `f32::round` and `f32::trunc` would be calls where processors have no instruction for them.
fn cell(x: f32, step: f32) -> f32 {
    let steps = (x / step).clamp(-LARGEST, LARGEST);
    let whole = steps as i32 as f32;
    let rest = steps - whole;
    whole + f32::from(rest >= 0.5) - f32::from(rest <= -0.5)
}

/// Cosine of two rows.
#[cfg(feature = "hnsw")]
pub(crate) fn dot_rows(vectors: &Vectors, one: u32, other: u32) -> f32 {
    let dim = vectors.dim as usize;
    let row = |chunk: u32| {
        vectors
            .rows
            .get(chunk as usize * dim..(chunk as usize + 1) * dim)
            .unwrap_or(&[])
    };
    let scale = |chunk: u32| vectors.scales.get(chunk as usize).copied().unwrap_or(0.0);
    let dot = dot_of_rows(row(one), row(other));
    dot as f32 * scale(one) * scale(other)
}

/// A query vector in 16 bits: precise enough that only the rows are rounded.
pub(crate) struct QueryVector {
    pub(crate) cells: Vec<i16>,
    scale: f32,
}

impl QueryVector {
    /// None if `vector` is no direction.
    pub(crate) fn new(vector: &[f32]) -> Option<QueryVector> {
        let norm = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
        let largest = vector.iter().fold(0.0_f32, |max, x| max.max(x.abs()));
        if !norm.is_normal() || !largest.is_finite() {
            return None;
        }
        // 127 · 4095 · 4096 dimensions still fit 32 bits.
        let scale = largest / 4095.0;
        Some(QueryVector {
            cells: vector.iter().map(|x| (x / scale).round() as i16).collect(),
            scale: scale / norm,
        })
    }

    /// Cosine to a row of the given scale.
    pub(crate) fn cosine(&self, row: &[i8], scale: f32) -> f32 {
        dot(&self.cells, row) as f32 * self.scale * scale
    }
}

impl ArchivedVectors {
    /// Number of chunks, with a vector or without.
    #[must_use]
    pub fn n_chunks(&self) -> usize {
        self.scales.len()
    }

    /// The row of a chunk and its scale; none if it has no vector.
    #[must_use]
    pub fn row(&self, chunk: ChunkId) -> Option<(&[i8], f32)> {
        let dim = self.dim.to_native() as usize;
        let scale = self.scales.get(chunk.index())?.to_native();
        let start = chunk.index().checked_mul(dim)?;
        let row = self.rows.get(start..start.checked_add(dim)?)?;
        (scale > 0.0).then_some((row, scale))
    }

    /// Cosine of a chunk's vector to `query`.
    #[must_use]
    pub(crate) fn cosine(&self, query: &QueryVector, chunk: ChunkId) -> Option<f32> {
        self.row(chunk).map(|(row, scale)| query.cosine(row, scale))
    }

    /// A copy with a graph for approximate search, if there are at least `config.threshold` vectors and there is none yet. Slow, see
    /// [`VectorsBuilder::build_hnsw`].
    #[cfg(feature = "hnsw")]
    #[must_use]
    pub fn approximated(&self, config: &crate::hnsw_build::HnswConfig) -> Option<Vectors> {
        if self.hnsw.is_some() || self.n_vectors() < config.threshold {
            return None;
        }
        let vectors = Vectors {
            dim: self.dim.to_native(),
            scales: self.scales.iter().map(|scale| scale.to_native()).collect(),
            rows: self.rows.to_vec(),
            hnsw: None,
        };
        let hnsw = crate::hnsw_build::build(&vectors, config)?;
        Some(Vectors {
            hnsw: Some(hnsw),
            ..vectors
        })
    }

    /// A copy with a graph that was built elsewhere; [`ArchivedVectors::validate`] says whether it fits.
    #[must_use]
    pub fn with_hnsw(&self, hnsw: Hnsw) -> Vectors {
        Vectors {
            dim: self.dim.to_native(),
            scales: self.scales.iter().map(|scale| scale.to_native()).collect(),
            rows: self.rows.to_vec(),
            hnsw: Some(hnsw),
        }
    }

    /// Returns the number of chunks with a vector.
    #[must_use]
    pub fn n_vectors(&self) -> usize {
        let scales = self.scales.iter();
        scales.filter(|scale| scale.to_native() > 0.0).count()
    }

    /// Mean cosine of the best [`FILE_CHUNKS`] of the given chunks, fewer where there are fewer; never negative.
    pub(crate) fn file_cosine(&self, query: &QueryVector, chunks: std::ops::Range<u32>) -> f32 {
        let mut best = [0.0_f32; FILE_CHUNKS];
        let n = chunks.len().clamp(1, FILE_CHUNKS);
        for cosine in chunks.filter_map(|chunk| self.cosine(query, ChunkId(chunk))) {
            // Insertion into a handful of places, best first.
            let place = best
                .iter()
                .position(|&other| cosine > other)
                .unwrap_or(FILE_CHUNKS);
            best[place..].rotate_right(usize::from(place < FILE_CHUNKS));
            if let Some(slot) = best.get_mut(place) {
                *slot = cosine;
            }
        }
        best.iter().take(n).sum::<f32>() / n as f32
    }

    /// The `limit` chunks nearest to `vector` among those `keep` lets through, by cosine, best first. A vector of
    /// another length or without direction is near to nothing.
    #[must_use]
    pub fn nearest(
        &self,
        vector: &[f32],
        limit: usize,
        keep: &dyn Fn(ChunkId) -> bool,
    ) -> Vec<(ChunkId, f32)> {
        let Some(query) = self.query(vector) else {
            return Vec::new();
        };
        let mut near = self.approximate(&query, limit);
        near.retain(|&(chunk, _)| keep(chunk));
        near.truncate(limit);
        if near.len() == limit {
            return near;
        }
        let top = TopK::new(limit);
        self.scan(&query, Filtered { top, keep }).top.into_sorted()
    }

    /// None if `vector` has another length or no direction.
    pub(crate) fn query(&self, vector: &[f32]) -> Option<QueryVector> {
        let dim = self.dim.to_native() as usize;
        QueryVector::new(vector).filter(|_| dim > 0 && vector.len() == dim)
    }

    /// Returns the `limit` chunks nearest to `vector` by sign codes alone: nearly always those of
    /// [`ArchivedVectors::nearest_exact`]. [`ArchivedVectors::nearest`] decides when a search uses them.
    #[must_use]
    pub fn nearest_by_signs(
        &self,
        signs: &Signs,
        vector: &[f32],
        limit: usize,
    ) -> Vec<(ChunkId, f32)> {
        let keep = &|_| true;
        let top = TopK::new(limit);
        let near = self.query(vector).and_then(|query| {
            let signs = signs.get(self)?;
            signs.nearest(self, &query, limit, Filtered { top, keep })
        });
        near.map(|near| near.top.into_sorted()).unwrap_or_default()
    }

    /// By the graph, if there is one: twice as many, of which a filter may leave out half.
    pub(crate) fn approximate(&self, query: &QueryVector, limit: usize) -> Vec<(ChunkId, f32)> {
        let graph = self.hnsw.as_ref();
        graph.map_or_else(Vec::new, |graph| graph.nearest(self, query, limit * 2))
    }

    /// As [`ArchivedVectors::nearest`], by looking at every row even where there is a graph.
    #[must_use]
    pub fn nearest_exact(&self, vector: &[f32], limit: usize) -> Vec<(ChunkId, f32)> {
        let (top, keep) = (TopK::new(limit), &|_| true);
        let near = self
            .query(vector)
            .map(|query| self.scan(&query, Filtered { top, keep }));
        near.map(|near| near.top.into_sorted()).unwrap_or_default()
    }

    // A function of its own: within a large one it would be compiled for speed late, if at all.
    #[inline(never)]
    pub(crate) fn scan<B: Best>(&self, query: &QueryVector, mut best: B) -> B {
        let dim = self.dim.to_native() as usize;
        let scales: &[f32_le] = &self.scales;
        for (idx, (row, scale)) in self.rows.chunks_exact(dim).zip(scales).enumerate() {
            let scale = scale.to_native();
            let cosine = query.cosine(row, scale);
            if best.takes(cosine) && scale > 0.0 {
                best.offer(ChunkId(idx as u32), cosine);
            }
        }
        best
    }

    /// Checks that the arrays are consistent.
    ///
    /// # Errors
    /// Names the array that does not.
    pub fn validate(&self) -> Result<(), FrozenError> {
        let n_cells = self.scales.len().checked_mul(self.dim.to_native() as usize);
        ensure(
            n_cells == Some(self.rows.len()),
            "vectors",
            "rows of the wrong length",
        )?;
        ensure(
            self.scales
                .iter()
                .all(|scale| scale.to_native().is_finite()),
            "vectors",
            "a scale that is no number",
        )?;
        self.hnsw
            .as_ref()
            .map_or(Ok(()), |hnsw| hnsw.validate(self.scales.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::{LARGEST, cell};

    #[test]
    fn a_cell_is_the_nearest_number_as_the_standard_library_rounds() {
        let steps = (-1_000..=1_000).map(|n| n as f32 / 64.0);
        let near = [0.499_999_97, 0.5, 1.499_999_9, 6.5, 7.5, 1e9, f32::INFINITY];
        for x in steps.chain(near).chain(near.map(|x: f32| -x)) {
            assert_eq!(cell(x, 1.0), x.round().clamp(-LARGEST, LARGEST), "{x}");
        }
    }
}
