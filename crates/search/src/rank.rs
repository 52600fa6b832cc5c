//! From a query to ranked chunks: candidates of both layers, fused, lifted by signals, lowered by penalties.
//!
//! `score = (fused + Σ weight · signal) · Π penalty`: every step is a number that [`crate::explain`] can show.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use source::FileId;
use syntax::order::InOrder;

use crate::config::{Blend, SearchConfig, Signal};
use crate::frozen::ChunkId;
use crate::fusion::fuse;
use crate::global::{GlobalPlan, Survey};
use crate::plan::{Plan, plan};
use crate::pool::{self, Extent};
use crate::postings::LexicalView;
use crate::raise::{self, Raise};
use crate::scored::{Scored, penalties};
use crate::signals::Signals;
use crate::signs::Signs;
use crate::vectors::ArchivedVectors;

/// A question to the index.
#[derive(Clone, Copy)]
pub struct Query<'a> {
    /// Words or an identifier.
    pub text: &'a str,
    /// The plan of the text and what all shards have of it; without it the index plans the query for itself.
    pub global: Option<&'a Arc<GlobalPlan>>,
    /// The same as a vector of the index's model; without it the vector layer is silent.
    pub vector: Option<&'a [f32]>,
    /// Sign codes of the vectors, computed for earlier queries; without them every vector is compared.
    pub signs: Option<&'a Signs>,
    /// Chunks that are known to answer, whatever their score.
    pub raise: Raise<'a>,
    /// Further candidates, such as those that the graph leads to; they are ranked as any other.
    pub related: &'a [ChunkId],
    /// Filter of the chunks that may answer.
    pub keep: &'a dyn Fn(ChunkId) -> bool,
}

impl<'a> Query<'a> {
    /// Any chunk may answer.
    #[must_use]
    pub fn new(text: &'a str, vector: Option<&'a [f32]>) -> Query<'a> {
        Query {
            text,
            global: None,
            vector,
            signs: None,
            raise: Raise::Best(&[]),
            related: &[],
            keep: &|_| true,
        }
    }
}

/// The answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    /// All candidates, best first.
    pub hits: Vec<Scored>,
    /// The plan of the query, and what the index has of it.
    pub global: Arc<GlobalPlan>,
}

/// The hits of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileHits {
    /// The file.
    pub file: FileId,
    /// Indices into [`Ranked::hits`], best first; never empty.
    pub hits: Vec<usize>,
}

impl Ranked {
    /// Drops all hits where the best of them has nothing to do with the query: no word, no name, no close meaning.
    pub fn drop_unrelated(&mut self) {
        if !self.hits.iter().any(Scored::is_related) {
            self.hits.clear();
        }
    }

    /// Drops hits whose cosine to the query is less than `min`.
    pub fn drop_distant(&mut self, min: Option<f32>) {
        if let Some(min) = min {
            let is_near = |hit: &Scored| hit.vector_score.is_some_and(|cosine| cosine >= min);
            self.hits.retain(is_near);
        }
    }

    /// The hits folded by file, the file with the best hit first.
    #[must_use]
    pub fn by_file(&self) -> Vec<FileHits> {
        let mut place_of: FxHashMap<FileId, usize> = FxHashMap::default();
        let mut files: Vec<FileHits> = Vec::new();
        for (idx, hit) in self.hits.iter().enumerate() {
            let place = *place_of.entry(hit.file).or_insert_with(|| {
                files.push(FileHits {
                    file: hit.file,
                    hits: Vec::new(),
                });
                files.len() - 1
            });
            files[place].hits.push(idx);
        }
        files
    }
}

/// Answers `query`. Time: one pass over the postings of its terms and one over the vectors.
#[must_use]
pub fn search<'a>(
    lexical: impl Into<LexicalView<'a>>,
    vectors: Option<&ArchivedVectors>,
    query: &Query<'_>,
    signals: &Signals<'_>,
    config: &SearchConfig,
) -> Ranked {
    let candidates = Candidates::gather(lexical, vectors, query, signals, config);
    candidates.rank(config)
}

/// Candidates of both layers, with the value of every signal; ranking them is cheap and can be repeated with other
/// weights.
#[derive(Debug, Clone)]
pub struct Candidates {
    pub(crate) global: Arc<GlobalPlan>,
    /// In chunk order; `score` and `fused_score` not yet known.
    pub(crate) found: Vec<Scored>,
    /// Chunks that come first: all in this order, or the best of them.
    pub(crate) raised: Vec<ChunkId>,
    pub(crate) all_raised: bool,
}

impl Candidates {
    /// Asks both layers and works out the signals.
    #[must_use]
    pub fn gather<'a>(
        lexical: impl Into<LexicalView<'a>>,
        vectors: Option<&ArchivedVectors>,
        query: &Query<'_>,
        signals: &Signals<'_>,
        config: &SearchConfig,
    ) -> Candidates {
        let words: LexicalView<'a> = lexical.into();
        let own = || {
            let plan = plan(query.text);
            let survey = Survey::of(words, &plan);
            Arc::new(GlobalPlan::new(plan, "", survey, (None, false), config))
        };
        let global = query.global.cloned().unwrap_or_else(own);
        let asked = (&*global, Extent::Whole);
        let found = pool::find(words, vectors, query, asked, signals, config);
        Candidates {
            global,
            found: found.hits,
            raised: found.raised,
            all_raised: matches!(query.raise, Raise::InOrder(_)),
        }
    }

    /// Puts them in order.
    #[must_use]
    pub fn rank(&self, config: &SearchConfig) -> Ranked {
        let blend = config.blend(&self.global.plan);
        let mut hits = self.found.clone();
        fuse(&mut hits, blend, config);
        if config.rerank {
            add_file_coherence(&mut hits, blend);
        }
        for hit in &mut hits {
            hit.score = final_score(hit, &self.global.plan, blend, config);
        }
        if config.rerank {
            raise::apply(&mut hits, &self.raised, self.all_raised);
        }
        hits.sort_unstable_by(|a, b| b.score.total_cmp(&a.score).then(a.chunk.cmp(&b.chunk)));
        Ranked {
            hits,
            global: Arc::clone(&self.global),
        }
    }
}

/// The score of a hit whose fused score and signals are known.
fn final_score(hit: &Scored, plan: &Plan, blend: &Blend, config: &SearchConfig) -> f32 {
    if !config.rerank {
        return hit.fused_score;
    }
    let added: f32 = hit
        .signals
        .iter()
        .zip(&blend.signals.0)
        .map(|(value, weight)| value * weight)
        .sum();
    penalties(hit.class, plan, config)
        .fold(hit.fused_score + added, |score, (_, factor)| score * factor)
}

/// Several good chunks make a file a better answer: its best one carries their scores together.
fn add_file_coherence(hits: &mut [Scored], blend: &Blend) {
    let mut files: FxHashMap<FileId, (f32, usize, f32)> = FxHashMap::default();
    for (idx, hit) in hits.iter().enumerate() {
        let own = hit.fused_score
            + hit
                .signals
                .iter()
                .zip(&blend.signals.0)
                .map(|(value, weight)| value * weight)
                .sum::<f32>();
        let (sum, best, best_score) = files.entry(hit.file).or_insert((0.0, idx, own));
        *sum += hit.fused_score;
        if own > *best_score {
            (*best, *best_score) = (idx, own);
        }
    }
    let largest = files.values().map(|&(sum, ..)| sum).fold(0.0, f32::max);
    if largest <= 0.0 {
        return;
    }
    let mut best: Vec<(usize, f32)> = files
        .into_values()
        .map(|(sum, best, _)| (best, sum / largest))
        .collect();
    best.order_by_key(|&(idx, _)| idx);
    for (idx, value) in best {
        hits[idx].signals[Signal::FileCoherence as usize] = value;
    }
}
