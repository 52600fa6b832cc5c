//! The conditions of a search that its candidates depend on, as a shard that is elsewhere is told them: whichever tool searches, its
//! shards search by its own filters and weights.

use rkyv::{Archive, Deserialize, Serialize};

use crate::config::{Penalty, SearchConfig};
use crate::paths::PathClass;

/// Filters and weights that decide which chunks a shard finds. Weights that only rank are not among them: the front ranks.
#[derive(Debug, Clone, PartialEq, Default, Archive, Serialize, Deserialize)]
pub struct Conditions {
    /// Globs of paths, as the engine's filter of files takes them.
    pub paths: Vec<String>,
    /// Names of languages; any language if empty.
    pub languages: Vec<String>,
    /// Names of kinds of definitions; any chunk if empty.
    pub kinds: Vec<String>,
    /// Kinds of syntax nodes; any if empty.
    pub node_types: Vec<String>,
    /// Least cyclomatic complexity.
    pub min_complexity: u32,
    /// Greatest cyclomatic complexity.
    pub max_complexity: Option<u32>,
    /// As [`SearchConfig::candidates`].
    pub candidates: u32,
    /// As [`SearchConfig::joined_words`].
    pub joined_words: f32,
    /// Bits of each class of files that has a penalty.
    pub penalties: Vec<u16>,
    /// As [`SearchConfig::lexical`].
    pub lexical: bool,
    /// As [`SearchConfig::vector`].
    pub vector: bool,
    /// As [`SearchConfig::names`].
    pub names: bool,
    /// As [`SearchConfig::rerank`].
    pub rerank: bool,
}

impl Conditions {
    /// Those of a config; every chunk passes.
    #[must_use]
    pub fn of(config: &SearchConfig) -> Self {
        let penalties = config.penalties.iter();
        Self {
            candidates: u32::try_from(config.candidates).unwrap_or(u32::MAX),
            joined_words: config.joined_words,
            penalties: penalties.map(|penalty| penalty.class.bits()).collect(),
            lexical: config.lexical,
            vector: config.vector,
            names: config.names,
            rerank: config.rerank,
            ..Self::default()
        }
    }

    /// A config by which a shard finds the same chunks. It is none to rank by.
    #[must_use]
    pub fn config(&self) -> SearchConfig {
        let penalty = |bits: &u16| Penalty {
            name: "",
            class: PathClass::from_bits_retain(*bits),
            factor: 1.0,
        };
        SearchConfig {
            candidates: self.candidates as usize,
            joined_words: self.joined_words,
            penalties: self.penalties.iter().map(penalty).collect(),
            lexical: self.lexical,
            vector: self.vector,
            names: self.names,
            rerank: self.rerank,
            ..SearchConfig::default()
        }
    }
}
