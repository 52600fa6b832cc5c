//! Everything about one symbol at once: what leads to it, what it leads to, by kind of relation; its members, its flows.

use std::cmp::Reverse;

use graph::{Edge, EdgeKind, NodeId, ProcessStep};

use crate::ask::candidates::Chosen;
use crate::order::InOrder;
use crate::{Error, Reader};

/// Which relations are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContextConfig {
    /// Relations below this percentage are left out.
    pub min_confidence: u8,
    /// Whether test code is among what is related.
    pub tests: bool,
}

/// A symbol seen from all sides.
#[derive(Debug, Clone, PartialEq)]
pub struct Context {
    /// The symbol, and what else the selector may mean.
    pub chosen: Chosen,
    /// The definition or file around it.
    pub container: Option<NodeId>,
    /// What is defined in it, in source order.
    pub members: Vec<NodeId>,
    /// By kind, in the order of [`RELATIONS`]; each with product code first, the surest first.
    pub incoming: Vec<Relations>,
    /// As above.
    pub outgoing: Vec<Relations>,
    /// The flows it is a step of.
    pub processes: Vec<ProcessStep>,
    /// The community it belongs to.
    pub community: Option<NodeId>,
}

/// The relations of one kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relations {
    /// The kind.
    pub kind: EdgeKind,
    /// The relations.
    pub edges: Vec<Edge>,
}

/// Kinds of relations that a context tells, in this order. What contains what is told as container and members.
pub const RELATIONS: [EdgeKind; 7] = [
    EdgeKind::Calls,
    EdgeKind::References,
    EdgeKind::Imports,
    EdgeKind::Extends,
    EdgeKind::Implements,
    EdgeKind::Dispatch,
    EdgeKind::Aliases,
];

impl Reader {
    /// What is known of the symbol that `selector` stands for; of the likeliest, where it stands for several. Linear in the
    /// symbol's relations.
    ///
    /// # Errors
    ///
    /// As [`Reader::select`].
    pub fn context(&self, selector: &str, config: &ContextConfig) -> Result<Context, Error> {
        let chosen = self.choose(selector)?;
        let (graph, symbol) = (self.graph(), chosen.symbol);
        let mut members: Vec<NodeId> = graph
            .out(symbol)
            .filter(|edge| matches!(edge.kind, EdgeKind::Defines | EdgeKind::HasMethod))
            .map(|edge| edge.target)
            .collect();
        members.sort_unstable();
        members.dedup();
        Ok(Context {
            container: graph.parent(symbol),
            members,
            incoming: self.relations(graph.in_(symbol), |edge| edge.source, config),
            outgoing: self.relations(graph.out(symbol), |edge| edge.target, config),
            processes: graph.processes_of(symbol).collect(),
            community: graph.community_of(symbol),
            chosen,
        })
    }

    fn relations(
        &self,
        edges: impl Iterator<Item = Edge>,
        other: impl Fn(&Edge) -> NodeId,
        config: &ContextConfig,
    ) -> Vec<Relations> {
        // (is it a test, its edge): tests go last, and asking twice would cost twice.
        let mut kept: Vec<(bool, Edge)> = edges
            .filter(|edge| {
                RELATIONS.contains(&edge.kind) && edge.confidence >= config.min_confidence
            })
            .map(|edge| (self.is_test(other(&edge)), edge))
            .filter(|(is_test, _)| config.tests || !is_test)
            .collect();
        kept.order_by_key(|(is_test, edge)| (*is_test, Reverse(edge.confidence), other(edge)));
        let of_kind = |kind: EdgeKind| {
            let edges = kept.iter().filter(|(_, edge)| edge.kind == kind);
            Relations {
                kind,
                edges: edges.map(|(_, edge)| *edge).collect(),
            }
        };
        let groups = RELATIONS.into_iter().map(of_kind);
        groups.filter(|group| !group.edges.is_empty()).collect()
    }
}
