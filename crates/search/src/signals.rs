//! Reasons to rank a chunk higher, each a number from 0 to 1.

use source::FileId;

use crate::config::{N_SIGNALS, Signal};
use crate::frozen::{ArchivedLexical, ChunkFlags, ChunkId};
use crate::global::GlobalPlan;
use crate::intent::Intent;
use crate::paths::PathClass;
use crate::postings::Postings;
use crate::scored::Scored;
use crate::terms::{Field, folded_name_hash};
use crate::tokenize::tokenize;

/// Value of a signal for a chunk.
pub type ValueOf<'a> = dyn Fn(ChunkId) -> f32 + 'a;

/// Signals known only outside, asked for the chunks that are found.
#[derive(Clone, Copy, Default)]
pub struct Signals<'a> {
    /// Each signal at most once; values outside 0 to 1 are clamped, those that are not finite are 0.
    pub values: &'a [(Signal, &'a ValueOf<'a>)],
}

impl Signals<'_> {
    /// Sets them for a hit.
    pub(crate) fn set(&self, hit: &mut Scored) {
        let values = &mut hit.signals;
        self.each(hit.chunk, &mut |signal, value| {
            values[signal as usize] = value
        });
    }

    fn each(&self, chunk: ChunkId, set: &mut dyn FnMut(Signal, f32)) {
        for &(signal, value_of) in self.values {
            let value = value_of(chunk);
            let value = if value.is_finite() { value } else { 0.0 };
            set(signal, value.clamp(0.0, 1.0));
        }
    }
}

/// Value of a word that is only a prefix of a query term, or the other way round (`auth`, `authenticat`).
const PREFIX_MATCH: f32 = 0.8;
/// Shorter words start like too many others.
const MIN_PREFIX: usize = 3;

/// Files that describe the shape of data have one of these words in their path.
const SCHEMA_WORDS: &str = "schema model entity migration";

/// Saturation of repeated terms in a file, and length normalisation of files.
const FILE_K1: f32 = 2.0;
const FILE_B: f32 = 0.3;

/// Features of the query that the signals of any chunk need.
pub(crate) struct Features<'a> {
    lexical: &'a ArchivedLexical,
    /// Number of chunks in a file, on average.
    chunks_in_file: f32,
    /// Single words first, then what joins two of them.
    terms: Vec<Term<'a>>,
    /// Sum of the importance of the single words.
    total: f32,
    definitions: &'a [(u64, f32)],
    file_names: Vec<u64>,
    /// Path words of files that describe the shape of data; empty where that is not asked for.
    schema_words: Vec<String>,
}

struct Term<'a> {
    text: &'a str,
    importance: f32,
    joins: Option<(usize, usize)>,
    postings: Option<&'a Postings<'a>>,
}

impl<'a> Features<'a> {
    pub(crate) fn new(
        lexical: &'a ArchivedLexical,
        global: &'a GlobalPlan,
        postings: &'a [Option<Postings<'a>>],
    ) -> Features<'a> {
        let (plan, statistics) = (&global.plan, &global.statistics);
        let rows = plan.terms.iter().zip(postings).enumerate();
        let terms: Vec<Term<'a>> = rows
            .map(|(idx, (term, postings))| Term {
                text: &term.text,
                importance: global.idf_of(idx) * term.importance,
                joins: term.joins,
                postings: postings.as_ref(),
            })
            .collect();
        let single = terms.iter().filter(|term| term.joins.is_none());
        Features {
            lexical,
            chunks_in_file: statistics.n_chunks as f32 / statistics.n_files.max(1) as f32,
            total: single.map(|term| term.importance).sum(),
            terms,
            definitions: &global.definitions,
            file_names: plan
                .identifiers
                .iter()
                .map(|name| folded_name_hash(name))
                .collect(),
            schema_words: if plan.intent == Intent::Schema {
                tokenize(SCHEMA_WORDS)
            } else {
                Vec::new()
            },
        }
    }

    /// The signals that all chunks of a file share, but [`Signal::FileMeaning`]; the others are 0.
    pub(crate) fn of_file(&self, file: FileId) -> [f32; N_SIGNALS] {
        let mut values = [0.0; N_SIGNALS];
        let mut set = |signal: Signal, value: f32| values[signal as usize] = value;
        set(Signal::FileName, self.file_name(file));
        let (stem, folder) = self.lexical.path_words(file);
        set(Signal::StemTerms, self.share_of_words(&stem));
        set(Signal::StemCover, self.cover(&stem));
        set(Signal::FolderTerms, self.share_of_words(&folder));
        set(Signal::FileWords, self.file_words(file));
        let is_schema = |word: &&str| self.schema_words.iter().any(|known| known == word);
        set(
            Signal::SchemaPath,
            full(stem.iter().chain(&folder).any(is_schema)),
        );
        values
    }

    /// The value of every signal but [`Signal::FileCoherence`], which depends on the other candidates; `values` are those of
    /// the file.
    pub(crate) fn of(
        &self,
        chunk: ChunkId,
        mut values: [f32; N_SIGNALS],
        signals: &Signals<'_>,
    ) -> [f32; N_SIGNALS] {
        let mut set = |signal: Signal, value: f32| values[signal as usize] = value;
        set(Signal::Definition, self.definition(chunk));
        let fields: Vec<u8> = self
            .terms
            .iter()
            .map(|term| term.fields_in(chunk))
            .collect();
        let share_in = |bits: u8| self.share(|idx, _| f32::from(u8::from(fields[idx] & bits != 0)));
        set(Signal::NameTerms, share_in(Field::Name.bit()));
        set(Signal::DocTerms, share_in(Field::Doc.bit()));
        let flags = self
            .lexical
            .chunk(chunk)
            .map_or(ChunkFlags::empty(), |meta| meta.flags);
        set(Signal::Exported, full(flags.contains(ChunkFlags::EXPORTED)));
        let class = self.lexical.class(chunk);
        set(
            Signal::SourceFolder,
            full(class.contains(PathClass::SOURCE_ROOT)),
        );
        signals.each(chunk, &mut set);
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
        full(self.file_names.contains(&stem))
    }

    /// [`Signal::FileWords`]: BM25 with the file as the document, as a share of what a file full of every term would get.
    fn file_words(&self, file: FileId) -> f32 {
        let chunks = self.lexical.chunks_of(file);
        let length = chunks.len() as f32 / self.chunks_in_file.max(1.0);
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

    /// Minimum match over the name's tokens. A name of several parts comes whole first.
    fn cover(&self, tokens: &[&str]) -> f32 {
        let asked = |word: &&str| {
            let likeness = |term: &Term<'a>| likeness(term.text, word);
            self.terms.iter().map(likeness).fold(0.0, f32::max)
        };
        match tokens {
            [] => 0.0,
            [only] => asked(only),
            [whole, ..] if asked(whole) >= 1.0 => 1.0,
            [_, parts @ ..] => parts.iter().map(asked).fold(1.0, f32::min),
        }
    }

    /// Sum over the query's words of importance times `value`, as a share of all importance. A word joined with its
    /// neighbour is found at the joined word.
    fn share(&self, value: impl Fn(usize, &Term<'a>) -> f32) -> f32 {
        let mut held: Vec<f32> = Vec::with_capacity(self.terms.len());
        for (idx, term) in self.terms.iter().enumerate() {
            let own = value(idx, term);
            match term.joins {
                None => held.push(own),
                Some((one, other)) => [one, other].iter().for_each(|&word| {
                    if let Some(held) = held.get_mut(word) {
                        *held = held.max(own);
                    }
                }),
            }
        }
        let held: f32 = held
            .iter()
            .zip(&self.terms)
            .map(|(held, term)| held * term.importance)
            .sum();
        if self.total > 0.0 {
            held / self.total
        } else {
            0.0
        }
    }
}

/// The value of a signal that holds or does not.
fn full(holds: bool) -> f32 {
    f32::from(u8::from(holds))
}

/// Scores the match of a path word with a term: both are stems.
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

impl Term<'_> {
    fn fields_in(&self, chunk: ChunkId) -> u8 {
        self.postings
            .and_then(|postings| postings.get(chunk))
            .map_or(0, |(_, fields)| fields)
    }
}
