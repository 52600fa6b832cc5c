//! Chooses the layers that answer a query: by its intent, its words, and what the index has.

use graph::EdgeKind;
use search::{ChunkId, Intent, Plan, SearchConfig};

use crate::Reader;
use crate::ask::search::SearchQuery;
use crate::ask::subject::Subject;
use snapshot::SectionKind;

/// Maximum number of chunks that the graph adds.
const MAX_RELATED: usize = 64;

/// Where the hits of a query come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Layers {
    /// The graph: the subject of the query, its users and the definitions that it uses.
    Graph,
    /// Syntax: the definitions of the query's names.
    Ast,
    /// Words, and the names among them.
    Lexical,
    /// Meaning.
    Vector,
    /// Words and meaning, fused.
    Hybrid,
    /// Words, meaning, and what the graph leads to.
    All,
}

impl Layers {
    /// Whether the graph adds candidates.
    fn has_graph(self) -> bool {
        matches!(self, Layers::Graph | Layers::All)
    }

    /// Switches off all other layers.
    fn limit(self, config: &mut SearchConfig) {
        config.lexical &= matches!(self, Layers::Lexical | Layers::Hybrid | Layers::All);
        config.vector &= matches!(self, Layers::Vector | Layers::Hybrid | Layers::All);
        config.names &= self != Layers::Vector;
    }
}

/// The layers of a query, and why these.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchPlan {
    /// The layers.
    pub layers: Layers,
    /// The reason, as a sentence without capital and period.
    pub why: &'static str,
}

impl Reader {
    /// Chooses the layers, unless the query says which.
    pub(crate) fn search_plan(
        &self,
        query: &SearchQuery<'_>,
        plan: &Plan,
        subject: &Subject,
    ) -> SearchPlan {
        if let Some(layers) = query.layers {
            let why = "the request says so";
            return SearchPlan { layers, why };
        }
        let has_vectors = query.config.vector
            && query.vector.is_some()
            && self.snapshot().has(SectionKind::Vectors);
        let is_sure = plan.subject.as_ref().is_some_and(|asked| asked.is_sure);
        let (layers, why) = if !subject.users.is_empty() {
            (
                Layers::Graph,
                "it asks for uses of a name that the index has",
            )
        } else if plan.intent == Intent::Definition && is_sure && !subject.nodes.is_empty() {
            (
                Layers::Ast,
                "it asks for the definition of a name that the index has",
            )
        } else if !has_vectors {
            (Layers::Lexical, "there are no vectors to compare")
        } else if query.config.lexical && self.has_no_word(plan) {
            (Layers::Vector, "the index has none of its words")
        } else {
            (Layers::Hybrid, "it is answered by words and meaning")
        };
        SearchPlan { layers, why }
    }

    fn has_no_word(&self, plan: &Plan) -> bool {
        let view = self.view();
        let words = view.words();
        plan.identifiers.is_empty()
            && plan
                .terms
                .iter()
                .all(|term| words.document_frequency(term.hash) == 0)
    }

    /// The query with the layers of its plan, and the chunks that the graph adds.
    pub(crate) fn planned<'a>(
        &self,
        query: &SearchQuery<'a>,
        plan: SearchPlan,
        subject: &Subject,
    ) -> (SearchQuery<'a>, Vec<ChunkId>) {
        let mut query = query.clone();
        plan.layers.limit(&mut query.config);
        let related = if plan.layers.has_graph() {
            self.related_chunks(subject)
        } else {
            Vec::new()
        };
        (query, related)
    }

    /// The chunks of the definitions that a query is about, and of what uses them or is used by them. Where uses are asked
    /// for, these are known already.
    fn related_chunks(&self, subject: &Subject) -> Vec<ChunkId> {
        use EdgeKind::{Calls, Extends, Implements, References};
        let graph = self.graph();
        let mut chunks: Vec<ChunkId> = Vec::new();
        let nodes = &subject.nodes;
        let followed = if subject.are_uses { &[] } else { &nodes[..] };
        let edges = followed.iter().flat_map(|&node| {
            [Calls, References, Extends, Implements]
                .into_iter()
                .flat_map(move |kind| {
                    let used = graph.out_of_kind(node, kind).map(|edge| edge.target);
                    let users = graph.in_of_kind(node, kind).map(|edge| edge.source);
                    users.chain(used)
                })
        });
        for node in nodes.iter().copied().chain(edges).take(4 * MAX_RELATED) {
            let chunk = self.chunk_of_head(node);
            chunks.extend(chunk.filter(|chunk| !chunks.contains(chunk)));
            if chunks.len() == MAX_RELATED {
                break;
            }
        }
        chunks
    }
}
