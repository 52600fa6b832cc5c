//! Merges the candidates of shards: of what each has found, the chunks that one index over all files would have found.
//!
//! A chunk that is among the best of all chunks is among the best of its shard, so the best of the shards' best are those of
//! all. Scores and signals are computed with statistics of all shards ([`GlobalPlan`]) and need no change; places are
//! counted anew.

use std::sync::Arc;

use syntax::order::InOrder;

use crate::config::SearchConfig;
use crate::frozen::ChunkId;
use crate::global::GlobalPlan;
use crate::pool::{self, Extent, MAX_DEFINING};
use crate::postings::LexicalView;
use crate::rank::{Candidates, Query};
use crate::scored::{Lowered, Scored};
use crate::signals::Signals;
use crate::topk::{Best, BestOfKinds};
use crate::vectors::ArchivedVectors;

/// The candidates of one shard.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Part {
    /// In chunk order.
    pub found: Vec<Scored>,
    /// For each of [`GlobalPlan::definitions`]: chunks that define it, in order.
    pub defining: Vec<Vec<ChunkId>>,
}

impl Part {
    /// The candidates of an index that is one of several shards, with its own numbers of chunks and files. `global` is
    /// concluded from all shards; raised and related chunks of the query are those of this shard.
    #[must_use]
    pub fn scatter(
        words: LexicalView<'_>,
        vectors: Option<&ArchivedVectors>,
        query: &Query<'_>,
        global: &GlobalPlan,
        signals: &Signals<'_>,
        config: &SearchConfig,
    ) -> Part {
        let asked = (global, Extent::Shard);
        let found = pool::find(words, vectors, query, asked, signals, config);
        Part {
            found: found.hits,
            defining: found.defining,
        }
    }
}

/// The chunks of all shards that a query raises, and further candidates.
#[derive(Debug, Clone, Copy, Default)]
pub struct Known<'a> {
    /// Chunks that come first.
    pub raised: &'a [ChunkId],
    /// Whether all of them come first, in their order; else the best.
    pub all_raised: bool,
    /// Further candidates.
    pub related: &'a [ChunkId],
}

/// Merges the candidates of shards, whose chunks and files have the numbers of one index over all files. `signals` are
/// those that no shard knows.
#[must_use]
pub fn merge(
    global: Arc<GlobalPlan>,
    parts: Vec<Part>,
    known: Known<'_>,
    signals: &Signals<'_>,
    config: &SearchConfig,
) -> Candidates {
    let mut defining: Vec<Vec<ChunkId>> = vec![Vec::new(); global.definitions.len()];
    let mut found: Vec<Scored> = Vec::new();
    for part in parts {
        found.extend(part.found);
        for (all, chunks) in defining.iter_mut().zip(part.defining) {
            all.extend(chunks);
        }
    }
    found.order_by_key(|hit| hit.chunk);
    let mut merging = Merging {
        is_candidate: vec![false; found.len()],
        found,
    };
    merging.choose(&global, config);
    for mut chunks in defining {
        chunks.sort_unstable();
        chunks.truncate(MAX_DEFINING);
        merging.keep(&chunks);
    }
    let known = if config.names {
        known
    } else {
        Known::default()
    };
    merging.keep(known.related);
    // Those that the query's filter leaves out, no shard has found.
    let raised = merging.keep(known.raised);
    let mut kept = merging.is_candidate.iter();
    merging.found.retain(|_| kept.next() == Some(&true));
    if config.rerank {
        for hit in &mut merging.found {
            signals.set(hit);
        }
    }
    Candidates {
        global,
        found: merging.found,
        raised,
        all_raised: known.all_raised,
    }
}

/// The candidates of all shards, in order.
struct Merging {
    found: Vec<Scored>,
    is_candidate: Vec<bool>,
}

impl Merging {
    /// Keeps these chunks; returns those that were found, each once.
    fn keep(&mut self, chunks: &[ChunkId]) -> Vec<ChunkId> {
        let mut kept = Vec::new();
        for chunk in chunks {
            let place = self.found.binary_search_by_key(chunk, |hit| hit.chunk);
            let Some(is_candidate) = place.ok().and_then(|at| self.is_candidate.get_mut(at)) else {
                continue;
            };
            *is_candidate = true;
            if !kept.contains(chunk) {
                kept.push(*chunk);
            }
        }
        kept
    }

    /// Keeps the best by words and the best by meaning, and counts their places, as an index does by itself.
    fn choose(&mut self, global: &GlobalPlan, config: &SearchConfig) {
        let lowered = Lowered::new(&global.plan, config);
        let found = &self.found;
        let kind = |place: ChunkId| Some(lowered.contains(found.get(place.index())?.class));
        let mut words = BestOfKinds::new(config.candidates, &kind);
        let mut near = BestOfKinds::new(config.candidates, &kind);
        for (place, hit) in (0..).map(ChunkId).zip(found) {
            if hit.lexical_rank.is_some() && words.takes(hit.lexical_score) {
                words.offer(place, hit.lexical_score);
            }
            let cosine = hit.vector_rank.and(hit.vector_score);
            if let Some(cosine) = cosine.filter(|cosine| near.takes(*cosine)) {
                near.offer(place, cosine);
            }
        }
        let (words, near) = (words.into_sorted(), near.into_uncrowded());
        for hit in &mut self.found {
            (hit.lexical_rank, hit.vector_rank) = (None, None);
        }
        for (rank, (place, _)) in (1..).zip(words) {
            self.found[place.index()].lexical_rank = Some(rank);
            self.is_candidate[place.index()] = true;
        }
        for (rank, (place, _)) in (1..).zip(near) {
            self.found[place.index()].vector_rank = Some(rank);
            self.is_candidate[place.index()] = true;
        }
    }
}
