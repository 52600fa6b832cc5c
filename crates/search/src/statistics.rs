//! Statistics of all chunks that a search ranks: those of one index, or of all shards that are searched as one.

use std::ops::Range;

use rkyv::rend::f32_le;
use rkyv::{Archive, Deserialize, Serialize};
use source::FileId;

use crate::csr::{FrozenError, check_csr};
use crate::frozen::{ArchivedLexical, ChunkId};
use crate::plan::Plan;
use crate::postings::LexicalView;
use crate::terms::N_FIELDS;

/// Statistics of a collection of chunks, and of the terms of one plan in it. Those of shards add up to those of one
/// index over the same files.
#[derive(Debug, Clone, PartialEq, Eq, Default, Archive, Serialize, Deserialize)]
pub struct Statistics {
    /// Number of chunks.
    pub n_chunks: u32,
    /// Number of files.
    pub n_files: u32,
    /// For each term of the plan: the number of chunks that hold it.
    pub frequencies: Vec<u32>,
}

impl Statistics {
    /// Those of one index. Logarithmic for each term.
    #[must_use]
    pub fn of(words: LexicalView<'_>, plan: &Plan) -> Statistics {
        let frequency = |hash| words.document_frequency(hash) as u32;
        Statistics {
            n_chunks: words.columns.n_chunks() as u32,
            n_files: words.columns.n_files() as u32,
            frequencies: plan.terms.iter().map(|term| frequency(term.hash)).collect(),
        }
    }

    /// Adds those of another shard.
    pub fn add(&mut self, other: &Statistics) {
        self.n_chunks = self.n_chunks.saturating_add(other.n_chunks);
        self.n_files = self.n_files.saturating_add(other.n_files);
        let others = other.frequencies.iter();
        for (own, other) in self.frequencies.iter_mut().zip(others) {
            *own = own.saturating_add(*other);
        }
    }

    /// Inverse document frequency of a term that this many chunks hold.
    #[must_use]
    pub fn idf(&self, frequency: u32) -> f32 {
        idf(self.n_chunks as usize, frequency as usize)
    }

    /// Number of chunks that hold the term at this place of the plan.
    #[must_use]
    pub fn frequency(&self, term: usize) -> u32 {
        self.frequencies.get(term).copied().unwrap_or(0)
    }
}

/// Inverse document frequency as in Lucene: never negative, 0 for a term that no chunk holds.
pub(crate) fn idf(n_chunks: usize, frequency: usize) -> f32 {
    if frequency == 0 {
        return 0.0;
    }
    let (n, df) = (n_chunks as f32, frequency as f32);
    (1.0 + (n - df + 0.5) / (df + 0.5)).ln().max(0.0)
}

/// Weight of one occurrence in each field of a chunk.
pub type FieldNorms = [f32_le; N_FIELDS];

/// Number of tokens in each field of all chunks, and the number of chunks: their quotients normalise lengths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Archive, Serialize, Deserialize)]
pub struct Lengths {
    /// Number of tokens, in the order of [`crate::Field::ALL`].
    pub tokens: [u64; N_FIELDS],
    /// Number of chunks.
    pub n_chunks: u32,
}

impl Lengths {
    /// Adds up the fields of chunks.
    pub(crate) fn of(lengths: impl Iterator<Item = [u32; N_FIELDS]>) -> Lengths {
        let mut all = Lengths::default();
        for of_chunk in lengths {
            all.n_chunks += 1;
            for (sum, length) in all.tokens.iter_mut().zip(of_chunk) {
                *sum += u64::from(length);
            }
        }
        all
    }

    /// Adds those of another shard.
    pub fn add(&mut self, other: &Lengths) {
        self.n_chunks = self.n_chunks.saturating_add(other.n_chunks);
        for (own, other) in self.tokens.iter_mut().zip(other.tokens) {
            *own = own.saturating_add(other);
        }
    }

    /// The weights of one occurrence in the fields of a chunk, given its lengths and the parameters of the fields.
    pub(crate) fn norms(
        &self,
        weights: &[f32; N_FIELDS],
        b: &[f32; N_FIELDS],
    ) -> impl Fn([u32; N_FIELDS]) -> [f32; N_FIELDS] + use<> {
        let n_chunks = self.n_chunks.max(1) as f32;
        let average = self.tokens.map(|total| (total as f32 / n_chunks).max(1.0));
        let (weights, b) = (*weights, *b);
        move |lengths| {
            std::array::from_fn(|field| {
                let b = b[field];
                weights[field] / (1.0 - b + b * lengths[field] as f32 / average[field])
            })
        }
    }
}

/// The chunks of all shards, numbered as in one index of all files.
#[derive(Debug, Clone, PartialEq, Eq, Default, Archive, Serialize, Deserialize)]
pub struct ChunkTable {
    /// For each file its first chunk; one more at the end.
    pub starts: Vec<u32>,
    /// Lengths of all chunks.
    pub lengths: Lengths,
}

impl ArchivedChunkTable {
    /// The chunks of a file, as a half-open range.
    #[must_use]
    pub fn chunks_of(&self, file: FileId) -> Range<u32> {
        let start = |file: usize| self.starts.get(file).map_or(0, |start| start.to_native());
        start(file.index())..start(file.index() + 1)
    }

    /// The file of a chunk.
    #[must_use]
    pub fn file_of(&self, chunk: ChunkId) -> Option<FileId> {
        let past = self
            .starts
            .partition_point(|start| start.to_native() <= chunk.0);
        let file = FileId(past.checked_sub(1)? as u32);
        self.chunks_of(file).contains(&chunk.0).then_some(file)
    }

    /// Lengths of all chunks.
    #[must_use]
    pub fn lengths(&self) -> Lengths {
        Lengths {
            tokens: self.lengths.tokens.map(u64::from),
            n_chunks: self.lengths.n_chunks.to_native(),
        }
    }

    /// Checks that there are as many rows as files, in order.
    ///
    /// # Errors
    /// Names the column that is wrong.
    pub fn validate(&self, n_files: usize) -> Result<(), FrozenError> {
        let n_chunks = self.starts.last().map_or(0, |end| end.to_native());
        check_csr(&self.starts, n_files, n_chunks as usize, "chunks")
    }
}

impl ArchivedLexical {
    /// The lengths of all chunks. Linear in chunks.
    #[must_use]
    pub fn lengths(&self) -> Lengths {
        Lengths::of(
            self.field_lengths
                .iter()
                .map(|of_chunk| of_chunk.map(u32::from)),
        )
    }

    /// Weight of one occurrence in each field of each chunk if the chunks are among those of these lengths: the column
    /// `chunk_norms` is that of the index by itself. Linear in chunks.
    #[must_use]
    pub fn norms_among(&self, all: &Lengths) -> Vec<FieldNorms> {
        let weights = self.field_weights.map(f32::from);
        let norms = all.norms(&weights, &self.field_b.map(f32::from));
        let lengths = self.field_lengths.iter();
        lengths
            .map(|of_chunk| norms(of_chunk.map(u32::from)).map(f32_le::from_native))
            .collect()
    }
}
