//! Cycles: groups of nodes each of which leads to all others (strongly connected components, by petgraph), with the
//! shortest cycle of each.

use std::collections::VecDeque;
use syntax::order::InOrder;

use petgraph::algo::kosaraju_scc;
use petgraph::visit::{EdgeFiltered, NodeFiltered};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Path, WalkConfig, Ways, next};
use crate::kinds::{EdgeKind, NodeId};
use crate::view::{Edge, GraphView};
use crate::visit::EdgeReference;

/// Nodes that lead to one another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cycle {
    /// All of them, by number.
    pub nodes: Vec<NodeId>,
    /// The shortest cycle through the first of them that is on one; it ends where it starts.
    pub path: Path,
}

/// Cycles, the largest groups first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Cycles {
    /// The cycles, at most as many as requested.
    pub cycles: Vec<Cycle>,
    /// Number of all cycles.
    pub total: usize,
}

impl GraphView<'_> {
    /// The cycles among the nodes reachable from `starts`, or in the whole graph if there are no starts. A node with an
    /// edge to itself is a cycle. Depth and number of nodes limit only the nodes that are reached. Edges are followed
    /// outwards, whatever [`WalkConfig::ways`] says: a cycle is the same in both directions. O(nodes and edges).
    #[must_use]
    pub fn detect_cycles(
        self,
        starts: &[NodeId],
        max_cycles: usize,
        config: &WalkConfig,
    ) -> Cycles {
        let config = &WalkConfig {
            ways: Ways::Out,
            ..config.clone()
        };
        let within: Option<FxHashSet<NodeId>> = (!starts.is_empty()).then(|| {
            let reached = self.bfs(starts, config).steps;
            let nodes = reached.iter().map(|step| step.node);
            starts.iter().copied().chain(nodes).collect()
        });
        let is_within = |node: NodeId| {
            config.enters(self, node) && within.as_ref().is_none_or(|within| within.contains(&node))
        };
        let edges = EdgeFiltered::from_fn(self, |found: EdgeReference| config.follows(&found.edge));
        // Kosaraju's search keeps its own stack; Tarjan's in petgraph is recursive.
        let components = kosaraju_scc(&NodeFiltered::from_fn(&edges, is_within));
        let mut groups: Vec<Vec<NodeId>> = components
            .into_iter()
            .filter(|group| group.len() > 1 || group.iter().any(|node| self.is_loop(*node, config)))
            .collect();
        for group in &mut groups {
            group.order_by(Ord::cmp);
        }
        groups.order_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        let total = groups.len();
        let cycles = groups
            .into_iter()
            .take(max_cycles)
            .map(|nodes| Cycle {
                path: self.circle(&nodes, config),
                nodes,
            })
            .collect();
        Cycles { cycles, total }
    }

    fn is_loop(self, node: NodeId, config: &WalkConfig) -> bool {
        let kinds = EdgeKind::ALL.iter().copied();
        kinds
            .flat_map(|kind| self.out_of_kind(node, kind))
            .any(|edge| edge.target == node && config.follows(&edge))
    }

    /// The shortest path from the first node of a group back to it, within the group.
    fn circle(self, group: &[NodeId], config: &WalkConfig) -> Path {
        let Some(&first) = group.first() else {
            return Path::default();
        };
        let mut before: FxHashMap<NodeId, (NodeId, Edge)> = FxHashMap::default();
        let mut queue = VecDeque::from([first]);
        'search: while let Some(node) = queue.pop_front() {
            for (edge, other) in next(self, config, node) {
                if group.binary_search(&other).is_ok() && !before.contains_key(&other) {
                    before.insert(other, (node, edge));
                    if other == first {
                        break 'search;
                    }
                    queue.push_back(other);
                }
            }
        }
        let mut path = Path {
            nodes: vec![first],
            edges: Vec::new(),
        };
        let mut node = first;
        while let Some(&(previous, edge)) = before.get(&node) {
            path.nodes.push(previous);
            path.edges.push(edge);
            node = previous;
            if node == first {
                break;
            }
        }
        path.nodes.reverse();
        path.edges.reverse();
        path
    }
}
