//! petgraph's visit traits on the frozen graph: its algorithms run on an archive, in place, without a copy.
//!
//! A view shows all edges. To see some of them, wrap it in petgraph's adaptors: `EdgeFiltered` for kinds or confidence,
//! `NodeFiltered` for kinds of nodes, `Reversed` for the other direction.
//!
//! ```
//! use petgraph::algo::tarjan_scc;
//! use petgraph::visit::EdgeFiltered;
//! # let bytes = rkyv::to_bytes::<rkyv::rancor::Error>(&portolan_graph::GraphBuilder::new().build(|_| portolan_graph::Resolution::default())).unwrap();
//! # let archive = rkyv::access::<portolan_graph::frozen::ArchivedGraph, rkyv::rancor::Error>(&bytes).unwrap();
//! let view = portolan_graph::GraphView::new(archive);
//! let calls = EdgeFiltered::from_fn(view, |call: portolan_graph::EdgeReference| call.edge.kind == portolan_graph::EdgeKind::Calls);
//! assert!(tarjan_scc(&calls).is_empty());
//! ```

use std::ops::Range;

use petgraph::data::DataMap;
use petgraph::visit::{
    Data, EdgeCount, EdgeIndexable, EdgeRef, GetAdjacencyMatrix, GraphBase, GraphProp, GraphRef,
    IntoEdgeReferences, IntoEdges, IntoEdgesDirected, IntoNeighbors, IntoNeighborsDirected,
    IntoNodeIdentifiers, IntoNodeReferences, NodeCompactIndexable, NodeCount, NodeIndexable,
    Visitable,
};
use petgraph::{Directed, Direction};

use crate::kinds::{EdgeKind, NodeId};
use crate::view::{Edge, Either, Form, GraphView, at, edge, row};

/// The nodes that petgraph has visited: one bit for each node.
#[derive(Debug, Clone, Default)]
pub struct VisitMap(Vec<u64>);

impl petgraph::visit::VisitMap<NodeId> for VisitMap {
    fn visit(&mut self, node: NodeId) -> bool {
        let (word, bit) = (node.index() / 64, 1u64 << (node.index() % 64));
        match self.0.get_mut(word) {
            Some(word) => {
                let new = *word & bit == 0;
                *word |= bit;
                new
            }
            None => false,
        }
    }

    fn is_visited(&self, node: &NodeId) -> bool {
        self.0
            .get(node.index() / 64)
            .is_some_and(|word| word & (1u64 << (node.index() % 64)) != 0)
    }

    fn unvisit(&mut self, node: NodeId) -> bool {
        let was = self.is_visited(&node);
        if let Some(word) = self.0.get_mut(node.index() / 64) {
            *word &= !(1u64 << (node.index() % 64));
        }
        was
    }
}

/// Number of an edge among all of a graph, in the order of their sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EdgeId(pub u32);

/// An edge as petgraph sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EdgeReference {
    /// Its number.
    pub id: EdgeId,
    /// The edge itself.
    pub edge: Edge,
}

impl EdgeRef for EdgeReference {
    type NodeId = NodeId;
    type EdgeId = EdgeId;
    type Weight = EdgeKind;

    fn source(&self) -> NodeId {
        self.edge.source
    }

    fn target(&self) -> NodeId {
        self.edge.target
    }

    fn weight(&self) -> &EdgeKind {
        &self.edge.kind
    }

    fn id(&self) -> EdgeId {
        self.id
    }
}

/// Iterator over the edges of one node, or over all edges.
#[derive(Clone)]
pub struct EdgeReferences<'a> {
    view: GraphView<'a>,
    /// The node whose edges these are.
    node: NodeId,
    direction: Direction,
    /// The edges of this node that are still to come.
    rest: Rest,
    /// One past the last node whose edges are iterated.
    end: u32,
}

/// Edges of a node: rows of one archive, or joined from those of parts.
type Rest = Either<Range<usize>, std::vec::IntoIter<Edge>>;

impl<'a> EdgeReferences<'a> {
    fn of(view: GraphView<'a>, node: NodeId, direction: Direction) -> Self {
        EdgeReferences {
            view,
            node,
            direction,
            rest: rest(view, node, direction),
            end: node.0,
        }
    }

    fn all(view: GraphView<'a>) -> Self {
        EdgeReferences {
            end: view.n_nodes() as u32,
            ..Self::of(view, NodeId(0), Direction::Outgoing)
        }
    }

    /// The next edge of this node.
    fn next_of_node(&mut self) -> Option<EdgeReference> {
        loop {
            let index = match &mut self.rest {
                Either::Whole(rows) => rows.next()?,
                Either::Parts(edges) => {
                    let id = EdgeId(u32::MAX);
                    return edges.next().map(|edge| EdgeReference { id, edge });
                }
            };
            if let Some(edge) = self.edge(index) {
                return Some(edge);
            }
        }
    }

    fn edge(&self, index: usize) -> Option<EdgeReference> {
        let graph = self.view.columns();
        let (source, index) = match self.direction {
            Direction::Outgoing => (self.node, index as u32),
            Direction::Incoming => {
                let source = graph.edges.in_sources.get(index)?.to_native();
                (NodeId(source), graph.edges.in_edges.get(index)?.to_native())
            }
        };
        Some(EdgeReference {
            id: EdgeId(index),
            edge: edge(graph, source, index as usize)?,
        })
    }
}

fn rest(view: GraphView<'_>, node: NodeId, direction: Direction) -> Rest {
    match (view.0, direction) {
        (Form::Whole(graph), Direction::Outgoing) => {
            Either::Whole(row(&graph.edges.out_offsets, node.index()))
        }
        (Form::Whole(graph), Direction::Incoming) => {
            Either::Whole(row(&graph.edges.in_offsets, node.index()))
        }
        (Form::Parts(joined), Direction::Outgoing) => Either::Parts(joined.out(node).into_iter()),
        (Form::Parts(joined), Direction::Incoming) => Either::Parts(joined.in_(node).into_iter()),
    }
}

impl Iterator for EdgeReferences<'_> {
    type Item = EdgeReference;

    fn next(&mut self) -> Option<EdgeReference> {
        loop {
            if let Some(edge) = self.next_of_node() {
                return Some(edge);
            }
            if self.node.0.saturating_add(1) >= self.end {
                return None;
            }
            self.node = NodeId(self.node.0 + 1);
            self.rest = rest(self.view, self.node, self.direction);
        }
    }
}

/// The other ends of a node's edges, once for each edge.
#[derive(Clone)]
pub struct Neighbors<'a>(EdgeReferences<'a>);

impl Iterator for Neighbors<'_> {
    type Item = NodeId;

    fn next(&mut self) -> Option<NodeId> {
        let edge = self.0.next()?.edge;
        Some(match self.0.direction {
            Direction::Outgoing => edge.target,
            Direction::Incoming => edge.source,
        })
    }
}

/// Every node with its kind as a byte.
#[derive(Clone)]
pub struct NodeReferences<'a> {
    view: GraphView<'a>,
    rest: Range<u32>,
}

impl<'a> Iterator for NodeReferences<'a> {
    type Item = (NodeId, &'a u8);

    fn next(&mut self) -> Option<Self::Item> {
        let node = self.rest.next()?;
        let (graph, index) = self.view.place(NodeId(node));
        Some((NodeId(node), graph.nodes.kind.get(index)?))
    }
}

/// Every node.
#[derive(Clone)]
pub struct NodeIdentifiers(Range<u32>);

impl Iterator for NodeIdentifiers {
    type Item = NodeId;

    fn next(&mut self) -> Option<NodeId> {
        self.0.next().map(NodeId)
    }
}

impl GraphBase for GraphView<'_> {
    type NodeId = NodeId;
    type EdgeId = EdgeId;
}

impl GraphRef for GraphView<'_> {}

impl Data for GraphView<'_> {
    /// [`crate::NodeKind`] as the byte in the archive.
    type NodeWeight = u8;
    type EdgeWeight = EdgeKind;
}

impl DataMap for GraphView<'_> {
    fn node_weight(&self, id: NodeId) -> Option<&u8> {
        let (graph, index) = self.place(id);
        graph.nodes.kind.get(index)
    }

    fn edge_weight(&self, id: EdgeId) -> Option<&EdgeKind> {
        let byte = self.columns().edges.kinds.get(id.0 as usize)?;
        EdgeKind::ALL.get(usize::from(*byte))
    }
}

impl GraphProp for GraphView<'_> {
    type EdgeType = Directed;
}

impl Visitable for GraphView<'_> {
    type Map = VisitMap;

    fn visit_map(&self) -> VisitMap {
        VisitMap(vec![0; self.n_nodes().div_ceil(64)])
    }

    fn reset_map(&self, map: &mut VisitMap) {
        *map = self.visit_map();
    }
}

impl NodeCount for GraphView<'_> {
    fn node_count(&self) -> usize {
        self.n_nodes()
    }
}

impl EdgeCount for GraphView<'_> {
    fn edge_count(&self) -> usize {
        self.n_edges()
    }
}

impl NodeIndexable for GraphView<'_> {
    fn node_bound(&self) -> usize {
        self.n_nodes()
    }

    fn to_index(&self, node: NodeId) -> usize {
        node.index()
    }

    fn from_index(&self, index: usize) -> NodeId {
        NodeId(index as u32)
    }
}

impl NodeCompactIndexable for GraphView<'_> {}

impl EdgeIndexable for GraphView<'_> {
    fn edge_bound(&self) -> usize {
        self.n_edges()
    }

    fn to_index(&self, edge: EdgeId) -> usize {
        edge.0 as usize
    }

    fn from_index(&self, index: usize) -> EdgeId {
        EdgeId(index as u32)
    }
}

/// Rows are sorted by kind and target, so that one look-up for each kind answers; there is no matrix in memory.
impl GetAdjacencyMatrix for GraphView<'_> {
    type AdjMatrix = ();

    fn adjacency_matrix(&self) {}

    fn is_adjacent(&self, _: &(), a: NodeId, b: NodeId) -> bool {
        let Form::Whole(graph) = self.0 else {
            return self.out(a).any(|edge| edge.target == b);
        };
        let edges = &graph.edges;
        let range = row(&edges.out_offsets, a.index());
        let mut start = range.start;
        while start < range.end {
            let Some(&kind) = edges.kinds.get(start) else {
                return false;
            };
            let kinds = edges.kinds.get(start..range.end).unwrap_or_default();
            let n_kind = kinds.partition_point(|other| *other <= kind).max(1);
            let targets = edges.targets.get(start..start + n_kind).unwrap_or_default();
            let found = targets.partition_point(|target| target.to_native() < b.0);
            if found < targets.len() && at(&edges.targets, start + found) == b.0 {
                return true;
            }
            start += n_kind;
        }
        false
    }
}

impl<'a> IntoNeighbors for GraphView<'a> {
    type Neighbors = Neighbors<'a>;

    fn neighbors(self, node: NodeId) -> Neighbors<'a> {
        self.neighbors_directed(node, Direction::Outgoing)
    }
}

impl<'a> IntoNeighborsDirected for GraphView<'a> {
    type NeighborsDirected = Neighbors<'a>;

    fn neighbors_directed(self, node: NodeId, direction: Direction) -> Neighbors<'a> {
        Neighbors(EdgeReferences::of(self, node, direction))
    }
}

impl<'a> IntoEdgeReferences for GraphView<'a> {
    type EdgeRef = EdgeReference;
    type EdgeReferences = EdgeReferences<'a>;

    fn edge_references(self) -> EdgeReferences<'a> {
        EdgeReferences::all(self)
    }
}

impl<'a> IntoEdges for GraphView<'a> {
    type Edges = EdgeReferences<'a>;

    fn edges(self, node: NodeId) -> EdgeReferences<'a> {
        self.edges_directed(node, Direction::Outgoing)
    }
}

impl<'a> IntoEdgesDirected for GraphView<'a> {
    type EdgesDirected = EdgeReferences<'a>;

    fn edges_directed(self, node: NodeId, direction: Direction) -> EdgeReferences<'a> {
        EdgeReferences::of(self, node, direction)
    }
}

impl IntoNodeIdentifiers for GraphView<'_> {
    type NodeIdentifiers = NodeIdentifiers;

    fn node_identifiers(self) -> NodeIdentifiers {
        NodeIdentifiers(0..self.n_nodes() as u32)
    }
}

impl<'a> IntoNodeReferences for GraphView<'a> {
    type NodeRef = (NodeId, &'a u8);
    type NodeReferences = NodeReferences<'a>;

    fn node_references(self) -> NodeReferences<'a> {
        NodeReferences {
            view: self,
            rest: 0..self.n_nodes() as u32,
        }
    }
}
