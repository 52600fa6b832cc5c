//! Shows ranked chunks: their labels, their best lines, why they were found, and a note before them.

use graph::NodeId;
use search::{ChunkId, ChunkMeta, Explanation, GlobalPlan, Plan, Ranked, Scored, Signal};

use super::{FoldedHit, Hit, SearchNote, SearchQuery, Snippet};
use crate::Reader;
use crate::ask::label::Labels;
use crate::ask::subject::Subject;
use crate::position::utf16_len;

/// Number of lines of a snippet.
const SNIPPET_LINES: usize = 6;
/// Maximum number of similarly written names in an answer.
const MAX_SIMILAR: usize = 3;
/// Maximum number of further hits of a file shown under its best one.
pub(super) const MAX_FOLDED: usize = 5;

/// Tells that a name is unknown or unused, or that nothing was found.
pub(super) fn note(
    ranked: &Ranked,
    subject: &Subject,
    has_name: &dyn Fn() -> bool,
) -> Option<SearchNote> {
    let plan = &ranked.global.plan;
    let name = plan.subject.as_ref().map(|subject| subject.name.as_str());
    let name = name.unwrap_or_default().to_owned();
    let has_nodes = !subject.nodes.is_empty();
    if !has_nodes && !has_name() {
        let similar = subject.similar(&ranked.global).take(MAX_SIMILAR);
        let similar = similar.map(str::to_owned).collect();
        return Some(SearchNote::Unknown { name, similar });
    }
    if subject.are_uses && subject.users.is_empty() && has_nodes {
        return Some(SearchNote::Unused { name });
    }
    ranked.hits.is_empty().then_some(SearchNote::Nothing)
}

impl Reader {
    /// Shows the hits of a file, the best first.
    pub(super) fn hit(
        &self,
        query: &SearchQuery<'_>,
        global: &GlobalPlan,
        labels: &Labels<'_>,
        group: &[&Scored],
    ) -> Option<Hit> {
        let (best, more) = group.split_first()?;
        let chunk = self.chunk(best.chunk)?;
        let explanation = self.explained(query, global, best)?;
        let more = more.iter().filter_map(|hit| self.folded(hit, labels));
        let label = labels.of(best.chunk, has_name_terms(best));
        let head = label.symbol.filter(|_| label.is_named);
        let has_layer = query.config.lexical || query.config.vector;
        Some(Hit {
            chunk,
            score: best.score,
            symbol: label.symbol,
            snippet: self.snippet(chunk, &global.plan, head),
            is_guess: query.config.rerank && has_layer && best.is_guess(),
            why: explanation.reasons(),
            more: more.collect(),
            explanation: query.explain.then_some(explanation),
        })
    }

    fn folded(&self, hit: &Scored, labels: &Labels<'_>) -> Option<FoldedHit> {
        let chunk = self.chunk(hit.chunk)?;
        Some(FoldedHit {
            chunk,
            score: hit.score,
            symbol: labels.of(hit.chunk, has_name_terms(hit)).symbol,
        })
    }

    fn explained(
        &self,
        query: &SearchQuery<'_>,
        global: &GlobalPlan,
        hit: &Scored,
    ) -> Option<Explanation> {
        if self.index().shards().is_none() {
            let view = self.view();
            return Some(search::explain(view.words(), global, &query.config, hit));
        }
        self.explained_in_shard(query, global, hit)
    }

    pub(crate) fn symbol_of(&self, chunk: ChunkId) -> Option<NodeId> {
        self.main_symbol(chunk).filter(|node| self.is_symbol(*node))
    }

    /// The best lines of a chunk; from the first line of `head` on, if the query names that definition.
    fn snippet(&self, chunk: ChunkMeta, plan: &Plan, head: Option<NodeId>) -> Snippet {
        let mut start = (chunk.start, chunk.start_line);
        let mut end = chunk.end;
        if let Some(node) = head.map(|head| self.graph().node(head)) {
            let (line, _) = self.line_at(chunk.file, node.span.start);
            start = (line.max(chunk.start), node.span.start_line);
            end = self.end_of_lines(chunk, start.0);
        }
        let text = self.piece(chunk.file, start.0, end);
        let best = search::snippet(text, &plan.terms, SNIPPET_LINES);
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
