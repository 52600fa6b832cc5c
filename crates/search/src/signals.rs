//! Reasons to rank a chunk higher, each a number from 0 to 1.

use source::FileId;

use crate::config::{N_SIGNALS, Signal};
use crate::frozen::{ArchivedLexical, ChunkFlags, ChunkId, Postings};
use crate::plan::Plan;
use crate::terms::{Field, folded_name_hash, name_hash};

/// Signals known only outside, as columns with one value a chunk.
#[derive(Debug, Clone, Copy, Default)]
pub struct Signals<'a> {
    /// Each signal at most once; values outside 0 to 1 are cut off, missing ones are 0.
    pub columns: &'a [(Signal, &'a [f32])],
}

/// What is needed of the query to work out the signals of any chunk.
pub(crate) struct Features<'a> {
    lexical: &'a ArchivedLexical,
    terms: Vec<Term<'a>>,
    total: f32,
    exact: Vec<u64>,
    folded: Vec<u64>,
}

struct Term<'a> {
    hash: u64,
    importance: f32,
    postings: Option<Postings<'a>>,
}

impl<'a> Features<'a> {
    pub(crate) fn new(lexical: &'a ArchivedLexical, plan: &Plan) -> Features<'a> {
        let terms: Vec<Term<'a>> = plan
            .terms
            .iter()
            .map(|term| Term::new(lexical, term.hash))
            .collect();
        Features {
            lexical,
            total: terms
                .iter()
                .map(|term| term.importance)
                .sum::<f32>()
                .max(f32::MIN_POSITIVE),
            terms,
            exact: plan
                .identifiers
                .iter()
                .map(|name| name_hash(name))
                .collect(),
            folded: plan
                .identifiers
                .iter()
                .map(|name| folded_name_hash(name))
                .collect(),
        }
    }

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
        let (stem, folder) = self.lexical.path_terms(file);
        set(
            Signal::StemTerms,
            self.share(|term| stem.iter().any(|hash| hash.to_native() == term.hash)),
        );
        set(
            Signal::FolderTerms,
            self.share(|term| folder.iter().any(|hash| hash.to_native() == term.hash)),
        );
        let fields: Vec<u8> = self
            .terms
            .iter()
            .map(|term| term.fields_in(chunk))
            .collect();
        let share_in = |field: Field| self.weigh(|idx, _| fields[idx] & field.bit() != 0);
        set(Signal::NameTerms, share_in(Field::Name));
        set(Signal::DocTerms, share_in(Field::Doc));
        set(Signal::ChunkCoverage, self.weigh(|idx, _| fields[idx] != 0));
        let chunks = self.lexical.chunks_of(file);
        set(
            Signal::FileCoverage,
            self.share(|term| {
                term.postings
                    .is_some_and(|postings| postings.any_in(chunks.start, chunks.end))
            }),
        );
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
        let defines = |name: u64| {
            self.lexical
                .defining(name)
                .binary_search_by_key(&chunk.0, |id| id.to_native())
                .is_ok()
        };
        if self.exact.iter().any(|&name| defines(name)) {
            1.0
        } else if self.folded.iter().any(|&name| defines(name)) {
            0.7
        } else {
            0.0
        }
    }

    fn file_name(&self, file: FileId) -> f32 {
        let stem = self
            .lexical
            .stem_names
            .get(file.index())
            .map_or(0, |name| name.to_native());
        f32::from(u8::from(self.folded.contains(&stem)))
    }

    fn share(&self, holds: impl Fn(&Term<'a>) -> bool) -> f32 {
        self.weigh(|_, term| holds(term))
    }

    /// Importance of the terms that `holds` is true for, of all.
    fn weigh(&self, holds: impl Fn(usize, &Term<'a>) -> bool) -> f32 {
        let held: f32 = self
            .terms
            .iter()
            .enumerate()
            .filter(|(idx, term)| holds(*idx, term))
            .map(|(_, term)| term.importance)
            .sum();
        held / self.total
    }
}

impl<'a> Term<'a> {
    fn new(lexical: &'a ArchivedLexical, hash: u64) -> Term<'a> {
        let postings = lexical.postings(hash);
        // A term that no chunk holds still counts as asked for.
        let importance = lexical.idf(postings.map_or(1, |postings| postings.chunks.len()));
        Term {
            hash,
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
