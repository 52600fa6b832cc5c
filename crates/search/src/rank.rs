//! From a query to ranked chunks: candidates of both layers, fused, lifted by signals, lowered by penalties.
//!
//! `score = (fused + Σ weight · signal) · Π penalty`: every step is a number that [`crate::explain`] can show.

use rustc_hash::FxHashMap;
use source::FileId;

use crate::config::{Blend, N_SIGNALS, SearchConfig, Signal};
use crate::frozen::{ArchivedLexical, ChunkId};
use crate::fusion::fuse;
use crate::plan::{Plan, QueryTerm, plan};
use crate::postings::{LexicalView, Postings};
use crate::raise::{self, Raise};
use crate::scored::{Lowered, Scored, penalties};
use crate::signals::{Features, NearNames, Signals, definitions};
use crate::signs::Signs;
use crate::topk::{Best, BestOfKinds, Kind};
use crate::vectors::{ArchivedVectors, QueryVector};

/// A question to the index.
#[derive(Clone, Copy)]
pub struct Query<'a> {
    /// Words or an identifier.
    pub text: &'a str,
    /// The plan of the text, if it is known already.
    pub plan: Option<&'a Plan>,
    /// The same as a vector of the index's model; without it the vector layer is silent.
    pub vector: Option<&'a [f32]>,
    /// The project's name; its tokens are down-weighted. Empty if unknown.
    pub project: &'a str,
    /// Names of the index written nearly like one that nothing has; asked only then.
    pub near: Option<&'a NearNames<'a>>,
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
            plan: None,
            vector,
            project: "",
            near: None,
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
    /// The plan of the query.
    pub plan: Plan,
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
    plan: Plan,
    /// In chunk order; `score` and `fused_score` not yet known.
    found: Vec<Scored>,
    /// Chunks that come first: all in this order, or the best of them.
    raised: Vec<ChunkId>,
    all_raised: bool,
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
        let lexical = words.columns;
        let known = query.plan.cloned();
        let mut plan = known.unwrap_or_else(|| plan(query.text));
        plan.discount(query.project, config.project_name);
        let mut pool = Pool {
            lexical,
            found: FxHashMap::default(),
        };
        let postings: Vec<Option<Postings<'_>>> = plan
            .terms
            .iter()
            .map(|term| words.postings(term.hash))
            .collect();
        let definitions = definitions(lexical, &plan, query.near, config);
        let scores = if config.lexical {
            term_scores(lexical, &plan.terms, &postings, config)
        } else {
            Vec::new()
        };
        let lowered = Lowered::new(&plan, config);
        let kind = |chunk| (query.keep)(chunk).then(|| lowered.contains(lexical.class(chunk)));
        pool.add_lexical(&scores, config.candidates, &kind);
        let mut raised = Vec::new();
        if config.names {
            pool.add_defining(&definitions, query, &scores);
            pool.add_chunks(query.related, query, &scores);
            raised = pool.add_chunks(query.raise.chunks(), query, &scores);
        }
        let query_vector = query
            .vector
            .filter(|_| config.vector)
            .zip(vectors)
            .filter(|(vector, vectors)| vectors.dim.to_native() as usize == vector.len());
        if let Some((vector, vectors)) = query_vector {
            let near = vectors.nearest_uncrowded(query.signs, vector, config.candidates, &kind);
            pool.add_near(near, &scores);
        }
        let mut found: Vec<Scored> = pool.found.into_values().collect();
        found.sort_unstable_by_key(|scored| scored.chunk);
        let meaning =
            query_vector.and_then(|(vector, vectors)| Some((QueryVector::new(vector)?, vectors)));
        if let Some((query_vector, vectors)) = &meaning {
            for scored in &mut found {
                scored.vector_score = vectors.cosine(query_vector, scored.chunk);
            }
        }
        if config.rerank {
            let features = Features::new(lexical, &plan, &postings, &definitions);
            let mut of_file = (None, [0.0; N_SIGNALS]);
            for scored in &mut found {
                if of_file.0 != Some(scored.file) {
                    let near = meaning.as_ref().map_or(0.0, |(query, vectors)| {
                        vectors.file_cosine(query, lexical.chunks_of(scored.file))
                    });
                    of_file = (Some(scored.file), features.of_file(scored.file));
                    of_file.1[Signal::FileMeaning as usize] = near;
                }
                scored.signals = features.of(scored.chunk, of_file.1, signals);
            }
        }
        Candidates {
            plan,
            found,
            raised,
            all_raised: matches!(query.raise, Raise::InOrder(_)),
        }
    }

    /// Puts them in order.
    #[must_use]
    pub fn rank(&self, config: &SearchConfig) -> Ranked {
        let blend = config.blend(&self.plan);
        let mut hits = self.found.clone();
        fuse(&mut hits, blend, config);
        if config.rerank {
            add_file_coherence(&mut hits, blend);
        }
        for hit in &mut hits {
            hit.score = final_score(hit, &self.plan, blend, config);
        }
        if config.rerank {
            raise::apply(&mut hits, &self.raised, self.all_raised);
        }
        hits.sort_unstable_by(|a, b| b.score.total_cmp(&a.score).then(a.chunk.cmp(&b.chunk)));
        Ranked {
            hits,
            plan: self.plan.clone(),
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

/// Sum over the query's terms of weight · idf · BM25F weight, for every chunk.
fn term_scores(
    lexical: &ArchivedLexical,
    terms: &[QueryTerm],
    postings: &[Option<Postings<'_>>],
    config: &SearchConfig,
) -> Vec<f32> {
    let mut scores = vec![0.0_f32; lexical.n_chunks()];
    for (term, postings) in terms.iter().zip(postings) {
        let Some(postings) = postings else {
            continue;
        };
        let unit = lexical.idf(postings.chunks.len()) * config.weight_of(term) * postings.unit;
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
    found: FxHashMap<ChunkId, Scored>,
}

impl Pool<'_> {
    fn entry(&mut self, chunk: ChunkId, lexical_score: f32) -> Option<&mut Scored> {
        let file = self.lexical.file_of(chunk)?;
        Some(self.found.entry(chunk).or_insert(Scored {
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
    fn add_chunks(
        &mut self,
        chunks: &[ChunkId],
        query: &Query<'_>,
        scores: &[f32],
    ) -> Vec<ChunkId> {
        let mut kept: Vec<ChunkId> = Vec::new();
        for chunk in chunks.iter().copied().filter(|&chunk| (query.keep)(chunk)) {
            let score = scores.get(chunk.index()).copied().unwrap_or(0.0);
            if !kept.contains(&chunk) && self.entry(chunk, score).is_some() {
                kept.push(chunk);
            }
        }
        kept
    }

    /// The best chunks by words, and as many of those that a penalty applies to: a thousand pages of documentation must
    /// not crowd out the code that they are about, which is moved ahead of them later.
    fn add_lexical(&mut self, scores: &[f32], limit: usize, kind: Kind<'_>) {
        let mut best = BestOfKinds::new(limit, kind);
        for (idx, &score) in scores.iter().enumerate() {
            if score > 0.0 && best.takes(score) {
                best.offer(ChunkId(idx as u32), score);
            }
        }
        for (rank, (chunk, score)) in (1..).zip(best.into_sorted()) {
            if let Some(scored) = self.entry(chunk, score) {
                scored.lexical_rank = Some(rank);
            }
        }
    }

    /// A definition of the requested name is a candidate however low its words score.
    fn add_defining(&mut self, names: &[(u64, f32)], query: &Query<'_>, scores: &[f32]) {
        const MAX_DEFINING: usize = 64;
        let lexical = self.lexical;
        for &(name, _) in names {
            let chunks = lexical
                .defining(name)
                .iter()
                .map(|chunk| ChunkId(chunk.to_native()));
            for chunk in chunks
                .filter(|&chunk| (query.keep)(chunk))
                .take(MAX_DEFINING)
            {
                self.entry(chunk, scores.get(chunk.index()).copied().unwrap_or(0.0));
            }
        }
    }

    /// The nearest chunks, with their places.
    fn add_near(&mut self, near: Vec<(ChunkId, f32)>, scores: &[f32]) {
        for (rank, (chunk, _)) in (1..).zip(near) {
            let score = scores.get(chunk.index()).copied().unwrap_or(0.0);
            if let Some(scored) = self.entry(chunk, score) {
                scored.vector_rank = Some(rank);
            }
        }
    }
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
    best.sort_unstable_by_key(|&(idx, _)| idx);
    for (idx, value) in best {
        hits[idx].signals[Signal::FileCoherence as usize] = value;
    }
}
