//! The first round of a search: every index says how often it has the terms of a plan and whether it has its names; all of
//! them together decide which names count. One index decides by itself.

use rkyv::{Archive, Deserialize, Serialize};

use crate::config::SearchConfig;
use crate::frozen::ArchivedLexical;
use crate::names::MatchKind;
use crate::plan::Plan;
use crate::postings::LexicalView;
use crate::statistics::Statistics;
use crate::terms::{folded_name_hash, name_hash, passed_on_hash, term_hash};
use crate::tokenize::tokenize;

/// Gives the names of the index that are written nearly like one, best first, few.
pub type NearNames<'a> = dyn Fn(&str) -> Vec<(&'a str, MatchKind)> + 'a;

/// Value of a re-export of a name that is not defined in the index.
const PASSED_ON: f32 = 0.9;
/// Factor of a name that only qualifies the noun behind it: "the OpenAPI schema" is mostly made elsewhere.
const QUALIFIER: f32 = 0.5;

bitflags::bitflags! {
    /// How an index has a name.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct Spellings: u8 {
        /// Defined, in this spelling.
        const EXACT = 1;
        /// Passed on (`pub use`), in this spelling.
        const PASSED_ON = 1 << 1;
        /// Defined, except for case and underscores.
        const FOLDED = 1 << 2;
    }
}

/// Frequencies and definitions that one index has of the terms and names of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Default, Archive, Serialize, Deserialize)]
pub struct Survey {
    /// Numbers of its chunks and of the terms.
    pub statistics: Statistics,
    /// For each identifier of the plan: how it is there, as bits of [`Spellings`].
    pub spellings: Vec<u8>,
    /// Whether the name that the query is about is there, as a definition or as a word.
    pub has_word: bool,
    /// Whether it has vectors; who surveys a snapshot sets it.
    pub has_vectors: bool,
}

impl Survey {
    /// Surveys an index. Logarithmic for each term and name.
    #[must_use]
    pub fn of(words: LexicalView<'_>, plan: &Plan) -> Survey {
        let spellings = |name: &String| spellings(words.columns, name).bits();
        Survey {
            statistics: Statistics::of(words, plan),
            spellings: plan.identifiers.iter().map(spellings).collect(),
            has_word: plan.only_name().is_some_and(|name| has_word(words, name)),
            has_vectors: false,
        }
    }

    /// That of no index, to which those of shards are added.
    #[must_use]
    pub fn nothing(plan: &Plan) -> Survey {
        let mut all = Survey::default();
        all.statistics.frequencies = vec![0; plan.terms.len()];
        all.spellings = vec![0; plan.identifiers.len()];
        all
    }

    /// Adds that of another shard.
    pub fn add(&mut self, other: &Survey) {
        self.statistics.add(&other.statistics);
        self.spellings.resize(other.spellings.len(), 0);
        for (own, other) in self.spellings.iter_mut().zip(&other.spellings) {
            *own |= *other;
        }
        self.has_word |= other.has_word;
        self.has_vectors |= other.has_vectors;
    }
}

/// Whether an index has a name as a definition or as a word.
fn has_word(words: LexicalView<'_>, name: &str) -> bool {
    let is_absent = |token: &String| words.document_frequency(term_hash(token)) == 0;
    !words.columns.defining(folded_name_hash(name)).is_empty()
        || !tokenize(name).first().is_some_and(is_absent)
}

fn spellings(lexical: &ArchivedLexical, name: &str) -> Spellings {
    let is_there = |hash: u64| !lexical.defining(hash).is_empty();
    let mut found = Spellings::empty();
    found.set(Spellings::EXACT, is_there(name_hash(name)));
    // Better spellings make the others irrelevant, in all shards.
    if found.is_empty() {
        found.set(Spellings::PASSED_ON, is_there(passed_on_hash(name)));
    }
    if found.is_empty() {
        found.set(Spellings::FOLDED, is_there(folded_name_hash(name)));
    }
    found
}

/// A plan, and what all shards together have of its terms and names: everything that ranking needs to know beyond the
/// chunk that it ranks.
#[derive(Debug, Clone, PartialEq)]
pub struct GlobalPlan {
    /// The plan.
    pub plan: Plan,
    /// Numbers of all chunks, and of the plan's terms in them.
    pub statistics: Statistics,
    /// Hashes of the names that a definition counts for, with its value.
    pub definitions: Vec<(u64, f32)>,
    /// Names written nearly like the only one of the plan, best first; empty where they are not needed.
    pub near: Vec<String>,
}

impl GlobalPlan {
    /// Concludes from the survey of all shards, or of the only index. The words of the `project`'s name count less. `near` is
    /// asked if no name of the plan is defined, or if its subject `is_unknown`.
    #[must_use]
    pub fn new(
        mut plan: Plan,
        project: &str,
        survey: Survey,
        (near, is_unknown): (Option<&NearNames<'_>>, bool),
        config: &SearchConfig,
    ) -> GlobalPlan {
        plan.discount(project, config.project_name);
        let mut definitions = definitions(&plan, &survey.spellings, config);
        let by_nearness = definitions.is_empty() && config.near_names > 0.0;
        let wanted = plan.only_name().zip(near);
        let wanted = wanted.filter(|_| is_unknown || by_nearness);
        let near = wanted.map_or_else(Vec::new, |(name, near)| near(name));
        if by_nearness {
            let value = |kind: MatchKind| config.near_names * likeness(kind);
            let near = near.iter();
            definitions.extend(near.map(|(name, kind)| (name_hash(name), value(*kind))));
        }
        let near = near.into_iter().map(|(name, _)| name.to_owned());
        GlobalPlan {
            near: near.collect(),
            plan,
            statistics: survey.statistics,
            definitions,
        }
    }

    /// The inverse document frequency of each term; one that no chunk holds still counts as asked for.
    #[must_use]
    pub fn idf_of(&self, term: usize) -> f32 {
        let statistics = &self.statistics;
        statistics.idf(statistics.frequency(term).max(1))
    }
}

fn likeness(kind: MatchKind) -> f32 {
    match kind {
        MatchKind::Exact | MatchKind::Case => 1.0,
        MatchKind::Prefix => 0.9,
        MatchKind::Substring => 0.7,
        MatchKind::Edit(edits) => 1.0 - 0.2 * f32::from(edits),
    }
}

/// Returns the names of the query with the value of a definition of each: by the exact spelling if anything is defined
/// so, else by a re-export, else by the folded spelling. `Base` must not bring up every `base`.
fn definitions(plan: &Plan, spellings: &[u8], config: &SearchConfig) -> Vec<(u64, f32)> {
    let folded = config.blend(plan).folded_definition;
    let definition = |((name, qualifies), found): ((&String, &bool), &u8)| {
        let found = Spellings::from_bits_retain(*found);
        let (name, value) = if found.contains(Spellings::EXACT) {
            (name_hash(name), 1.0)
        } else if found.contains(Spellings::PASSED_ON) {
            (passed_on_hash(name), PASSED_ON)
        } else if found.contains(Spellings::FOLDED) && folded > 0.0 {
            (folded_name_hash(name), folded)
        } else {
            return None;
        };
        Some((name, if *qualifies { value * QUALIFIER } else { value }))
    };
    let names = plan.identifiers.iter().zip(&plan.qualifies);
    let names = names.zip(spellings);
    names.filter_map(definition).collect()
}
