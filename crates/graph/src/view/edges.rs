//! Edges of nodes, by source and by target.

use super::{GraphView, at, row};
use crate::kinds::{EdgeKind, NodeId, Reason};

/// A relation between two nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    /// The node where it starts.
    pub source: NodeId,
    /// The node where it ends.
    pub target: NodeId,
    /// How they are related.
    pub kind: EdgeKind,
    /// Percent.
    pub confidence: u8,
    /// The rule that made it.
    pub reason: Reason,
    /// 0-based line of the first use, in the file of the source; of `STEP_IN_PROCESS` the step.
    pub line: u32,
}

impl Edge {
    /// The symbol's position in the process, from 1; only for `STEP_IN_PROCESS`.
    #[must_use]
    pub fn step(&self) -> Option<u32> {
        (self.kind == EdgeKind::StepInProcess).then_some(self.line)
    }
}

impl<'a> GraphView<'a> {
    /// Edges that start at a node, sorted by kind and target.
    pub fn out(self, id: NodeId) -> impl Iterator<Item = Edge> + use<'a> {
        row(&self.0.edges.out_offsets, id.index()).filter_map(move |index| self.edge(id, index))
    }

    /// Edges that end at a node, sorted by source, then kind.
    pub fn in_(self, id: NodeId) -> impl Iterator<Item = Edge> + use<'a> {
        row(&self.0.edges.in_offsets, id.index()).filter_map(move |index| {
            let source = NodeId(self.0.edges.in_sources.get(index)?.to_native());
            self.edge(
                source,
                self.0.edges.in_edges.get(index)?.to_native() as usize,
            )
        })
    }

    /// The edges of one kind that end at a node, by source. Linear in the edges of the node, a byte each, plus those of
    /// the kind.
    pub fn in_of_kind(self, id: NodeId, kind: EdgeKind) -> impl Iterator<Item = Edge> + use<'a> {
        self.in_rows(id, kind).filter_map(move |index| {
            let source = NodeId(self.0.edges.in_sources.get(index)?.to_native());
            self.edge(source, at(&self.0.edges.in_edges, index) as usize)
        })
    }

    /// Number of edges of one kind that end at a node.
    #[must_use]
    pub fn n_in_of_kind(self, id: NodeId, kind: EdgeKind) -> usize {
        self.in_rows(id, kind).count()
    }

    fn in_rows(self, id: NodeId, kind: EdgeKind) -> impl Iterator<Item = usize> + use<'a> {
        let edges = &self.0.edges;
        row(&edges.in_offsets, id.index()).filter(move |index| {
            let edge = edges.in_edges.get(*index).map(|edge| edge.to_native());
            edge.and_then(|edge| edges.kinds.get(edge as usize)) == Some(&(kind as u8))
        })
    }

    /// Every edge, by source.
    pub fn edges(self) -> impl Iterator<Item = Edge> + use<'a> {
        (0..self.n_nodes() as u32).flat_map(move |source| self.out(NodeId(source)))
    }

    pub(crate) fn edge(self, source: NodeId, index: usize) -> Option<Edge> {
        let edges = &self.0.edges;
        Some(Edge {
            source,
            target: NodeId(edges.targets.get(index)?.to_native()),
            kind: EdgeKind::from_byte(*edges.kinds.get(index)?)?,
            confidence: *edges.confidences.get(index)?,
            reason: Reason::from_byte(*edges.reasons.get(index)?)?,
            line: at(&edges.lines, index),
        })
    }
}
