//! Edges of nodes, by source and by target.

use super::{Either, Form, GraphView, at, row};
use crate::frozen::ArchivedGraph;
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
        match self.0 {
            Form::Whole(graph) => {
                let rows = row(&graph.edges.out_offsets, id.index());
                Either::Whole(rows.filter_map(move |index| edge(graph, id, index)))
            }
            Form::Parts(joined) => Either::Parts(joined.out(id).into_iter()),
        }
    }

    /// Edges that end at a node, sorted by source, then kind.
    pub fn in_(self, id: NodeId) -> impl Iterator<Item = Edge> + use<'a> {
        match self.0 {
            Form::Whole(graph) => {
                let rows = row(&graph.edges.in_offsets, id.index());
                Either::Whole(rows.filter_map(move |index| edge_in(graph, index)))
            }
            Form::Parts(joined) => Either::Parts(joined.in_(id).into_iter()),
        }
    }

    /// The edges of one kind that end at a node, by source. Linear in the edges of the node, a byte each, plus those of
    /// the kind.
    pub fn in_of_kind(self, id: NodeId, kind: EdgeKind) -> impl Iterator<Item = Edge> + use<'a> {
        match self.0 {
            Form::Whole(graph) => {
                let rows = in_rows(graph, id, kind);
                Either::Whole(rows.filter_map(move |index| edge_in(graph, index)))
            }
            Form::Parts(joined) => {
                let edges = joined.in_(id).into_iter();
                Either::Parts(edges.filter(move |edge| edge.kind == kind))
            }
        }
    }

    /// Number of edges of one kind that end at a node.
    #[must_use]
    pub fn n_in_of_kind(self, id: NodeId, kind: EdgeKind) -> usize {
        match self.0 {
            Form::Whole(graph) => in_rows(graph, id, kind).count(),
            Form::Parts(_) => self.in_of_kind(id, kind).count(),
        }
    }

    /// The edges of one kind that start at a node. Logarithmic in the edges of the node, plus those of the kind.
    pub fn out_of_kind(self, id: NodeId, kind: EdgeKind) -> impl Iterator<Item = Edge> + use<'a> {
        match self.0 {
            Form::Whole(graph) => {
                let rows = out_rows(graph, id, kind);
                Either::Whole(rows.filter_map(move |index| edge(graph, id, index)))
            }
            Form::Parts(joined) => {
                let edges = joined.out(id).into_iter();
                Either::Parts(edges.filter(move |edge| edge.kind == kind))
            }
        }
    }

    /// Every edge, by source.
    pub fn edges(self) -> impl Iterator<Item = Edge> + use<'a> {
        (0..self.n_nodes() as u32).flat_map(move |source| self.out(NodeId(source)))
    }
}

pub(crate) fn edge(graph: &ArchivedGraph, source: NodeId, index: usize) -> Option<Edge> {
    let edges = &graph.edges;
    Some(Edge {
        source,
        target: NodeId(edges.targets.get(index)?.to_native()),
        kind: EdgeKind::from_byte(*edges.kinds.get(index)?)?,
        confidence: *edges.confidences.get(index)?,
        reason: Reason::from_byte(*edges.reasons.get(index)?)?,
        line: at(&edges.lines, index),
    })
}

/// The edge in a row by target.
pub(crate) fn edge_in(graph: &ArchivedGraph, index: usize) -> Option<Edge> {
    let source = NodeId(graph.edges.in_sources.get(index)?.to_native());
    let number = graph.edges.in_edges.get(index)?.to_native();
    edge(graph, source, number as usize)
}

fn in_rows(
    graph: &ArchivedGraph,
    id: NodeId,
    kind: EdgeKind,
) -> impl Iterator<Item = usize> + use<'_> {
    let edges = &graph.edges;
    row(&edges.in_offsets, id.index()).filter(move |index| {
        let edge = edges.in_edges.get(*index).map(|edge| edge.to_native());
        edge.and_then(|edge| edges.kinds.get(edge as usize)) == Some(&(kind as u8))
    })
}

fn out_rows(graph: &ArchivedGraph, id: NodeId, kind: EdgeKind) -> std::ops::Range<usize> {
    let range = row(&graph.edges.out_offsets, id.index());
    let kinds = graph.edges.kinds.get(range.clone()).unwrap_or_default();
    let first = kinds.partition_point(|other| *other < kind as u8);
    let n_kind = kinds
        .get(first..)
        .unwrap_or_default()
        .partition_point(|other| *other == kind as u8);
    let start = range.start + first;
    start..start + n_kind
}
