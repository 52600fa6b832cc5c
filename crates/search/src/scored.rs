//! A ranked chunk: how it came to its place, and whether it is more than a guess.

use source::FileId;

use crate::config::{N_SIGNALS, SearchConfig, Signal};
use crate::frozen::ChunkId;
use crate::intent::Intent;
use crate::paths::PathClass;
use crate::plan::Plan;

/// A chunk that answers, and how it came to its place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scored {
    /// The chunk.
    pub chunk: ChunkId,
    /// Its file.
    pub file: FileId,
    /// The score that hits are sorted by.
    pub score: f32,
    /// BM25F score.
    pub lexical_score: f32,
    /// Place among the lexical candidates, from 1.
    pub lexical_rank: Option<u32>,
    /// Cosine to the query vector.
    pub vector_score: Option<f32>,
    /// Place among the vector candidates, from 1.
    pub vector_rank: Option<u32>,
    /// After fusion, before signals.
    pub fused_score: f32,
    /// Value of each signal, 0 to 1.
    pub signals: [f32; N_SIGNALS],
    /// Class of the chunk by its path and contents.
    pub class: PathClass,
    /// Added because the chunk is known to answer: see [`Raise`].
    pub raised: f32,
    /// The name of that reason, `named` or `user`.
    pub raised_as: &'static str,
}

/// Least evidence of a hit that is more than a guess, with vectors and without: at these, 2 % of the right first hits of
/// the development questions are marked as guesses, and 81 % (64 %) of the first hits for questions about another
/// repository (`cargo xtask bench retrieval`).
const SURE_WITH_VECTOR: f32 = 0.58;
const SURE_BY_WORDS: f32 = 0.19;
/// Least cosine of a chunk that answers although nothing in the index has a word of the query: 1 % of the right first hits
/// have less.
const RELATED: f32 = 0.23;

impl Scored {
    /// Returns true if little speaks for this hit but that nothing better was found: no name of the query, few of its
    /// words in the file, no close meaning.
    #[must_use]
    pub fn is_guess(&self) -> bool {
        let value = |signal: Signal| self.signals[signal as usize];
        let is_named = self.raised > 0.0
            || value(Signal::Definition) > 0.0
            || value(Signal::FileName) > 0.0
            || value(Signal::StemCover) >= 1.0;
        let words = value(Signal::FileWords);
        let is_weak = match self.vector_score {
            Some(cosine) => cosine.max(0.0) + words < SURE_WITH_VECTOR,
            None => words < SURE_BY_WORDS,
        };
        is_weak && !is_named
    }

    /// Returns true if the chunk is close in meaning, or is found by a name or a word.
    pub(crate) fn is_related(&self) -> bool {
        self.lexical_score > 0.0
            || self.raised > 0.0
            || self.signals[Signal::Definition as usize] > 0.0
            || self.vector_score.is_some_and(|cosine| cosine >= RELATED)
    }
}

/// The chunks that a penalty applies to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lowered {
    classes: PathClass,
    without_tests: bool,
}

impl Lowered {
    /// Those of a query.
    pub(crate) fn new(plan: &Plan, config: &SearchConfig) -> Lowered {
        let classes = config.penalties.iter().map(|penalty| penalty.class);
        let classes = classes.filter(|class| config.rerank && !is_asked_for(*class, plan));
        Lowered {
            classes: classes.fold(PathClass::empty(), |all, class| all | class),
            without_tests: config.rerank && plan.is_about_tests,
        }
    }

    /// Whether a chunk of this class is one of them.
    pub(crate) fn contains(self, class: PathClass) -> bool {
        class.intersects(self.classes) || self.without_tests && !class.contains(PathClass::TEST)
    }
}

/// Whether the query asks for chunks of a class, so that they have no penalty.
fn is_asked_for(class: PathClass, plan: &Plan) -> bool {
    class == PathClass::TEST && plan.intent == Intent::Test
        || class == PathClass::PLATFORM && plan.names_platform
}

/// The penalties that apply to a chunk, in order.
pub(crate) fn penalties(
    class: PathClass,
    plan: &Plan,
    config: &SearchConfig,
) -> impl Iterator<Item = (&'static str, f32)> {
    let is_test = class.contains(PathClass::TEST);
    let no_test = (plan.is_about_tests && !is_test).then_some(("no_test_penalty", config.no_test));
    let penalties = config.penalties.iter();
    penalties
        .filter(move |penalty| class.contains(penalty.class) && !is_asked_for(penalty.class, plan))
        .map(|penalty| (penalty.name, penalty.factor))
        .chain(no_test)
}
