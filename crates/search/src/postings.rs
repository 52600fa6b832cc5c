//! Postings: rows of chunks that hold a term, out of the columns of an index or out of blocks that are unpacked when a question asks
//! for one of their rows.

use rkyv::rend::{f32_le, u16_le, u32_le};

use crate::counts::{self, weight, weight_unit};
use crate::csr::csr;
use crate::frozen::{ArchivedLexical, ChunkId};
use crate::terms::N_FIELDS;

/// Rows of postings that are not in the columns of an index: [`ArchivedLexical::has_rows`].
pub trait PostingRows {
    /// Returns the chunks of term number `idx`, rising, and its count in each field of each; none if they are not
    /// available.
    fn row(&self, lexical: &ArchivedLexical, idx: usize) -> Option<Row<'_>>;
}

/// Chunks, rising, and packed counts: see [`crate::counts`].
pub type Row<'a> = (&'a [u32_le], &'a [u16_le]);

/// The lexical index as a query reads it: its columns, and its postings wherever they are.
#[derive(Clone, Copy)]
pub struct LexicalView<'a> {
    /// All but postings.
    pub columns: &'a ArchivedLexical,
    /// The postings, where the columns are without.
    pub rows: Option<&'a dyn PostingRows>,
    /// Weight of one occurrence in each field of each chunk: the column of that name, or, where the index is one of
    /// several shards, [`ArchivedLexical::norms_among`] all of them.
    pub norms: &'a [[f32_le; N_FIELDS]],
}

impl<'a> From<&'a ArchivedLexical> for LexicalView<'a> {
    fn from(columns: &'a ArchivedLexical) -> Self {
        Self {
            columns,
            rows: None,
            norms: &columns.chunk_norms,
        }
    }
}

/// The postings of one term, weighed.
#[derive(Clone)]
pub struct Postings<'a> {
    /// Chunks that hold the term, rising.
    pub chunks: &'a [u32_le],
    /// Its count in each field of them.
    counts: &'a [u16_le],
    /// Their weights, in units of `unit`.
    pub weights: Vec<u16>,
    /// The value of a weight of 1.
    pub unit: f32,
}

impl Postings<'_> {
    /// Weight and fields of the term in `chunk`.
    #[must_use]
    pub fn get(&self, chunk: ChunkId) -> Option<(f32, u8)> {
        let idx = self
            .chunks
            .binary_search_by_key(&chunk.0, |id| id.to_native())
            .ok()?;
        let weight = f32::from(*self.weights.get(idx)?) * self.unit;
        Some((weight, counts::fields(self.counts.get(idx)?.to_native())))
    }

    /// Sum of the term's weights in the chunks `first..end`.
    #[must_use]
    pub fn sum_in(&self, first: u32, end: u32) -> f32 {
        let start = self.chunks.partition_point(|id| id.to_native() < first);
        let of_file = self
            .chunks
            .iter()
            .skip(start)
            .take_while(|id| id.to_native() < end);
        let sum: u32 = of_file
            .zip(self.weights.iter().skip(start))
            .map(|(_, weight)| u32::from(*weight))
            .sum();
        sum as f32 * self.unit
    }
}

impl<'a> LexicalView<'a> {
    /// The postings of a term, weighed; none if no chunk holds it. Linear in their number, some nanoseconds each.
    #[must_use]
    pub fn postings(&self, term: u64) -> Option<Postings<'a>> {
        let (chunks, counts) = self.row(self.columns.term(term)?)?;
        let k1 = self.columns.k1.to_native();
        let weigh = |(chunk, counts): (&u32_le, &u16_le)| {
            let norms = self.norms.get(chunk.to_native() as usize);
            norms.map_or(0, |norms| {
                weight(counts.to_native(), &norms.map(f32_le::to_native), k1)
            })
        };
        Some(Postings {
            chunks,
            counts,
            weights: chunks.iter().zip(counts).map(weigh).collect(),
            unit: weight_unit(k1),
        })
    }

    /// Returns the number of chunks that contain a term.
    #[must_use]
    pub fn document_frequency(&self, term: u64) -> usize {
        let at = |idx: usize| {
            let start = self.columns.posting_starts.get(idx);
            start.map_or(0, |start| start.to_native() as usize)
        };
        let term = self.columns.term(term);
        term.map_or(0, |idx| at(idx + 1).saturating_sub(at(idx)))
    }

    /// Weight of a term in a chunk, without weighing its other postings. Logarithmic.
    #[must_use]
    pub fn weight_in(&self, term: u64, chunk: ChunkId) -> Option<f32> {
        let (chunks, counts) = self.row(self.columns.term(term)?)?;
        let place = chunks
            .binary_search_by_key(&chunk.0, |id| id.to_native())
            .ok()?;
        let packed = counts.get(place)?;
        let norms = self.norms.get(chunk.index())?;
        let k1 = self.columns.k1.to_native();
        let weight = weight(packed.to_native(), &norms.map(f32_le::to_native), k1);
        Some(f32::from(weight) * weight_unit(k1))
    }

    fn row(&self, idx: usize) -> Option<Row<'a>> {
        let columns = self.columns;
        match self.rows {
            Some(rows) => rows.row(columns, idx),
            None => Some((
                csr(&columns.posting_starts, &columns.posting_chunks, idx),
                csr(&columns.posting_starts, &columns.posting_counts, idx),
            )),
        }
    }
}
