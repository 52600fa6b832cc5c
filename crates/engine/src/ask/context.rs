//! Everything about one symbol at once: incoming and outgoing relations by kind, members and flows.

use std::cmp::Reverse;

use graph::{Direction, Edge, EdgeKind, NodeId, ProcessStep};
use rustc_hash::FxHashSet;

use crate::ask::candidates::{Chosen, is_member};
use crate::{Error, Reader};
use syntax::order::InOrder;

/// Which relations are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContextConfig {
    /// Minimum confidence in percent: relations below it are left out.
    pub min_confidence: u8,
    /// Whether relations with test code are listed.
    pub tests: bool,
}

/// A symbol with everything related to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Context {
    /// The symbol, and the other candidates of the selector.
    pub chosen: Chosen,
    /// The definition or file around it.
    pub container: Option<NodeId>,
    /// Definitions in it, in source order.
    pub members: Vec<NodeId>,
    /// Incoming relations by kind, in the order of [`RELATIONS`]; within a kind product code first, then examples and
    /// documents, then tests, each by confidence.
    pub incoming: Vec<Relations>,
    /// Outgoing relations, in the same order.
    pub outgoing: Vec<Relations>,
    /// The flows that it is a step of.
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

/// Kinds of relations that a context lists, in this order. Containment is listed as container and members.
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
    /// Returns everything about the symbol that `selector` matches; of several, the most likely. Linear in the symbol's
    /// relations.
    ///
    /// # Errors
    ///
    /// As [`Reader::select`].
    pub fn context(&self, selector: &str, config: &ContextConfig) -> Result<Context, Error> {
        let chosen = self.choose(selector)?;
        let (graph, symbol) = (self.graph(), chosen.symbol);
        let mut members: Vec<NodeId> = graph
            .out(symbol)
            .filter(|edge| is_member(edge.kind))
            .map(|edge| edge.target)
            .collect();
        members.order_by(Ord::cmp);
        members.dedup();
        Ok(Context {
            container: graph.parent(symbol),
            members,
            incoming: self.relations(self.edges_at(symbol, Direction::In), |e| e.source, config),
            outgoing: self.relations(self.edges_at(symbol, Direction::Out), |e| e.target, config),
            processes: self.flows_of(symbol),
            community: graph.community_of(symbol),
            chosen,
        })
    }

    /// The edges of a symbol; of a file or folder those that lead in or out, the surest one to each node outside.
    fn edges_at(&self, node: NodeId, direction: Direction) -> Vec<Edge> {
        let graph = self.graph();
        let of = |node: NodeId| -> Vec<Edge> {
            match direction {
                Direction::In => graph.in_(node).collect(),
                Direction::Out => graph.out(node).collect(),
            }
        };
        if self.is_symbol(node) {
            return of(node);
        }
        let other = |edge: &Edge| match direction {
            Direction::In => edge.source,
            Direction::Out => edge.target,
        };
        let inside: FxHashSet<NodeId> = self.with_members(node).into_iter().collect();
        let mut edges: Vec<Edge> = (self.with_members(node).into_iter())
            .flat_map(of)
            .filter(|edge| RELATIONS.contains(&edge.kind) && !inside.contains(&other(edge)))
            .collect();
        edges.order_by_key(|edge| (edge.kind, other(edge), Reverse(edge.confidence)));
        edges.dedup_by_key(|edge| (edge.kind, other(edge)));
        edges
    }

    /// The places of a symbol in flows; of flows that begin in tests only for test code.
    fn flows_of(&self, symbol: NodeId) -> Vec<ProcessStep> {
        let is_test = self.is_test(symbol);
        let steps = self.graph().processes_of(symbol);
        steps
            .filter(|step| is_test || !self.is_test_flow(step.process))
            .collect()
    }

    fn relations(
        &self,
        edges: Vec<Edge>,
        other: impl Fn(&Edge) -> NodeId,
        config: &ContextConfig,
    ) -> Vec<Relations> {
        // The distance from product code is computed once per edge.
        let mut kept: Vec<(u8, Edge)> = edges
            .into_iter()
            .filter(|edge| {
                RELATIONS.contains(&edge.kind) && edge.confidence >= config.min_confidence
            })
            .filter(|edge| config.tests || !self.is_test(other(edge)))
            .map(|edge| (self.distance_from_product(other(&edge)), edge))
            .collect();
        kept.order_by_key(|(distance, edge)| (*distance, Reverse(edge.confidence), other(edge)));
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
