//! Chooses the layers that answer a query: by its intent, its words, and what the index has.

use graph::EdgeKind;
use search::{ChunkId, GlobalPlan, Intent, SearchConfig};

use crate::Reader;
use crate::ask::search::SearchQuery;
use crate::ask::subject::Subject;

/// Maximum number of chunks that the graph adds.
pub(crate) const MAX_RELATED: usize = 64;

/// Where the hits of a query come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
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
    #[default]
    Hybrid,
    /// Words, meaning, and what the graph leads to.
    All,
}

impl Layers {
    /// Whether the graph adds candidates.
    pub(crate) fn has_graph(self) -> bool {
        matches!(self, Layers::Graph | Layers::All)
    }

    /// Switches off all other layers.
    pub(crate) fn limit(self, config: &mut SearchConfig) {
        config.lexical &= matches!(self, Layers::Lexical | Layers::Hybrid | Layers::All);
        config.vector &= matches!(self, Layers::Vector | Layers::Hybrid | Layers::All);
        config.names &= self != Layers::Vector;
    }
}

/// The layers of a query, and why these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SearchPlan {
    /// The layers.
    pub layers: Layers,
    /// The reason, as a sentence without capital and period.
    pub why: &'static str,
}

/// A search as the choice of layers sees it: the query, and what all shards have of its subject.
pub(crate) struct LayerChoice<'a> {
    pub(crate) query: &'a SearchQuery<'a>,
    pub(crate) global: &'a GlobalPlan,
    pub(crate) has_vectors: bool,
    /// Whether the index has definitions of the subject, and uses of it that are asked for.
    pub(crate) has_nodes: bool,
    pub(crate) has_users: bool,
}

impl LayerChoice<'_> {
    /// Chooses the layers, unless the query says which.
    pub(crate) fn plan(&self) -> SearchPlan {
        let (query, plan) = (self.query, &self.global.plan);
        if let Some(layers) = query.layers {
            let why = "the request says so";
            return SearchPlan { layers, why };
        }
        let has_vectors = query.config.vector && query.vector.is_some() && self.has_vectors;
        let is_sure = plan.subject.as_ref().is_some_and(|asked| asked.is_sure);
        let (layers, why) = if self.has_users {
            (
                Layers::Graph,
                "it asks for uses of a name that the index has",
            )
        } else if plan.intent == Intent::Definition && is_sure && self.has_nodes {
            (
                Layers::Ast,
                "it asks for the definition of a name that the index has",
            )
        } else if !has_vectors {
            (Layers::Lexical, "there are no vectors to compare")
        } else if query.config.lexical && self.has_no_word() {
            (Layers::Vector, "the index has none of its words")
        } else {
            (Layers::Hybrid, "it is answered by words and meaning")
        };
        SearchPlan { layers, why }
    }

    fn has_no_word(&self) -> bool {
        let frequencies = &self.global.statistics.frequencies;
        self.global.plan.identifiers.is_empty() && frequencies.iter().all(|n| *n == 0)
    }
}

impl Reader {
    /// The chunks of the definitions that a query is about, and of what uses them or is used by them. Where uses are asked
    /// for, these are known already.
    pub(crate) fn related_chunks(&self, subject: &Subject) -> Vec<ChunkId> {
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
