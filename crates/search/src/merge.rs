//! Merges the candidates of shards: of what each has found, the chunks that one index over all files would have found.
//!
//! A chunk that is among the best of all chunks is among the best of its shard, so the best of the shards' best are those of
//! all. Scores and signals are computed with statistics of all shards ([`GlobalPlan`]) and need no change; places are
//! counted anew.

use std::sync::Arc;

use source::FileId;

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

/// The candidates of one shard, as [`merge`] takes them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Part {
    /// In chunk order, with ids of the shard.
    pub found: Vec<Scored>,
    /// For each of [`GlobalPlan::definitions`]: chunks that define it, in order.
    pub defining: Vec<Vec<ChunkId>>,
}

/// A chunk of a shard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ShardChunk {
    /// Number of the shard.
    pub shard: u32,
    /// The chunk in it.
    pub chunk: ChunkId,
}

/// Candidates of all shards. Their chunks and files are numbered anew: in the order of one index over all files.
#[derive(Debug, Clone)]
pub struct Merged {
    /// The candidates, to be ranked as those of one index.
    pub candidates: Candidates,
    /// For each new number of a chunk, its shard and its number there.
    pub origins: Vec<ShardChunk>,
}

impl Part {
    /// The candidates of an index that is one of several shards. `query.global` is concluded from all of them; chunks that the
    /// query raises, and related ones, are those of this shard.
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

/// The chunks of all shards that a query raises, and those that the graph leads to.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Known {
    /// Chunks that come first.
    pub raised: Vec<ShardChunk>,
    /// Whether all of them come first, in their order; else the best.
    pub all_raised: bool,
    /// Further candidates.
    pub related: Vec<ShardChunk>,
}

/// Merges the candidates of shards. `file_of` numbers the files of all shards in path order.
#[must_use]
pub fn merge(
    global: Arc<GlobalPlan>,
    parts: &[Part],
    known: &Known,
    file_of: &dyn Fn(u32, FileId) -> FileId,
    config: &SearchConfig,
) -> Merged {
    let mut found: Vec<(ShardChunk, Scored)> = Vec::new();
    for (shard, part) in (0..).zip(parts) {
        found.extend(part.found.iter().map(|hit| {
            let (chunk, file) = (hit.chunk, file_of(shard, hit.file));
            (ShardChunk { shard, chunk }, Scored { file, ..*hit })
        }));
    }
    // A file is in one shard, so that its chunks are in order.
    found.sort_by_key(|(origin, hit)| (hit.file, *origin));
    let mut merging = Merging {
        is_candidate: vec![false; found.len()],
        places: place_of(&found),
        found,
    };
    merging.choose(&global, config);
    for name in 0..global.definitions.len() {
        let of_name = (0..).zip(parts).flat_map(|(shard, part)| {
            let chunks = part.defining.get(name).into_iter().flatten();
            chunks.map(move |&chunk| ShardChunk { shard, chunk })
        });
        let mut places: Vec<usize> = of_name.filter_map(|origin| merging.place(origin)).collect();
        places.sort_unstable();
        merging.keep(places.into_iter().take(MAX_DEFINING));
    }
    let related: Vec<usize> = merging.places_of(&known.related);
    merging.keep(related.into_iter());
    let raised = merging.places_of(&known.raised);
    merging.keep(raised.iter().copied());
    merging.finish(global, &raised, known.all_raised)
}

/// Candidates of all shards in order; a place is an index into them.
struct Merging {
    found: Vec<(ShardChunk, Scored)>,
    /// Places by their chunks, in the order of these.
    places: Vec<(ShardChunk, usize)>,
    is_candidate: Vec<bool>,
}

fn place_of(found: &[(ShardChunk, Scored)]) -> Vec<(ShardChunk, usize)> {
    let places = found.iter().enumerate();
    let mut places: Vec<_> = places.map(|(at, (origin, _))| (*origin, at)).collect();
    places.sort_unstable();
    places
}

impl Merging {
    fn place(&self, origin: ShardChunk) -> Option<usize> {
        let found = self
            .places
            .binary_search_by_key(&origin, |(known, _)| *known);
        Some(self.places.get(found.ok()?)?.1)
    }

    fn places_of(&self, chunks: &[ShardChunk]) -> Vec<usize> {
        let places = chunks.iter().filter_map(|chunk| self.place(*chunk));
        places.collect()
    }

    fn keep(&mut self, places: impl Iterator<Item = usize>) {
        for place in places {
            self.is_candidate[place] = true;
        }
    }

    /// Keeps the best by words and the best by meaning, and counts their places, as an index does by itself.
    fn choose(&mut self, global: &GlobalPlan, config: &SearchConfig) {
        let lowered = Lowered::new(&global.plan, config);
        let classes: Vec<bool> = self
            .found
            .iter()
            .map(|(_, hit)| lowered.contains(hit.class))
            .collect();
        let kind = |chunk: ChunkId| classes.get(chunk.index()).copied();
        let best = |score_of: &dyn Fn(&Scored) -> Option<f32>| {
            let mut best = BestOfKinds::new(config.candidates, &kind);
            for (place, (_, hit)) in (0..).zip(&self.found) {
                if let Some(score) = score_of(hit).filter(|score| best.takes(*score)) {
                    best.offer(ChunkId(place), score);
                }
            }
            best
        };
        let words = best(&|hit| hit.lexical_rank.map(|_| hit.lexical_score)).into_sorted();
        let near = best(&|hit| hit.vector_rank.and(hit.vector_score)).into_uncrowded();
        for (_, hit) in &mut self.found {
            (hit.lexical_rank, hit.vector_rank) = (None, None);
        }
        for (rank, (place, _)) in (1..).zip(&words) {
            self.found[place.index()].1.lexical_rank = Some(rank);
        }
        for (rank, (place, _)) in (1..).zip(&near) {
            self.found[place.index()].1.vector_rank = Some(rank);
        }
        let chosen = words.iter().chain(&near);
        let chosen: Vec<usize> = chosen.map(|(place, _)| place.index()).collect();
        self.keep(chosen.into_iter());
    }

    /// Drops what is no candidate, and numbers the rest.
    fn finish(self, global: Arc<GlobalPlan>, raised: &[usize], all_raised: bool) -> Merged {
        let mut numbers: Vec<ChunkId> = Vec::with_capacity(self.found.len());
        let (mut origins, mut found) = (Vec::new(), Vec::new());
        for ((origin, mut hit), is_candidate) in self.found.into_iter().zip(self.is_candidate) {
            hit.chunk = ChunkId(origins.len() as u32);
            numbers.push(hit.chunk);
            if is_candidate {
                origins.push(origin);
                found.push(hit);
            }
        }
        let number = |place: &usize| numbers.get(*place).copied();
        Merged {
            candidates: Candidates {
                global,
                found,
                raised: raised.iter().filter_map(number).collect(),
                all_raised,
            },
            origins,
        }
    }
}
