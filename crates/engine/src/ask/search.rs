//! Search: takes words, a question or an identifier; returns chunks grouped by file.

use graph::NodeId;
use search::{
    Candidates, ChunkId, ChunkMeta, Explanation, Intent, Query, Ranked, Scored, SearchConfig,
    Signal, Signals,
};
use syntax::Language;
use syntax::facts::SymbolKind;

use crate::ask::chunk_filter::ChunkConditions;
use crate::ask::label::Labels;
use crate::ask::layers::{Layers, SearchPlan};
use crate::ask::subject::Subject;
use crate::filter::FileFilter;
use crate::position::utf16_len;
use crate::{Error, ErrorKind, Reader};
use snapshot::SectionKind;

/// Number of lines of a snippet.
const SNIPPET_LINES: usize = 6;
/// Maximum number of similarly written names considered.
const MAX_NEAR: usize = 8;
/// Maximum number of them in an answer.
const MAX_SIMILAR: usize = 3;
/// Maximum number of further hits of a file shown under its best one.
const MAX_FOLDED: usize = 5;

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
        self.needs_one_piece("search")?;
        let plan = search::plan(query.text);
        let subject = self.subject(&plan);
        let layers = self.search_plan(query, &plan, &subject);
        let (query, related) = self.planned(query, layers, &subject);
        let query = &query;
        let by_meaning = self.check_search(query)?;
        let candidates = self.candidates_for(query, &plan, &subject, &related);
        let mut ranked = candidates.rank(&query.config);
        if query.config.lexical {
            ranked.drop_unrelated();
        }
        ranked.drop_distant(query.min_similarity);
        let similar = self.similar_names(&ranked.plan, &subject);
        let labels = Labels::new(self, &ranked.plan, &subject, similar.clone());
        let groups = self.hit_groups(&ranked, query.grouped);
        let page = groups.iter().skip(query.offset).take(query.limit);
        Ok(SearchAnswer {
            intent: ranked.plan.intent,
            plan: layers,
            by_words: query.config.lexical,
            by_meaning,
            total: groups.len(),
            note: self.note(&ranked, &subject, &similar),
            hits: page
                .filter_map(|group| self.hit(query, &ranked, &labels, group))
                .collect(),
        })
    }

    /// Checks that the query can be answered; returns whether vectors are searched.
    pub(crate) fn check_search(&self, query: &SearchQuery<'_>) -> Result<bool, Error> {
        if query.text.trim().is_empty() {
            return Err(Error::new(ErrorKind::QueryEmpty, "the query is empty"));
        }
        let has_vectors = self.snapshot().has(SectionKind::Vectors);
        let by_meaning = query.config.vector && query.vector.is_some() && has_vectors;
        let needs_vectors = !query.config.names || query.min_similarity.is_some();
        self.check_conditions(&query.only)?;
        if needs_vectors && !by_meaning {
            return Err(Error::new(
                ErrorKind::QueryUnsupported,
                "the index has no vectors to search by meaning",
            )
            .with_help("embed the index first, or search by words"));
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
        self.view().lexical().chunk(chunk)
    }

    /// Returns everything that all layers find for a query, with its signals, before ranking: for comparing ways of
    /// ranking.
    #[must_use]
    pub fn candidates(&self, query: &SearchQuery<'_>) -> Candidates {
        let plan = search::plan(query.text);
        let subject = self.subject(&plan);
        let layers = self.search_plan(query, &plan, &subject);
        let (query, related) = self.planned(query, layers, &subject);
        self.candidates_for(&query, &plan, &subject, &related)
    }

    fn candidates_for(
        &self,
        query: &SearchQuery<'_>,
        plan: &search::Plan,
        subject: &Subject,
        related: &[ChunkId],
    ) -> Candidates {
        self.candidates_where(query, plan, subject, related, &self.chunk_filter(query))
    }

    /// The candidates of a query among the chunks that `keep` lets pass.
    pub(crate) fn candidates_where(
        &self,
        query: &SearchQuery<'_>,
        plan: &search::Plan,
        subject: &Subject,
        related: &[ChunkId],
        keep: &dyn Fn(ChunkId) -> bool,
    ) -> Candidates {
        let main = |chunk: ChunkId| self.view().chunks().symbols.get(chunk.index());
        let main = |chunk| main(chunk).map_or(NodeId(u32::MAX), |node| NodeId(node.to_native()));
        // Centrality falls off steeply (a power law); its square root spreads the middle over the range that weights
        // act on.
        let centrality = |chunk| self.graph().centrality(main(chunk)).max(0.0).sqrt();
        let cohesion = |chunk| {
            let graph = self.graph();
            let community = graph.community_of(main(chunk));
            let community = community.and_then(|community| graph.community(community));
            community.map_or(0.0, |community| community.cohesion.clamp(0.0, 1.0))
        };
        let asked_kinds = plan.subject.as_ref().map_or(0, |subject| subject.kinds);
        let wanted = if asked_kinds == 0 {
            search::TYPES
        } else {
            asked_kinds
        };
        let kinds = |chunk: ChunkId| self.view().chunks().kinds.get(chunk.index());
        let definition_intent = |chunk| {
            let is_wanted = kinds(chunk).is_some_and(|kinds| kinds.to_native() & wanted != 0);
            f32::from(u8::from(plan.intent == Intent::Definition && is_wanted))
        };
        let vectors = query.vector.and_then(|_| self.view().vectors());
        let near = |name: &str| self.view().names().near_names(name, MAX_NEAR);
        let asked = Query {
            text: query.text,
            plan: Some(plan),
            vector: query.vector,
            project: self.view().info().name.as_str(),
            near: Some(&near),
            signs: Some(self.sign_codes()),
            raise: subject.raise(),
            related,
            keep,
        };
        Candidates::gather(
            self.view().words(),
            vectors,
            &asked,
            &Signals {
                values: &[
                    (Signal::Centrality, &centrality),
                    (Signal::Cohesion, &cohesion),
                    (Signal::DefinitionIntent, &definition_intent),
                ],
            },
            &query.config,
        )
    }

    /// Names written nearly like the one that the query is about, best first, if nothing has that name.
    fn similar_names(&self, plan: &search::Plan, subject: &Subject) -> Vec<&str> {
        let Some(name) = plan.only_name().filter(|_| subject.nodes.is_empty()) else {
            return Vec::new();
        };
        let near = self.view().names().near_names(name, MAX_NEAR);
        near.into_iter().map(|(name, _)| name).collect()
    }

    /// Tells that a name is unknown or unused, or that nothing was found.
    fn note(&self, ranked: &Ranked, subject: &Subject, similar: &[&str]) -> Option<SearchNote> {
        let plan = &ranked.plan;
        let name = plan.subject.as_ref().map(|subject| subject.name.as_str());
        let name = name.unwrap_or_default().to_owned();
        let similar = similar.iter().take(MAX_SIMILAR);
        if self.is_unknown(plan, subject) {
            let similar = similar.map(|name| (*name).to_owned()).collect();
            return Some(SearchNote::Unknown { name, similar });
        }
        if subject.are_uses && subject.users.is_empty() && !subject.nodes.is_empty() {
            return Some(SearchNote::Unused { name });
        }
        ranked.hits.is_empty().then_some(SearchNote::Nothing)
    }

    /// Whether nothing in the index has the name that the query is about, as a definition, as a file or as a word.
    fn is_unknown(&self, plan: &search::Plan, subject: &Subject) -> bool {
        let Some(name) = plan.only_name().filter(|_| subject.nodes.is_empty()) else {
            return false;
        };
        let is_file = plan.subject.as_ref().is_some_and(|asked| {
            let name = asked.name.as_str();
            name.contains('/') || Language::from_path(name, "") != Language::Text
        });
        let view = self.view();
        let words = view.words();
        let is_absent = |token: &String| words.document_frequency(search::term_hash(token)) == 0;
        let folded = search::folded_name_hash(name);
        !is_file
            && self.view().lexical().defining(folded).is_empty()
            && search::tokenize(name).first().is_some_and(is_absent)
    }

    fn hit(
        &self,
        query: &SearchQuery<'_>,
        ranked: &Ranked,
        labels: &Labels<'_>,
        group: &[usize],
    ) -> Option<Hit> {
        let (best, more) = group.split_first()?;
        let best = ranked.hits.get(*best)?;
        let chunk = self.view().lexical().chunk(best.chunk)?;
        let explanation = search::explain(self.view().words(), &ranked.plan, &query.config, best);
        let more = more
            .iter()
            .take(MAX_FOLDED)
            .filter_map(|hit| self.folded(ranked.hits.get(*hit)?, labels));
        let label = labels.of(best.chunk, has_name_terms(best));
        let head = label.symbol.filter(|_| label.is_named);
        let has_layer = query.config.lexical || query.config.vector;
        Some(Hit {
            chunk,
            score: best.score,
            symbol: label.symbol,
            snippet: self.snippet(chunk, ranked, head),
            is_guess: query.config.rerank && has_layer && best.is_guess(),
            why: explanation.reasons(),
            more: more.collect(),
            explanation: query.explain.then_some(explanation),
        })
    }

    fn folded(&self, hit: &Scored, labels: &Labels<'_>) -> Option<FoldedHit> {
        let chunk = self.view().lexical().chunk(hit.chunk)?;
        Some(FoldedHit {
            chunk,
            score: hit.score,
            symbol: labels.of(hit.chunk, has_name_terms(hit)).symbol,
        })
    }

    pub(crate) fn symbol_of(&self, chunk: ChunkId) -> Option<NodeId> {
        let node = self.view().chunks().symbols.get(chunk.index())?.to_native();
        Some(NodeId(node)).filter(|node| self.is_symbol(*node))
    }

    /// The best lines of a chunk; from the first line of `head` on, if the query names that definition.
    fn snippet(&self, chunk: ChunkMeta, ranked: &Ranked, head: Option<NodeId>) -> Snippet {
        let mut start = (chunk.start, chunk.start_line);
        let mut end = chunk.end;
        if let Some(node) = head.map(|head| self.graph().node(head)) {
            let (line, _) = self.line_at(chunk.file, node.span.start);
            start = (line.max(chunk.start), node.span.start_line);
            end = self.end_of_lines(chunk, start.0);
        }
        let text = self.piece(chunk.file, start.0, end);
        let best = search::snippet(text, &ranked.plan.terms, SNIPPET_LINES);
        let shown = text.get(best.start..best.end).unwrap_or_default();
        Snippet {
            start_line: start.1.saturating_add(best.start_line),
            text: shown.to_owned(),
            marks: utf16_marks(
                shown,
                best.marks
                    .iter()
                    .map(|(start, end)| (start - best.start, end - best.start)),
            ),
        }
    }

    /// The end of the lines of a snippet that starts at this byte of a chunk.
    fn end_of_lines(&self, chunk: ChunkMeta, start: u32) -> u32 {
        let text = self.piece(chunk.file, start, chunk.end);
        let lines = text.split_inclusive('\n').take(SNIPPET_LINES);
        start + lines.map(str::len).sum::<usize>() as u32
    }
}

/// Whether a name defined in the chunk contains a word of the query.
fn has_name_terms(hit: &Scored) -> bool {
    hit.signals[Signal::NameTerms as usize] > 0.0
}

/// Converts byte ranges of `text`, in order, to UTF-16 ranges. One pass over the text.
pub(crate) fn utf16_marks(
    text: &str,
    marks: impl Iterator<Item = (usize, usize)>,
) -> Vec<(u32, u32)> {
    let (mut at, mut units) = (0, 0);
    let mut units_to = |offset: usize| {
        units += utf16_len(text.get(at..offset).unwrap_or_default());
        at = offset;
        units
    };
    marks
        .map(|(start, end)| (units_to(start), units_to(end)))
        .collect()
}
