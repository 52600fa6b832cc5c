//! Words of the whole index, for questions that weigh words in their own way. Of an index in shards all shards are read here, also where
//! searches are answered elsewhere: frequencies add up, and postings have the numbers that chunks have in one index over the same files.

use std::borrow::Cow;

use rkyv::rend::u32_le;
use search::{ArchivedLexical, ChunkId, FieldNorms, LexicalView, Statistics};
use snapshot::View;
use source::FileId;

use crate::Reader;
use crate::ask::parts::ShardSource;

/// The words of an index, or of all shards of one.
pub(crate) struct JoinedWords<'a> {
    parts: Vec<Part<'a>>,
    statistics: Statistics,
}

/// The words of an index, or of one shard.
struct Part<'a> {
    view: View<'a>,
    /// Norms by the lengths of all shards; those of the index itself where it is in one piece.
    norms: Option<&'a [FieldNorms]>,
    /// The number in the whole index of each chunk; its own number where the index is in one piece.
    numbers: Option<Vec<u32>>,
}

/// The postings of a term in all parts, weighed.
pub(crate) struct JoinedPostings<'w> {
    /// Chunks that hold the term, rising.
    pub(crate) chunks: Cow<'w, [u32_le]>,
    /// Their weights, in units of `unit`.
    pub(crate) weights: Vec<u16>,
    /// The value of a weight of 1.
    pub(crate) unit: f32,
}

impl Reader {
    /// The words of the index, or of all its shards.
    pub(crate) fn all_words(&self) -> JoinedWords<'_> {
        let parts = match self.index().shards() {
            None => vec![Part {
                view: self.view(),
                norms: None,
                numbers: None,
            }],
            Some(shards) => (0..shards.joint().n_parts() as u16)
                .filter_map(|part| self.words_of(shards, part))
                .collect(),
        };
        // Counted in the shards, not read in their root: memory is taken in proportion.
        let n_chunks = parts.iter().map(|part| part.view.lexical().n_chunks());
        let statistics = Statistics {
            n_chunks: n_chunks.sum::<usize>() as u32,
            ..Statistics::default()
        };
        JoinedWords { parts, statistics }
    }

    fn words_of<'a>(&'a self, shards: &'a dyn ShardSource, part: u16) -> Option<Part<'a>> {
        let view = self.shard(part)?;
        Some(Part {
            view,
            norms: shards.index(part).ok()?.norms(view.lexical()),
            numbers: Some(numbers_of(shards, part, view.lexical())),
        })
    }

    /// The file of a chunk.
    pub(crate) fn file_of_chunk(&self, chunk: ChunkId) -> Option<FileId> {
        match self.index().shards() {
            None => self.view().lexical().file_of(chunk),
            Some(shards) => shards.chunks().file_of(chunk),
        }
    }
}

/// The number in the whole index of each chunk of a shard.
fn numbers_of(shards: &dyn ShardSource, part: u16, lexical: &ArchivedLexical) -> Vec<u32> {
    let files = (0..).map(FileId).zip(shards.joint().files_of(part));
    let numbers = files.flat_map(|(own, file)| {
        let n_own = lexical.chunks_of(own).len() as u32;
        let first = shards.chunks().chunks_of(FileId(file.to_native())).start;
        (0..n_own).map(move |within| first.saturating_add(within))
    });
    numbers.collect()
}

impl JoinedWords<'_> {
    /// Number of chunks.
    pub(crate) fn n_chunks(&self) -> usize {
        self.statistics.n_chunks as usize
    }

    /// Number of chunks that hold a term. Logarithmic in each part.
    pub(crate) fn document_frequency(&self, term: u64) -> usize {
        let parts = self.parts.iter();
        parts
            .map(|part| part.words().document_frequency(term))
            .sum()
    }

    /// Inverse document frequency of a term that this many chunks hold.
    pub(crate) fn idf(&self, document_frequency: usize) -> f32 {
        self.statistics.idf(document_frequency as u32)
    }

    /// The postings of a term; none if no chunk holds it. Linear in their number.
    pub(crate) fn postings(&self, term: u64) -> Option<JoinedPostings<'_>> {
        let mut rows: Vec<(u32, u16)> = Vec::new();
        let mut unit = None;
        for part in &self.parts {
            let Some((chunks, weights, own_unit)) = part.postings(term) else {
                continue;
            };
            unit = Some(own_unit);
            let Some(numbers) = &part.numbers else {
                return Some(JoinedPostings {
                    chunks: Cow::Borrowed(chunks),
                    weights,
                    unit: own_unit,
                });
            };
            let own = chunks.iter().zip(weights);
            let number = |chunk: &u32_le| numbers.get(chunk.to_native() as usize).copied();
            rows.extend(own.filter_map(|(chunk, weight)| Some((number(chunk)?, weight))));
        }
        rows.sort_unstable();
        Some(JoinedPostings {
            chunks: rows.iter().map(|(chunk, _)| (*chunk).into()).collect(),
            weights: rows.iter().map(|(_, weight)| *weight).collect(),
            unit: unit?,
        })
    }
}

impl Part<'_> {
    fn words(&self) -> LexicalView<'_> {
        let words = self.view.words();
        match self.norms {
            Some(norms) => LexicalView { norms, ..words },
            None => words,
        }
    }

    fn postings(&self, term: u64) -> Option<(&[u32_le], Vec<u16>, f32)> {
        let postings = self.words().postings(term)?;
        Some((postings.chunks, postings.weights, postings.unit))
    }
}

impl JoinedPostings<'_> {
    /// Sum of the term's weights in the chunks `first..end`.
    pub(crate) fn sum_in(&self, first: u32, end: u32) -> f32 {
        let start = self.chunks.partition_point(|id| id.to_native() < first);
        let of_file = self.chunks.iter().skip(start);
        let of_file = of_file.take_while(|id| id.to_native() < end);
        let sum: u32 = of_file
            .zip(self.weights.iter().skip(start))
            .map(|(_, weight)| u32::from(*weight))
            .sum();
        sum as f32 * self.unit
    }
}
