//! The lexical index while it is built: terms are interned, counts kept by field, weights computed once all chunks are
//! known.
//!
//! Weights are BM25F (Robertson, Zaragoza and Taylor 2004): counts are normalised by field length and added up over the
//! fields with their weights, then saturated once. With one field the weights equal those of the `bm25` crate's
//! `Embedder`, which tests check. That crate embeds the query (see [`QueryTokenizer`]); chunks are weighed here from
//! counts, because the average lengths are not known yet when a file is parsed.

use rustc_hash::FxHashMap;
use source::FileId;

use crate::frozen::{ChunkMeta, Lexical};
use crate::paths::{self, PathBits};
use crate::statistics::Lengths;
use crate::terms::{FileTerms, N_FIELDS, folded_name_hash, term_hash};
use crate::tokenize::{for_each_token, tokenize};

/// Parameters that turn counts into weights.
#[derive(Debug, Clone, PartialEq)]
pub struct LexicalConfig {
    /// Saturation of repeated terms: at 0 one occurrence counts fully, at 2 the fifth still adds weight.
    pub k1: f32,
    /// Weight of one occurrence in each field, in the order of [`Field::ALL`]. At 0 the field is not searched.
    pub field_weights: [f32; N_FIELDS],
    /// Length normalisation of fields: at 0 none, at 1 full.
    pub field_b: [f32; N_FIELDS],
}

impl Default for LexicalConfig {
    fn default() -> LexicalConfig {
        LexicalConfig {
            k1: 1.2,
            field_weights: [4.0, 3.0, 1.0, 1.0],
            field_b: [0.4, 0.3, 0.5, 0.6],
        }
    }
}

/// Grows a [`Lexical`]: each file in path order with its chunks in source order.
#[derive(Debug, Default)]
pub struct IndexBuilder {
    config: LexicalConfig,
    lexical: Lexical,
    terms: Interner,
    /// Number of the term of each posting, and its packed counts.
    postings: Vec<(u32, u16)>,
    chunk_postings: Vec<u32>,
    names: Vec<(u64, u32)>,
    /// Numbers of the terms of one file.
    numbers: Vec<u32>,
}

impl IndexBuilder {
    /// An empty index.
    #[must_use]
    pub fn new(config: LexicalConfig) -> IndexBuilder {
        IndexBuilder {
            config,
            ..IndexBuilder::default()
        }
    }

    /// The next file. Its chunks follow by [`IndexBuilder::add_chunks`] before the file after it.
    pub fn add_file(&mut self, path: &str) -> FileId {
        let file = FileId(self.lexical.file_classes.len() as u32);
        self.lexical
            .file_starts
            .push(self.lexical.chunk_files.len() as u32);
        self.lexical
            .file_classes
            .push(PathBits(paths::classify(path).bits()));
        self.lexical
            .path_starts
            .push(self.lexical.word_ends.len() as u32);
        let (stem, folder) = paths::names(path);
        let n_stem = self.add_path_words(stem).min(usize::from(u8::MAX));
        self.lexical.stem_counts.push(n_stem as u8);
        self.add_path_words(folder);
        self.lexical.stem_names.push(folded_name_hash(stem));
        file
    }

    fn add_path_words(&mut self, name: &str) -> usize {
        let lexical = &mut self.lexical;
        let before = lexical.word_ends.len();
        for_each_token(name, |token| {
            lexical.path_words.push_str(token.text);
            lexical.word_ends.push(lexical.path_words.len() as u32);
        });
        lexical.word_ends.len() - before
    }

    /// The chunks of the last file, with their terms.
    pub fn add_chunks(&mut self, metas: impl IntoIterator<Item = ChunkMeta>, terms: &FileTerms) {
        self.numbers.clear();
        let numbers = terms.terms.iter().map(|term| self.terms.intern(*term));
        self.numbers.extend(numbers);
        let (mut first, mut first_name) = (0, 0);
        let columns = terms.ends.iter().zip(&terms.name_ends).zip(&terms.lengths);
        for (meta, ((&end, &name_end), lengths)) in metas.into_iter().zip(columns) {
            let chunk = self.add_chunk(&meta, *lengths);
            let postings = first..end as usize;
            let places = terms.places.get(postings.clone()).unwrap_or_default();
            let counts = terms.counts.get(postings).unwrap_or_default();
            let number = |place: &u32| self.numbers.get(*place as usize).copied();
            let numbers = places.iter().map(|place| number(place).unwrap_or_default());
            self.postings.extend(numbers.zip(counts.iter().copied()));
            self.chunk_postings.push(self.postings.len() as u32);
            let names = terms.names.get(first_name..name_end as usize);
            let names = names.unwrap_or_default().iter();
            self.names.extend(names.map(|&name| (name, chunk)));
            (first, first_name) = (end as usize, name_end as usize);
        }
    }

    fn add_chunk(&mut self, meta: &ChunkMeta, lengths: [u32; N_FIELDS]) -> u32 {
        let lexical = &mut self.lexical;
        debug_assert_eq!(
            meta.file.index() + 1,
            lexical.file_classes.len(),
            "chunks follow their file"
        );
        let chunk = lexical.chunk_files.len() as u32;
        lexical.chunk_files.push(meta.file.0);
        lexical
            .chunk_spans
            .push([meta.start, meta.end, meta.start_line, meta.end_line]);
        lexical.chunk_languages.push(meta.language);
        lexical.chunk_flags.push(meta.flags.bits());
        lexical.field_lengths.push(lengths);
        chunk
    }

    /// Number of chunks so far.
    #[must_use]
    pub fn n_chunks(&self) -> usize {
        self.lexical.field_lengths.len()
    }

    /// Weighs everything and lays it out flat. Linear in the number of postings, apart from sorting the distinct terms.
    #[must_use]
    pub fn build(mut self) -> Lexical {
        self.lexical
            .file_starts
            .push(self.lexical.chunk_files.len() as u32);
        self.lexical
            .path_starts
            .push(self.lexical.word_ends.len() as u32);
        self.lay_out_names();
        self.lay_out_postings();
        self.lexical
    }

    fn lay_out_names(&mut self) {
        self.names.sort_unstable();
        for &(name, chunk) in &self.names {
            if self.lexical.names.last() != Some(&name) {
                self.lexical.names.push(name);
                self.lexical
                    .name_starts
                    .push(self.lexical.name_chunks.len() as u32);
            }
            self.lexical.name_chunks.push(chunk);
        }
        self.lexical
            .name_starts
            .push(self.lexical.name_chunks.len() as u32);
    }

    fn lay_out_postings(&mut self) {
        let (terms, rank_of) = std::mem::take(&mut self.terms).into_sorted();
        let mut starts = vec![0_u32; terms.len() + 1];
        for &(term, _) in &self.postings {
            starts[rank_of[term as usize] as usize + 1] += 1;
        }
        for idx in 1..starts.len() {
            starts[idx] += starts[idx - 1];
        }
        let mut chunks = vec![0_u32; self.postings.len()];
        let mut counted = vec![0_u16; self.postings.len()];
        let mut next = starts.clone();
        let mut first = 0;
        for (chunk, &end) in (0..).zip(&self.chunk_postings) {
            for &(term, counts) in &self.postings[first..end as usize] {
                let slot = &mut next[rank_of[term as usize] as usize];
                let at = *slot as usize;
                *slot += 1;
                chunks[at] = chunk;
                counted[at] = counts;
            }
            first = end as usize;
        }
        let lexical = &mut self.lexical;
        lexical.posting_chunks = chunks;
        lexical.posting_counts = counted;
        lexical.terms = terms;
        lexical.posting_starts = starts;
        lexical.k1 = self.config.k1;
        lexical.field_weights = self.config.field_weights;
        lexical.field_b = self.config.field_b;
        lexical.weigh();
    }
}

/// Numbers terms in the order in which they come.
#[derive(Debug, Default)]
struct Interner {
    ids: FxHashMap<u64, u32>,
    terms: Vec<u64>,
}

impl Interner {
    fn intern(&mut self, term: u64) -> u32 {
        *self.ids.entry(term).or_insert_with(|| {
            self.terms.push(term);
            self.terms.len() as u32 - 1
        })
    }

    /// The terms in rising order, and the place of each id in it.
    fn into_sorted(self) -> (Vec<u64>, Vec<u32>) {
        let mut order: Vec<u32> = (0..self.terms.len() as u32).collect();
        order.sort_unstable_by_key(|&id| self.terms[id as usize]);
        let mut rank_of = vec![0; order.len()];
        for (rank, &id) in order.iter().enumerate() {
            rank_of[id as usize] = rank as u32;
        }
        (
            order.iter().map(|&id| self.terms[id as usize]).collect(),
            rank_of,
        )
    }
}

impl Lexical {
    /// Works out what an occurrence counts in each chunk, from the lengths of its fields. Linear in chunks.
    pub fn weigh(&mut self) {
        let lengths = Lengths::of(self.field_lengths.iter().copied());
        let norms = lengths.norms(&self.field_weights, &self.field_b);
        self.chunk_norms = self.field_lengths.iter().copied().map(norms).collect();
    }
}

/// A term in the space of 64-bit hashes, for the `bm25` crate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TermSpace(pub u64);

impl bm25::TokenEmbedder for TermSpace {
    type EmbeddingSpace = TermSpace;

    fn embed(token: &str) -> TermSpace {
        TermSpace(term_hash(token))
    }
}

/// Our tokens for the `bm25` crate.
#[derive(Debug, Clone, Copy, Default)]
pub struct QueryTokenizer;

impl bm25::Tokenizer for QueryTokenizer {
    fn tokenize(&self, input_text: &str) -> Vec<String> {
        tokenize(input_text)
    }
}
