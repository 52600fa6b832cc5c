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
    interner: Interner,
    names: Vec<(u64, u32)>,
    /// The postings of the files, laid out when all terms are known.
    files: Vec<FilePostings>,
    /// Numbers of the terms of one file.
    numbers: Vec<u32>,
}

/// The postings of a file: the number of the term and its packed counts.
#[derive(Debug)]
struct FilePostings {
    numbers: Vec<u32>,
    counts: Vec<u16>,
    /// End of each chunk's postings.
    ends: Vec<u32>,
}

impl IndexBuilder {
    /// An empty index.
    #[must_use]
    pub fn new(config: LexicalConfig) -> Self {
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
    pub fn add_chunks(&mut self, metas: impl IntoIterator<Item = ChunkMeta>, terms: FileTerms) {
        self.numbers.clear();
        let numbers = terms.terms.iter().map(|term| self.interner.intern(*term));
        self.numbers.extend(numbers);
        let mut first_name = 0;
        let columns = terms.name_ends.iter().zip(&terms.lengths);
        for (meta, (&name_end, lengths)) in metas.into_iter().zip(columns) {
            let chunk = self.add_chunk(&meta, *lengths);
            let names = terms.names.get(first_name..name_end as usize);
            let names = names.unwrap_or_default().iter();
            self.names.extend(names.map(|&name| (name, chunk)));
            first_name = name_end as usize;
        }
        // A place among the terms of the file becomes the number of the term.
        let mut numbers = terms.places;
        for place in &mut numbers {
            *place = self.numbers[*place as usize];
            self.interner.count(*place);
        }
        self.files.push(FilePostings {
            numbers,
            counts: terms.counts,
            ends: terms.ends,
        });
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
        let Sorted {
            terms,
            starts,
            mut next,
        } = std::mem::take(&mut self.interner).into_sorted();
        let n_postings = starts.last().map_or(0, |end| *end as usize);
        let mut chunks = vec![0_u32; n_postings];
        let mut counted = vec![0_u16; n_postings];
        let mut chunk = 0;
        for file in std::mem::take(&mut self.files) {
            let mut first = 0;
            for end in file.ends {
                let postings = first..end as usize;
                let numbers = &file.numbers[postings.clone()];
                for (number, counts) in numbers.iter().zip(&file.counts[postings]) {
                    let slot = &mut next[*number as usize];
                    let at = *slot as usize;
                    *slot += 1;
                    chunks[at] = chunk;
                    counted[at] = *counts;
                }
                first = end as usize;
                chunk += 1;
            }
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

/// Numbers terms in the order in which they come, and counts their postings.
#[derive(Debug, Default)]
struct Interner {
    ids: FxHashMap<u64, u32>,
    /// Each term with the number of its postings.
    terms: Vec<(u64, u32)>,
}

/// Terms in rising order.
struct Sorted {
    terms: Vec<u64>,
    /// First posting of each, and one past the last.
    starts: Vec<u32>,
    /// First posting of each term by its number.
    next: Vec<u32>,
}

impl Interner {
    fn intern(&mut self, term: u64) -> u32 {
        *self.ids.entry(term).or_insert_with(|| {
            self.terms.push((term, 0));
            self.terms.len() as u32 - 1
        })
    }

    /// Counts a posting of a term by its number.
    fn count(&mut self, number: u32) {
        self.terms[number as usize].1 += 1;
    }

    fn into_sorted(self) -> Sorted {
        let Interner { ids, terms } = self;
        drop(ids);
        let mut order: Vec<u32> = (0..terms.len() as u32).collect();
        order.sort_unstable_by_key(|&id| terms[id as usize].0);
        let mut starts = Vec::with_capacity(terms.len() + 1);
        let mut next = vec![0; terms.len()];
        let mut start = 0;
        for &id in &order {
            starts.push(start);
            next[id as usize] = start;
            start += terms[id as usize].1;
        }
        starts.push(start);
        Sorted {
            terms: order.iter().map(|&id| terms[id as usize].0).collect(),
            starts,
            next,
        }
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
