//! Reachable nodes: breadth first, depth first, as a set, as a subgraph.

use std::collections::VecDeque;
use syntax::order::InOrder;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{WalkConfig, next};
use crate::kinds::NodeId;
use crate::traverse::Step;
use crate::view::{Edge, GraphView};

/// Maximum number of edges that a depth-first walk looks at: it may visit a node once for each depth.
const MAX_LOOKS: usize = 20_000_000;

/// The nodes of a walk in the order in which they were reached.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Walk {
    /// Each node once; the starts are not among them.
    pub steps: Vec<Step>,
    /// Whether [`WalkConfig::max_nodes`] ended it.
    pub is_cut: bool,
}

/// A subgraph.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Subgraph {
    /// Its nodes, by number.
    pub nodes: Vec<NodeId>,
    /// All edges among these nodes that the configuration follows, by source, kind and target.
    pub edges: Vec<Edge>,
    /// Whether [`WalkConfig::max_nodes`] left nodes out.
    pub is_cut: bool,
}

impl GraphView<'_> {
    /// Walks breadth first from all starts at once. O(nodes and edges reached).
    #[must_use]
    pub fn bfs(self, starts: &[NodeId], config: &WalkConfig) -> Walk {
        let mut seen: FxHashSet<NodeId> = starts.iter().copied().collect();
        let mut queue: VecDeque<(NodeId, u32)> = starts.iter().map(|start| (*start, 0)).collect();
        let mut walk = Walk::default();
        while let Some((node, depth)) = queue.pop_front() {
            if depth >= config.max_depth {
                continue;
            }
            for (edge, other) in next(self, config, node) {
                if !seen.insert(other) {
                    continue;
                }
                if walk.steps.len() >= config.max_nodes {
                    walk.is_cut = true;
                    return walk;
                }
                walk.steps.push(Step {
                    node: other,
                    depth: depth + 1,
                    edge,
                });
                queue.push_back((other, depth + 1));
            }
        }
        walk
    }

    /// Walks depth first from each start in turn. A node comes where it is reached first, before the nodes reached from
    /// it. `depth` is the length of the path that was taken; a node too deep on that path may still be found on a
    /// shorter one. O(nodes and edges reached), times the depth at worst; after [`MAX_LOOKS`] it is cut.
    #[must_use]
    pub fn dfs(self, starts: &[NodeId], config: &WalkConfig) -> Walk {
        let is_start: FxHashSet<NodeId> = starts.iter().copied().collect();
        let mut depths: FxHashMap<NodeId, u32> = FxHashMap::default();
        let mut walk = Walk::default();
        let mut n_looks = 0;
        for &start in starts {
            let mut open = vec![(start, 0, None)];
            while let Some((node, depth, edge)) = open.pop() {
                if n_looks > MAX_LOOKS {
                    walk.is_cut = true;
                    return walk;
                }
                if let Some(edge) = edge {
                    match depths.get_mut(&node) {
                        // Reached before, but deeper: nodes behind it may be within the depth now.
                        Some(known) if *known > depth => *known = depth,
                        Some(_) => continue,
                        None if is_start.contains(&node) => continue,
                        None if walk.steps.len() >= config.max_nodes => {
                            walk.is_cut = true;
                            return walk;
                        }
                        None => {
                            depths.insert(node, depth);
                            walk.steps.push(Step { node, depth, edge });
                        }
                    }
                }
                if depth >= config.max_depth {
                    continue;
                }
                let first = open.len();
                for (edge, other) in next(self, config, node) {
                    n_looks += 1;
                    if depths.get(&other).is_none_or(|known| *known > depth + 1) {
                        open.push((other, depth + 1, Some(edge)));
                    }
                }
                // The first edge is followed first.
                if let Some(added) = open.get_mut(first..) {
                    added.reverse();
                }
            }
        }
        walk
    }

    /// Every reachable node, by number; the starts are not among them.
    #[must_use]
    pub fn reachable_nodes(self, starts: &[NodeId], config: &WalkConfig) -> Vec<NodeId> {
        let walk = self.bfs(starts, config);
        let mut nodes: Vec<NodeId> = walk.steps.iter().map(|step| step.node).collect();
        nodes.order_by(Ord::cmp);
        nodes
    }

    /// The starts, the nodes reachable from them, and the edges between.
    #[must_use]
    pub fn extract_subgraph(self, starts: &[NodeId], config: &WalkConfig) -> Subgraph {
        let walk = self.bfs(starts, config);
        let mut nodes: Vec<NodeId> = starts.to_vec();
        nodes.extend(walk.steps.iter().map(|step| step.node));
        nodes.order_by(Ord::cmp);
        nodes.dedup();
        let edges = nodes
            .iter()
            .flat_map(|node| self.out(*node))
            .filter(|edge| config.follows(edge) && nodes.binary_search(&edge.target).is_ok())
            .collect();
        Subgraph {
            nodes,
            edges,
            is_cut: walk.is_cut,
        }
    }
}
