//! petgraph's visit traits on the frozen graph: its algorithms run on an archive without a copy.
//!
//! ```
//! use petgraph::algo::tarjan_scc;
//! # let bytes = rkyv::to_bytes::<rkyv::rancor::Error>(&graph::GraphBuilder::new().build()).unwrap();
//! # let archive = rkyv::access::<graph::frozen::ArchivedGraph, rkyv::rancor::Error>(&bytes).unwrap();
//! let view = graph::GraphView(archive);
//! assert!(tarjan_scc(view).is_empty());
//! ```

use petgraph::visit::{
    Data, EdgeCount, EdgeRef, GraphBase, GraphProp, GraphRef, IntoEdgeReferences, IntoEdges,
    IntoEdgesDirected, IntoNeighbors, IntoNeighborsDirected, IntoNodeIdentifiers,
    IntoNodeReferences, NodeCompactIndexable, NodeCount, NodeIndexable, Visitable,
};
use petgraph::{Directed, Direction};

use crate::frozen::ArchivedGraph;
use crate::kinds::{EdgeKind, NodeId};
use crate::view::{Edge, GraphView};

/// Which nodes petgraph has seen: one bit a node.
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

/// An edge as petgraph sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EdgeReference(pub Edge);

impl EdgeRef for EdgeReference {
    type NodeId = NodeId;
    /// Two nodes may be related in several ways, but only once in each.
    type EdgeId = (NodeId, NodeId, EdgeKind);
    type Weight = EdgeKind;

    fn source(&self) -> NodeId {
        self.0.source
    }

    fn target(&self) -> NodeId {
        self.0.target
    }

    fn weight(&self) -> &EdgeKind {
        &self.0.kind
    }

    fn id(&self) -> Self::EdgeId {
        (self.0.source, self.0.target, self.0.kind)
    }
}

impl GraphBase for GraphView<'_> {
    type NodeId = NodeId;
    type EdgeId = (NodeId, NodeId, EdgeKind);
}

impl GraphRef for GraphView<'_> {}

impl Data for GraphView<'_> {
    type NodeWeight = u8;
    type EdgeWeight = EdgeKind;
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

/// Boxed, since the iterators of the view have no names; petgraph asks once a node.
type Neighbors<'a> = Box<dyn Iterator<Item = NodeId> + 'a>;
type EdgeReferences<'a> = Box<dyn Iterator<Item = EdgeReference> + 'a>;

impl<'a> IntoNeighbors for GraphView<'a> {
    type Neighbors = Neighbors<'a>;

    fn neighbors(self, node: NodeId) -> Neighbors<'a> {
        Box::new(self.out(node).map(|edge| edge.target))
    }
}

impl<'a> IntoNeighborsDirected for GraphView<'a> {
    type NeighborsDirected = Neighbors<'a>;

    fn neighbors_directed(self, node: NodeId, direction: Direction) -> Neighbors<'a> {
        match direction {
            Direction::Outgoing => self.neighbors(node),
            Direction::Incoming => Box::new(self.in_(node).map(|edge| edge.source)),
        }
    }
}

impl<'a> IntoEdgeReferences for GraphView<'a> {
    type EdgeRef = EdgeReference;
    type EdgeReferences = EdgeReferences<'a>;

    fn edge_references(self) -> EdgeReferences<'a> {
        Box::new(self.edges().map(EdgeReference))
    }
}

impl<'a> IntoEdges for GraphView<'a> {
    type Edges = EdgeReferences<'a>;

    fn edges(self, node: NodeId) -> EdgeReferences<'a> {
        Box::new(self.out(node).map(EdgeReference))
    }
}

impl<'a> IntoEdgesDirected for GraphView<'a> {
    type EdgesDirected = EdgeReferences<'a>;

    fn edges_directed(self, node: NodeId, direction: Direction) -> EdgeReferences<'a> {
        match direction {
            Direction::Outgoing => IntoEdges::edges(self, node),
            Direction::Incoming => Box::new(self.in_(node).map(EdgeReference)),
        }
    }
}

impl<'a> IntoNodeIdentifiers for GraphView<'a> {
    type NodeIdentifiers = Box<dyn Iterator<Item = NodeId> + 'a>;

    fn node_identifiers(self) -> Self::NodeIdentifiers {
        Box::new((0..self.n_nodes() as u32).map(NodeId))
    }
}

impl<'a> IntoNodeReferences for GraphView<'a> {
    type NodeRef = (NodeId, &'a u8);
    type NodeReferences = Box<dyn Iterator<Item = (NodeId, &'a u8)> + 'a>;

    fn node_references(self) -> Self::NodeReferences {
        let archive: &'a ArchivedGraph = self.0;
        Box::new(
            archive
                .nodes
                .kind
                .iter()
                .enumerate()
                .map(|(index, kind)| (NodeId(index as u32), kind)),
        )
    }
}
