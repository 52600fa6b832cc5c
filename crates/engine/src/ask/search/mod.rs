//! Search: takes words, a question or an identifier; returns chunks grouped by file.

pub(crate) mod chunk_filter;
mod in_shard;
pub(crate) mod layers;
mod own_plan;
mod plan;
mod shards;
mod show;

use graph::NodeId;
use search::{Candidates, ChunkId, ChunkMeta, Explanation, Intent, Ranked, Scored, SearchConfig};
use syntax::facts::SymbolKind;

use crate::ask::groups::groups;
use crate::ask::label::Labels;
use crate::ask::search::chunk_filter::ChunkConditions;
use crate::ask::search::layers::{Layers, SearchPlan};
use crate::filter::FileFilter;
use crate::{Error, ErrorKind, Reader};

pub(crate) use show::utf16_marks;
use show::{MAX_FOLDED, note};

/// A search request. The default has no text and a limit of 0.
#[derive(Debug, Clone, Default)]
pub struct SearchQuery<'a> {
    /// Words, a question, or an identifier.
    pub text: &'a str,
    /// The same text as a vector of the index's model; without it, only words are searched.
    pub vector: Option<&'a [f32]>,
    /// Maximum number of hits.
    pub limit: usize,
    /// Number of hits to skip first.
    pub offset: usize,
    /// Which files are searched.
    pub files: FileFilter,
    /// Only chunks that define one of these kinds; any chunk if empty.
    pub kinds: Vec<SymbolKind>,
    /// Further conditions on chunks.
    pub only: ChunkConditions,
    /// Least cosine to the vector of the query; without it no chunk is too far.
    pub min_similarity: Option<f32>,
    /// The layers that answer; chosen from the query if `None`.
    pub layers: Option<Layers>,
    /// Whether to explain where each score comes from.
    pub explain: bool,
    /// Whether to fold the further hits of a file under its best one.
    pub grouped: bool,
    /// How hits are ranked, and which layers are searched.
    pub config: SearchConfig,
}

/// The ranked hits.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchAnswer {
    /// The intent that the planner recognized.
    pub intent: Intent,
    /// The layers that were chosen, and why.
    pub plan: SearchPlan,
    /// Whether words were searched.
    pub by_words: bool,
    /// Whether vectors were searched.
    pub by_meaning: bool,
    /// Number of hits before limit and offset; number of files if hits are grouped. Translations of a document count once.
    pub total: usize,
    /// Best first.
    pub hits: Vec<Hit>,
    /// Something to tell the user before the hits.
    pub note: Option<SearchNote>,
}

/// Something to tell the user about an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SearchNote {
    /// Nothing has the name that the query is about, and no text contains it.
    Unknown {
        /// The name.
        name: String,
        /// Names written nearly like it, best first.
        similar: Vec<String>,
    },
    /// Nothing uses what the query is about.
    Unused {
        /// Its name.
        name: String,
    },
    /// Nothing was found.
    Nothing,
}

/// A chunk that matches.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// Its file and position.
    pub chunk: ChunkMeta,
    /// Higher is better.
    pub score: f32,
    /// The definition in it that matches, else the one it mainly consists of.
    pub symbol: Option<NodeId>,
    /// Its best lines, from the first line of a definition that was asked for by its name; empty where the snapshot holds no texts.
    pub snippet: Snippet,
    /// Whether little speaks for it: see [`Scored::is_guess`].
    pub is_guess: bool,
    /// Reasons why it was found, in one word each.
    pub why: Vec<&'static str>,
    /// Further hits of the same file, best first.
    pub more: Vec<FoldedHit>,
    /// Breakdown of the score, if requested.
    pub explanation: Option<Explanation>,
}

/// A further hit in the file of a better one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FoldedHit {
    /// Its file and position.
    pub chunk: ChunkMeta,
    /// As in [`Hit`].
    pub score: f32,
    /// As in [`Hit`].
    pub symbol: Option<NodeId>,
}

/// Some lines of a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Snippet {
    /// 0-based line in the file.
    pub start_line: u32,
    /// The text, without its last line break.
    pub text: String,
    /// Matches, as half-open ranges of UTF-16 code units of `text`, in order.
    pub marks: Vec<(u32, u32)>,
}

impl Reader {
    /// Returns the chunks that match, best first.
    ///
    /// # Errors
    ///
    /// `query.empty`; `query.unsupported` if only vectors were to be searched and the index or the query has none.
    pub fn search(&self, query: &SearchQuery<'_>) -> Result<SearchAnswer, Error> {
        let planned = self.plan_search(query)?;
        let (query, global, subject) = (&planned.query, &planned.global, &planned.subject);
        let by_meaning = self.check_search(query, planned.has_vectors)?;
        let ranked = ranked(&self.candidates_of(&planned)?, query);
        let groups = groups(&ranked, query.grouped, &|file| self.path(file));
        let labels = Labels::new(self, global, subject);
        let page = groups.iter().skip(query.offset).take(query.limit);
        let hits = page.filter_map(|group| {
            let group = group.iter().take(1 + MAX_FOLDED);
            let group: Vec<&Scored> = group.filter_map(|hit| ranked.hits.get(*hit)).collect();
            self.hit(query, global, &labels, &group)
        });
        Ok(SearchAnswer {
            hits: hits.collect(),
            intent: global.plan.intent,
            plan: planned.layers,
            by_words: query.config.lexical,
            by_meaning,
            total: groups.len(),
            note: note(&ranked, subject, &|| {
                self.has_name(&global.plan, planned.has_word)
            }),
        })
    }

    /// Checks that the query can be answered; returns whether vectors are searched.
    pub(crate) fn check_search(
        &self,
        query: &SearchQuery<'_>,
        has_vectors: bool,
    ) -> Result<bool, Error> {
        let by_meaning = check_query(query, has_vectors)?;
        // Of an index in shards, each shard checks them.
        if self.index().shards().is_none() {
            self.check_conditions(&query.only)?;
        }
        Ok(by_meaning)
    }

    /// Number of chunks.
    #[must_use]
    pub fn n_chunks(&self) -> usize {
        self.view().chunks().kinds.len()
    }

    /// Returns the file, bytes, lines and language of a chunk.
    #[must_use]
    pub fn chunk(&self, chunk: ChunkId) -> Option<ChunkMeta> {
        if self.index().shards().is_none() {
            return self.view().lexical().chunk(chunk);
        }
        let (view, own, file) = self.part_of_chunk(chunk)?;
        let meta = view.lexical().chunk(own)?;
        Some(ChunkMeta { file, ..meta })
    }

    /// Returns everything that all layers find for a query, with its signals, before ranking: for comparing ways of
    /// ranking.
    ///
    /// # Errors
    ///
    /// Where a shard cannot be read.
    pub fn candidates(&self, query: &SearchQuery<'_>) -> Result<Candidates, Error> {
        self.candidates_of(&self.plan_search(query)?)
    }
}

/// Checks a query; returns whether vectors are searched.
fn check_query(query: &SearchQuery<'_>, has_vectors: bool) -> Result<bool, Error> {
    if query.text.trim().is_empty() {
        return Err(Error::new(ErrorKind::QueryEmpty, "the query is empty"));
    }
    let by_meaning = query.config.vector && query.vector.is_some() && has_vectors;
    let needs_vectors = !query.config.names || query.min_similarity.is_some();
    if needs_vectors && !by_meaning {
        return Err(Error::new(
            ErrorKind::QueryUnsupported,
            "the index has no vectors to search by meaning",
        )
        .with_help("embed the index first, or search by words"));
    }
    Ok(by_meaning)
}

/// Ranks candidates, without those that the query leaves out.
fn ranked(candidates: &Candidates, query: &SearchQuery<'_>) -> Ranked {
    let mut ranked = candidates.rank(&query.config);
    if query.config.lexical {
        ranked.drop_unrelated();
    }
    ranked.drop_distant(query.min_similarity);
    ranked
}
