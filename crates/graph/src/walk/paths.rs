//! Paths between nodes.

use std::collections::VecDeque;
use std::collections::hash_map::Entry;
use syntax::order::InOrder;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{WalkConfig, next};
use crate::kinds::NodeId;
use crate::view::{Edge, GraphView};

/// Maximum number of edges that a search for paths looks at: a dense subgraph has more paths than anybody reads.
const MAX_LOOKS: usize = 500_000;

/// A path: its nodes and the edges between them, in order. An edge that is walked against its direction keeps its
/// source and target.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Path {
    /// Nodes in order, one more than edges.
    pub nodes: Vec<NodeId>,
    /// The edges between them.
    pub edges: Vec<Edge>,
}

/// Paths, the shortest first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Paths {
    /// The paths; none of them visits a node twice.
    pub paths: Vec<Path>,
    /// Whether there may be more.
    pub is_cut: bool,
}

impl GraphView<'_> {
    /// Whether there is a path from one of `from` to one of `to`; a node leads to itself.
    #[must_use]
    pub fn has_path(self, from: &[NodeId], to: &[NodeId], config: &WalkConfig) -> bool {
        self.shortest_path(from, to, config).is_some()
    }

    /// A path with the fewest steps; of several the one whose edges come first. [`WalkConfig::max_nodes`] does not
    /// limit it, the depth does. O(nodes and edges within the depth).
    #[must_use]
    pub fn shortest_path(
        self,
        from: &[NodeId],
        to: &[NodeId],
        config: &WalkConfig,
    ) -> Option<Path> {
        let ends: FxHashSet<NodeId> = to.iter().copied().collect();
        let mut before: FxHashMap<NodeId, Option<(NodeId, Edge)>> = FxHashMap::default();
        let mut queue: VecDeque<(NodeId, u32)> = VecDeque::new();
        for &start in from {
            before.insert(start, None);
            queue.push_back((start, 0));
        }
        while let Some((node, depth)) = queue.pop_front() {
            if ends.contains(&node) {
                return Some(way_to(node, &before));
            }
            if depth >= config.max_depth {
                continue;
            }
            for (edge, other) in next(self, config, node) {
                if let Entry::Vacant(place) = before.entry(other) {
                    place.insert(Some((node, edge)));
                    queue.push_back((other, depth + 1));
                }
            }
        }
        None
    }

    /// The call chain from a to b: as [`GraphView::shortest_path`], over calls and their implementations.
    #[must_use]
    pub fn call_chain(self, from: &[NodeId], to: &[NodeId], max_depth: u32) -> Option<Path> {
        let config = WalkConfig {
            max_depth,
            ..WalkConfig::calls()
        };
        self.shortest_path(from, to, &config)
    }

    /// Up to `max_paths` paths, the shortest first. Only nodes from which an end is near enough are entered.
    #[must_use]
    pub fn find_paths(
        self,
        from: &[NodeId],
        to: &[NodeId],
        max_paths: usize,
        config: &WalkConfig,
    ) -> Paths {
        let mut search = PathSearch {
            view: self,
            config,
            distance: self.distances(to, config),
            max_paths,
            n_looks: 0,
            found: Paths::default(),
        };
        let least = from
            .iter()
            .filter_map(|node| search.distance.get(node))
            .min();
        let Some(&least) = least else {
            return search.found;
        };
        let mut starts = from.to_vec();
        starts.order_by(Ord::cmp);
        starts.dedup();
        for length in least..=config.max_depth {
            for &start in &starts {
                search.ways_of_length(start, length);
            }
            if search.found.is_cut {
                break;
            }
        }
        search.found
    }

    /// Number of steps from every node to the nearest of `ends`, within the depth.
    fn distances(self, ends: &[NodeId], config: &WalkConfig) -> FxHashMap<NodeId, u32> {
        let backwards = WalkConfig {
            // The starts, which need not pass the filters, are not known here; the search itself filters the nodes.
            node_kinds: Vec::new(),
            symbol_kinds: Vec::new(),
            max_nodes: usize::MAX,
            ..config.reversed()
        };
        let mut distance: FxHashMap<NodeId, u32> = ends.iter().map(|end| (*end, 0)).collect();
        for step in self.bfs(ends, &backwards).steps {
            distance.insert(step.node, step.depth);
        }
        distance
    }
}

fn way_to(end: NodeId, before: &FxHashMap<NodeId, Option<(NodeId, Edge)>>) -> Path {
    let mut path = Path {
        nodes: vec![end],
        edges: Vec::new(),
    };
    let mut node = end;
    while let Some(Some((previous, edge))) = before.get(&node) {
        path.nodes.push(*previous);
        path.edges.push(*edge);
        node = *previous;
    }
    path.nodes.reverse();
    path.edges.reverse();
    path
}

/// A search for paths of one length after another.
struct PathSearch<'a> {
    view: GraphView<'a>,
    config: &'a WalkConfig,
    distance: FxHashMap<NodeId, u32>,
    max_paths: usize,
    n_looks: usize,
    found: Paths,
}

impl PathSearch<'_> {
    /// Adds the paths with exactly `length` edges: depth first, where the end is not too far.
    fn ways_of_length(&mut self, start: NodeId, length: u32) {
        let is_near = |distance: Option<&u32>, left: u32| distance.is_some_and(|d| *d <= left);
        if !is_near(self.distance.get(&start), length) {
            return;
        }
        let mut path = Path {
            nodes: vec![start],
            edges: Vec::new(),
        };
        let mut open: Vec<Vec<(Edge, NodeId)>> = vec![self.ahead(start)];
        if length == 0 {
            self.add(path);
            return;
        }
        while let Some(rest) = open.last_mut() {
            let Some((edge, node)) = rest.pop() else {
                open.pop();
                path.nodes.pop();
                path.edges.pop();
                continue;
            };
            self.n_looks += 1;
            if self.found.is_cut || self.n_looks > MAX_LOOKS {
                self.found.is_cut = true;
                return;
            }
            let left = length - path.nodes.len() as u32;
            let distance = self.distance.get(&node);
            if !is_near(distance, left) || path.nodes.contains(&node) {
                continue;
            }
            if left == 0 {
                let mut found = path.clone();
                found.nodes.push(node);
                found.edges.push(edge);
                self.add(found);
            } else if distance != Some(&0) {
                // A path ends at the first end that it reaches.
                path.nodes.push(node);
                path.edges.push(edge);
                let ahead = self.ahead(node);
                self.n_looks += ahead.len();
                open.push(ahead);
            }
        }
    }

    fn add(&mut self, path: Path) {
        if self.found.paths.len() >= self.max_paths {
            self.found.is_cut = true;
        } else {
            self.found.paths.push(path);
        }
    }

    /// The next nodes after a node, the first edge last, since the caller pops. Of several edges to one node the first
    /// counts.
    fn ahead(&self, node: NodeId) -> Vec<(Edge, NodeId)> {
        let mut seen = FxHashSet::default();
        let mut ahead: Vec<(Edge, NodeId)> = next(self.view, self.config, node)
            .filter(|(_, other)| self.distance.contains_key(other) && seen.insert(*other))
            .collect();
        ahead.reverse();
        ahead
    }
}
