//! Reasons to rank a chunk higher, each a number from 0 to 1.

use source::FileId;

use crate::config::{N_SIGNALS, Signal};
use crate::frozen::{ArchivedLexical, ChunkFlags, ChunkId, Postings};
use crate::plan::{Plan, QueryTerm};
use crate::terms::{Field, folded_name_hash, name_hash};

/// Signals known only outside, as columns with one value a chunk.
#[derive(Debug, Clone, Copy, Default)]
pub struct Signals<'a> {
    /// Each signal at most once; values outside 0 to 1 are cut off, missing ones are 0.
    pub columns: &'a [(Signal, &'a [f32])],
}

/// What a definition counts whose name differs from the query's in case or underscores.
const FOLDED_DEFINITION: f32 = 0.7;
/// What a word counts that only starts like a term of the query, or the other way round (`auth`, `authenticat`).
const PREFIX_MATCH: f32 = 0.8;
/// Shorter words start like too many others.
const MIN_PREFIX: usize = 3;

/// How soon further occurrences in a file stop to matter, and how far long files are discounted.
const FILE_K1: f32 = 2.0;
const FILE_B: f32 = 0.3;

/// What is needed of the query to work out the signals of any chunk.
pub(crate) struct Features<'a> {
    lexical: &'a ArchivedLexical,
    terms: Vec<Term<'a>>,
    /// Names asked for, by exact spelling where anything is defined so, else by folded spelling.
    definitions: Vec<(u64, f32)>,
    file_names: Vec<u64>,
}

struct Term<'a> {
    text: &'a str,
    importance: f32,
    postings: Option<&'a Postings<'a>>,
}

impl<'a> Features<'a> {
    pub(crate) fn new(
        lexical: &'a ArchivedLexical,
        plan: &'a Plan,
        postings: &'a [Option<Postings<'a>>],
    ) -> Features<'a> {
        Features {
            lexical,
            terms: plan
                .terms
                .iter()
                .zip(postings)
                .map(|(term, postings)| Term::new(lexical, term, postings.as_ref()))
                .collect(),
            definitions: plan
                .identifiers
                .iter()
                .map(|name| best_spelling(lexical, name))
                .collect(),
            file_names: plan
                .identifiers
                .iter()
                .map(|name| folded_name_hash(name))
                .collect(),
        }
    }

    /// The value of every signal but [`Signal::FileCoherence`], which depends on the other candidates.
    pub(crate) fn of(
        &self,
        chunk: ChunkId,
        file: FileId,
        signals: &Signals<'_>,
    ) -> [f32; N_SIGNALS] {
        let mut values = [0.0; N_SIGNALS];
        let mut set = |signal: Signal, value: f32| values[signal as usize] = value;
        set(Signal::Definition, self.definition(chunk));
        set(Signal::FileName, self.file_name(file));
        let (stem, folder) = self.lexical.path_words(file);
        set(Signal::StemTerms, self.share_of_words(&stem));
        set(Signal::FolderTerms, self.share_of_words(&folder));
        let fields: Vec<u8> = self
            .terms
            .iter()
            .map(|term| term.fields_in(chunk))
            .collect();
        let share_in = |bits: u8| self.share(|idx, _| f32::from(u8::from(fields[idx] & bits != 0)));
        set(Signal::NameTerms, share_in(Field::Name.bit()));
        set(Signal::DocTerms, share_in(Field::Doc.bit()));
        set(Signal::ChunkCoverage, share_in(u8::MAX));
        let flags = self
            .lexical
            .chunk(chunk)
            .map_or(ChunkFlags::empty(), |meta| meta.flags);
        set(
            Signal::Exported,
            f32::from(u8::from(flags.contains(ChunkFlags::EXPORTED))),
        );
        for &(signal, column) in signals.columns {
            let value = column.get(chunk.index()).copied().unwrap_or(0.0);
            set(
                signal,
                if value.is_finite() {
                    value.clamp(0.0, 1.0)
                } else {
                    0.0
                },
            );
        }
        values
    }

    fn definition(&self, chunk: ChunkId) -> f32 {
        let value = |&(name, value): &(u64, f32)| {
            if self.lexical.defines(name, chunk) {
                value
            } else {
                0.0
            }
        };
        self.definitions.iter().map(value).fold(0.0, f32::max)
    }

    fn file_name(&self, file: FileId) -> f32 {
        let stem = self
            .lexical
            .stem_names
            .get(file.index())
            .map_or(0, |name| name.to_native());
        f32::from(u8::from(self.file_names.contains(&stem)))
    }

    /// [`Signal::FileWords`]: BM25 with the file as the document, as a share of what a file full of every term would get.
    pub(crate) fn file_words(&self, file: FileId) -> f32 {
        let chunks = self.lexical.chunks_of(file);
        let average = self.lexical.n_chunks() as f32 / self.lexical.n_files().max(1) as f32;
        let length = chunks.len() as f32 / average.max(1.0);
        let norm = FILE_K1 * (1.0 - FILE_B + FILE_B * length);
        let count = |term: &Term<'a>| {
            term.postings
                .map_or(0.0, |postings| postings.sum_in(chunks.start, chunks.end))
        };
        self.share(|_, term| {
            let count = count(term);
            count / (count + norm)
        })
    }

    fn share_of_words(&self, words: &[&str]) -> f32 {
        self.share(|_, term| {
            words
                .iter()
                .map(|word| likeness(term.text, word))
                .fold(0.0, f32::max)
        })
    }

    /// Importance of the query's terms, each times what `value` gives it, of all.
    fn share(&self, value: impl Fn(usize, &Term<'a>) -> f32) -> f32 {
        let total: f32 = self.terms.iter().map(|term| term.importance).sum();
        let held: f32 = self
            .terms
            .iter()
            .enumerate()
            .map(|(idx, term)| term.importance * value(idx, term))
            .sum();
        if total > 0.0 { held / total } else { 0.0 }
    }
}

/// A name by its exact spelling if anything is defined so: `Base` must not bring up every `base`.
fn best_spelling(lexical: &ArchivedLexical, name: &str) -> (u64, f32) {
    let exact = name_hash(name);
    if lexical.defining(exact).is_empty() {
        (folded_name_hash(name), FOLDED_DEFINITION)
    } else {
        (exact, 1.0)
    }
}

/// How much a word of a path says that it is about a term: both are stems.
fn likeness(term: &str, word: &str) -> f32 {
    let (short, long) = if term.len() <= word.len() {
        (term, word)
    } else {
        (word, term)
    };
    if term == word {
        1.0
    } else if short.len() >= MIN_PREFIX && long.starts_with(short) {
        PREFIX_MATCH
    } else {
        0.0
    }
}

impl<'a> Term<'a> {
    fn new(
        lexical: &ArchivedLexical,
        term: &'a QueryTerm,
        postings: Option<&'a Postings<'a>>,
    ) -> Term<'a> {
        // A term that no chunk holds still counts as asked for.
        let importance = lexical.idf(postings.map_or(1, |postings| postings.chunks.len()));
        Term {
            text: &term.text,
            importance,
            postings,
        }
    }

    fn fields_in(&self, chunk: ChunkId) -> u8 {
        self.postings
            .and_then(|postings| postings.get(chunk))
            .map_or(0, |(_, fields)| fields)
    }
}
