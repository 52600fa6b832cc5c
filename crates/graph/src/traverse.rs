//! Callers and callees of symbols, breadth first.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;

use crate::kinds::{EdgeKind, NodeId};
use crate::view::{Edge, GraphView};

/// Direction in which edges are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// From callers to callees.
    Out,
    /// From callees to callers.
    In,
}

/// Edges to follow, and the maximum depth.
#[derive(Debug, Clone)]
pub struct TraverseConfig {
    /// Direction in which edges are followed.
    pub direction: Direction,
    /// Kinds of edges that are followed.
    pub kinds: Vec<EdgeKind>,
    /// Maximum number of steps from the start.
    pub max_depth: u32,
    /// Edges below this confidence (percent) are not followed.
    pub min_confidence: u8,
}

/// A node that was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The node.
    pub node: NodeId,
    /// Steps from the nearest start, from 1.
    pub depth: u32,
    /// The edge by which it was reached first.
    pub edge: Edge,
}

impl Step {
    /// The node before it, one step nearer to the start.
    #[must_use]
    pub fn via(&self) -> NodeId {
        if self.node == self.edge.target {
            self.edge.source
        } else {
            self.edge.target
        }
    }
}

impl<'a> GraphView<'a> {
    /// Every node reached from `starts`, breadth first, each once. Within a depth, nodes come in the order of the nodes
    /// before them and of their edges, so that the answer is always the same. Starts are not among the steps.
    pub fn traverse(self, starts: &[NodeId], config: &TraverseConfig) -> Vec<Step> {
        let mut seen: FxHashSet<NodeId> = starts.iter().copied().collect();
        let mut queue: VecDeque<(NodeId, u32)> = starts.iter().map(|&start| (start, 0)).collect();
        let mut steps = Vec::new();
        while let Some((node, depth)) = queue.pop_front() {
            if depth >= config.max_depth {
                continue;
            }
            let mut visit = |edge: Edge, next: NodeId| {
                let wanted =
                    config.kinds.contains(&edge.kind) && edge.confidence >= config.min_confidence;
                if wanted && seen.insert(next) {
                    steps.push(Step {
                        node: next,
                        depth: depth + 1,
                        edge,
                    });
                    queue.push_back((next, depth + 1));
                }
            };
            match config.direction {
                Direction::Out => self.out(node).for_each(|edge| visit(edge, edge.target)),
                Direction::In => self.in_(node).for_each(|edge| visit(edge, edge.source)),
            }
        }
        steps
    }

    /// Callers of these nodes, up to `depth` steps away, over edges of at least `min_confidence` percent.
    pub fn callers(self, of: &[NodeId], depth: u32, min_confidence: u8) -> Vec<Step> {
        self.traverse(of, &calls(Direction::In, depth, min_confidence))
    }

    /// Callees of these nodes, up to `depth` steps away, over edges of at least `min_confidence` percent.
    pub fn callees(self, of: &[NodeId], depth: u32, min_confidence: u8) -> Vec<Step> {
        self.traverse(of, &calls(Direction::Out, depth, min_confidence))
    }
}

fn calls(direction: Direction, max_depth: u32, min_confidence: u8) -> TraverseConfig {
    TraverseConfig {
        direction,
        kinds: vec![EdgeKind::Calls],
        max_depth,
        min_confidence,
    }
}
