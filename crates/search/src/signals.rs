//! Reasons to rank a chunk higher, each a number from 0 to 1.

use source::FileId;

use crate::config::{N_SIGNALS, SearchConfig, Signal};
use crate::frozen::{ArchivedLexical, ChunkFlags, ChunkId};
use crate::intent::Intent;
use crate::names::MatchKind;
use crate::paths::PathClass;
use crate::plan::{Plan, QueryTerm};
use crate::postings::Postings;
use crate::terms::{Field, folded_name_hash, name_hash, passed_on_hash};
use crate::tokenize::tokenize;

/// Value of a signal for a chunk.
pub type ValueOf<'a> = dyn Fn(ChunkId) -> f32 + 'a;

/// Signals known only outside, asked for the chunks that are found.
#[derive(Clone, Copy, Default)]
pub struct Signals<'a> {
    /// Each signal at most once; values outside 0 to 1 are clamped, those that are not finite are 0.
    pub values: &'a [(Signal, &'a ValueOf<'a>)],
}

/// Gives the names of the index that are written nearly like one, best first, few.
pub type NearNames<'a> = dyn Fn(&str) -> Vec<(&'a str, MatchKind)> + 'a;

/// Value of a re-export of a name that is not defined in the index.
const PASSED_ON: f32 = 0.9;
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
    /// `definitions`: see [`definitions`].
    pub(crate) fn new(
        lexical: &'a ArchivedLexical,
        plan: &'a Plan,
        postings: &'a [Option<Postings<'a>>],
        definitions: &'a [(u64, f32)],
    ) -> Features<'a> {
        let terms: Vec<Term<'a>> = plan
            .terms
            .iter()
            .zip(postings)
            .map(|(term, postings)| Term::new(lexical, term, postings.as_ref()))
            .collect();
        let single = terms.iter().filter(|term| term.joins.is_none());
        Features {
            lexical,
            total: single.map(|term| term.importance).sum(),
            terms,
            definitions,
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
        for &(signal, value_of) in signals.values {
            let value = value_of(chunk);
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
        full(self.file_names.contains(&stem))
    }

    /// [`Signal::FileWords`]: BM25 with the file as the document, as a share of what a file full of every term would get.
    fn file_words(&self, file: FileId) -> f32 {
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

/// Returns the names of the query with the value of a definition of each: by the exact spelling if anything is defined
/// so, else by a re-export, else by the folded spelling, else by a similar spelling from `near`. `Base` must not bring
/// up every `base`.
pub(crate) fn definitions(
    lexical: &ArchivedLexical,
    plan: &Plan,
    near: Option<&NearNames<'_>>,
    config: &SearchConfig,
) -> Vec<(u64, f32)> {
    let is_there = |hash: u64| !lexical.defining(hash).is_empty();
    let folded = config.blend(plan).folded_definition;
    let mut names = Vec::new();
    for name in &plan.identifiers {
        let (exact, passed_on) = (name_hash(name), passed_on_hash(name));
        let spelling = if is_there(exact) {
            (exact, 1.0)
        } else if is_there(passed_on) {
            (passed_on, PASSED_ON)
        } else {
            (folded_name_hash(name), folded)
        };
        if spelling.1 > 0.0 && is_there(spelling.0) {
            names.push(spelling);
        }
    }
    let wanted = plan.only_name().zip(near);
    if let Some((name, near)) = wanted.filter(|_| names.is_empty() && config.near_names > 0.0) {
        let likeness = |kind: MatchKind| match kind {
            MatchKind::Exact | MatchKind::Case => 1.0,
            MatchKind::Prefix => 0.9,
            MatchKind::Substring => 0.7,
            MatchKind::Edit(edits) => 1.0 - 0.2 * f32::from(edits),
        };
        let found = near(name).into_iter();
        names.extend(
            found.map(|(name, kind)| (name_hash(name), config.near_names * likeness(kind))),
        );
    }
    names
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

impl<'a> Term<'a> {
    fn new(
        lexical: &ArchivedLexical,
        term: &'a QueryTerm,
        postings: Option<&'a Postings<'a>>,
    ) -> Term<'a> {
        // A term that no chunk holds still counts as asked for.
        let idf = lexical.idf(postings.map_or(1, |postings| postings.chunks.len()));
        Term {
            text: &term.text,
            importance: idf * term.importance,
            joins: term.joins,
            postings,
        }
    }

    fn fields_in(&self, chunk: ChunkId) -> u8 {
        self.postings
            .and_then(|postings| postings.get(chunk))
            .map_or(0, |(_, fields)| fields)
    }
}
