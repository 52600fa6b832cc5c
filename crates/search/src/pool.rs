//! The candidates of one index: by words, by names, by meaning, and those that are known outside; with all that ranking
//! needs to know of each.

use rustc_hash::FxHashMap;

use crate::config::{N_SIGNALS, SearchConfig, Signal};
use crate::frozen::{ArchivedLexical, ChunkId};
use crate::global::GlobalPlan;
use crate::postings::{LexicalView, Postings};
use crate::rank::Query;
use crate::scored::{Lowered, Scored};
use crate::signals::{Features, Signals};
use crate::topk::{Best, BestOfKinds, Kind};
use crate::vectors::{ArchivedVectors, QueryVector};

/// Maximum number of definitions of a name that are candidates by their name alone.
pub(crate) const MAX_DEFINING: usize = 64;

/// How much of what is searched an index holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// All of it: its best chunks are the candidates.
    Whole,
    /// A shard of it: its best chunks may be among the candidates.
    Shard,
}

/// Chunks that an index found.
#[derive(Debug, Clone, Default)]
pub(crate) struct Found {
    /// In chunk order; `score` and `fused_score` not yet known.
    pub(crate) hits: Vec<Scored>,
    /// Those that the query raises.
    pub(crate) raised: Vec<ChunkId>,
    /// For each name of the query, those that define it.
    pub(crate) defining: Vec<Vec<ChunkId>>,
}

/// Finds the candidates. Time: one pass over the postings of the query's terms and one over the vectors.
pub(crate) fn find(
    words: LexicalView<'_>,
    vectors: Option<&ArchivedVectors>,
    query: &Query<'_>,
    (global, extent): (&GlobalPlan, Extent),
    signals: &Signals<'_>,
    config: &SearchConfig,
) -> Found {
    let (lexical, terms) = (words.columns, global.plan.terms.iter());
    let postings: Vec<Option<Postings<'_>>> = terms.map(|term| words.postings(term.hash)).collect();
    let scores = if config.lexical {
        term_scores(lexical, global, &postings, config)
    } else {
        Vec::new()
    };
    let lowered = Lowered::new(&global.plan, config);
    let kind = |chunk| (query.keep)(chunk).then(|| lowered.contains(lexical.class(chunk)));
    let mut pool = Pool {
        lexical,
        scores: &scores,
        hits: FxHashMap::default(),
    };
    pool.add_lexical(config.candidates, &kind);
    let mut found = Found::default();
    if config.names {
        found.defining = pool.add_defining(&global.definitions, query);
        pool.add_chunks(query.related, query);
        found.raised = pool.add_chunks(query.raise.chunks(), query);
    }
    let meaning = query
        .vector
        .filter(|_| config.vector)
        .zip(vectors)
        .filter(|(vector, vectors)| vectors.dim.to_native() as usize == vector.len());
    if let Some((vector, vectors)) = meaning {
        let (signs, limit) = (query.signs, config.candidates);
        pool.add_near(match extent {
            Extent::Whole => vectors.nearest_uncrowded(signs, vector, limit, &kind),
            Extent::Shard => vectors.nearest_of_kinds(signs, vector, limit, &kind),
        });
    }
    found.hits = pool.hits.into_values().collect();
    found.hits.sort_unstable_by_key(|scored| scored.chunk);
    let meaning = meaning.and_then(|(vector, vectors)| Some((QueryVector::new(vector)?, vectors)));
    if let Some((query_vector, vectors)) = &meaning {
        for scored in &mut found.hits {
            scored.vector_score = vectors.cosine(query_vector, scored.chunk);
        }
    }
    if config.rerank {
        let features = Features::new(lexical, global, &postings);
        let near = |scored: &Scored| {
            meaning.as_ref().map_or(0.0, |(query, vectors)| {
                vectors.file_cosine(query, lexical.chunks_of(scored.file))
            })
        };
        add_signals(&mut found.hits, &features, &near, signals);
    }
    found
}

/// Works out the signals of hits in chunk order; `near` gives the likeness of a hit's file.
fn add_signals(
    hits: &mut [Scored],
    features: &Features<'_>,
    near: &dyn Fn(&Scored) -> f32,
    signals: &Signals<'_>,
) {
    let mut of_file = (None, [0.0; N_SIGNALS]);
    for scored in hits {
        if of_file.0 != Some(scored.file) {
            of_file = (Some(scored.file), features.of_file(scored.file));
            of_file.1[Signal::FileMeaning as usize] = near(scored);
        }
        scored.signals = features.of(scored.chunk, of_file.1, signals);
    }
}

/// Sum over the query's terms of weight · idf · BM25F weight, for every chunk.
fn term_scores(
    lexical: &ArchivedLexical,
    global: &GlobalPlan,
    postings: &[Option<Postings<'_>>],
    config: &SearchConfig,
) -> Vec<f32> {
    let mut scores = vec![0.0_f32; lexical.n_chunks()];
    let terms = global.plan.terms.iter().zip(postings).enumerate();
    for (idx, (term, postings)) in terms {
        let Some(postings) = postings else {
            continue;
        };
        let unit = global.idf_of(idx) * config.weight_of(term) * postings.unit;
        for (chunk, weight) in postings.chunks.iter().zip(&postings.weights) {
            if let Some(score) = scores.get_mut(chunk.to_native() as usize) {
                *score += unit * f32::from(*weight);
            }
        }
    }
    scores
}

struct Pool<'a> {
    lexical: &'a ArchivedLexical,
    /// The lexical score of every chunk; empty where words are not searched.
    scores: &'a [f32],
    hits: FxHashMap<ChunkId, Scored>,
}

impl Pool<'_> {
    fn entry(&mut self, chunk: ChunkId) -> Option<&mut Scored> {
        let file = self.lexical.file_of(chunk)?;
        let lexical_score = self.scores.get(chunk.index()).copied().unwrap_or(0.0);
        Some(self.hits.entry(chunk).or_insert(Scored {
            chunk,
            file,
            score: 0.0,
            lexical_score,
            lexical_rank: None,
            vector_score: None,
            vector_rank: None,
            fused_score: 0.0,
            signals: [0.0; N_SIGNALS],
            class: self.lexical.class(chunk),
            raised: 0.0,
            raised_as: "",
        }))
    }

    /// Chunks known outside are candidates; returns those that may answer.
    fn add_chunks(&mut self, chunks: &[ChunkId], query: &Query<'_>) -> Vec<ChunkId> {
        let mut kept: Vec<ChunkId> = Vec::new();
        for chunk in chunks.iter().copied().filter(|&chunk| (query.keep)(chunk)) {
            if !kept.contains(&chunk) && self.entry(chunk).is_some() {
                kept.push(chunk);
            }
        }
        kept
    }

    /// The best chunks by words, and as many of those that a penalty applies to: a thousand pages of documentation must
    /// not crowd out the code that they are about, which is moved ahead of them later.
    fn add_lexical(&mut self, limit: usize, kind: Kind<'_>) {
        let mut best = BestOfKinds::new(limit, kind);
        for (idx, &score) in self.scores.iter().enumerate() {
            if score > 0.0 && best.takes(score) {
                best.offer(ChunkId(idx as u32), score);
            }
        }
        for (rank, (chunk, _)) in (1..).zip(best.into_sorted()) {
            if let Some(scored) = self.entry(chunk) {
                scored.lexical_rank = Some(rank);
            }
        }
    }

    /// A definition of the requested name is a candidate however low its words score.
    fn add_defining(&mut self, names: &[(u64, f32)], query: &Query<'_>) -> Vec<Vec<ChunkId>> {
        let lexical = self.lexical;
        let mut of_name = |&(name, _): &(u64, f32)| {
            let chunks = lexical.defining(name).iter();
            let chunks = chunks.map(|chunk| ChunkId(chunk.to_native()));
            let kept = chunks.filter(|&chunk| (query.keep)(chunk));
            let kept: Vec<ChunkId> = kept.take(MAX_DEFINING).collect();
            for chunk in &kept {
                self.entry(*chunk);
            }
            kept
        };
        names.iter().map(&mut of_name).collect()
    }

    /// The nearest chunks, with their places.
    fn add_near(&mut self, near: Vec<(ChunkId, f32)>) {
        for (rank, (chunk, _)) in (1..).zip(near) {
            if let Some(scored) = self.entry(chunk) {
                scored.vector_rank = Some(rank);
            }
        }
    }
}
