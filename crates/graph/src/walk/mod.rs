//! Walks over the frozen graph: reachable nodes, paths, and cycles.
//!
//! Every walk takes a [`WalkConfig`]: direction, kinds of edges and nodes, minimum confidence, maximum depth and number
//! of nodes. Nodes that do not pass are neither shown nor walked through; the nodes where a walk starts always pass. No
//! walk is recursive, none is unbounded, and the same question always has the same answer: edges are followed in the
//! order of their kinds and the numbers of their nodes.

mod cycles;
mod paths;
mod reach;

use petgraph::visit::IntoEdgesDirected;
use syntax::facts::SymbolKind;

pub use cycles::{Cycle, Cycles};
pub use paths::{Path, Paths};
pub use reach::{Subgraph, Walk};

use crate::kinds::{EdgeKind, NodeId, NodeKind};
use crate::view::{Edge, GraphView};

/// Direction in which edges are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ways {
    /// From callers to callees.
    #[default]
    Out,
    /// From callees to callers.
    In,
    /// Both directions.
    Both,
}

/// Filters and bounds of a walk.
#[derive(Debug, Clone, PartialEq)]
pub struct WalkConfig {
    /// Direction in which edges are followed.
    pub ways: Ways,
    /// Kinds of edges that are followed; all if empty.
    pub edge_kinds: Vec<EdgeKind>,
    /// Kinds of nodes that are entered; all if this and the next are empty.
    pub node_kinds: Vec<NodeKind>,
    /// Kinds of definitions that are entered.
    pub symbol_kinds: Vec<SymbolKind>,
    /// Edges below this confidence (percent) are not followed.
    pub min_confidence: u8,
    /// Maximum number of steps from the start.
    pub max_depth: u32,
    /// Maximum number of nodes in the answer; a walk that would have more is cut and says so.
    pub max_nodes: usize,
}

impl Default for WalkConfig {
    /// All edges outwards, at most ten steps and ten thousand nodes.
    fn default() -> Self {
        WalkConfig {
            ways: Ways::Out,
            edge_kinds: Vec::new(),
            node_kinds: Vec::new(),
            symbol_kinds: Vec::new(),
            min_confidence: 0,
            max_depth: 10,
            max_nodes: 10_000,
        }
    }
}

impl WalkConfig {
    /// Calls, and edges from declarations to their implementations.
    #[must_use]
    pub fn calls() -> Self {
        WalkConfig {
            edge_kinds: vec![EdgeKind::Calls, EdgeKind::Dispatch],
            ..WalkConfig::default()
        }
    }

    /// Whether an edge is followed.
    #[must_use]
    pub fn follows(&self, edge: &Edge) -> bool {
        edge.confidence >= self.min_confidence
            && (self.edge_kinds.is_empty() || self.edge_kinds.contains(&edge.kind))
    }

    /// Whether a node is entered.
    #[must_use]
    pub fn enters(&self, view: GraphView<'_>, node: NodeId) -> bool {
        (self.node_kinds.is_empty() && self.symbol_kinds.is_empty())
            || self.node_kinds.contains(&view.kind(node))
            || view
                .symbol_kind(node)
                .is_some_and(|kind| self.symbol_kinds.contains(&kind))
    }

    /// The same, walked backwards.
    #[must_use]
    pub fn reversed(&self) -> Self {
        let ways = match self.ways {
            Ways::Out => Ways::In,
            Ways::In => Ways::Out,
            Ways::Both => Ways::Both,
        };
        WalkConfig {
            ways,
            ..self.clone()
        }
    }
}

/// The edges that are followed from a node, each with the node at its other end.
fn next<'a>(
    view: GraphView<'a>,
    config: &'a WalkConfig,
    node: NodeId,
) -> impl Iterator<Item = (Edge, NodeId)> + 'a {
    use petgraph::Direction::{Incoming, Outgoing};
    let ways: &[petgraph::Direction] = match config.ways {
        Ways::Out => &[Outgoing],
        Ways::In => &[Incoming],
        Ways::Both => &[Outgoing, Incoming],
    };
    ways.iter().flat_map(move |way| {
        view.edges_directed(node, *way)
            .map(|found| found.edge)
            .filter(|edge| config.follows(edge))
            .map(move |edge| match way {
                Outgoing => (edge, edge.target),
                Incoming => (edge, edge.source),
            })
            .filter(move |(_, other)| config.enters(view, *other))
    })
}
