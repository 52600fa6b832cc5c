//! The weighted graph in which communities are found.

use crate::rows::Rows;

/// An undirected graph with whole weights. Neighbours of node `n` are `targets[offsets[n]..offsets[n + 1]]`.
#[derive(Debug, Clone, Default)]
pub(super) struct Network {
    offsets: Vec<u32>,
    targets: Vec<u32>,
    weights: Vec<u64>,
    /// Weight of a node with itself, counted once.
    pub loops: Vec<u64>,
    /// Weight of all edges of a node; a loop counts twice.
    pub strengths: Vec<u64>,
}

impl Network {
    /// The network of edges between nodes below `n_nodes`; edges of the same nodes add up.
    pub fn new(n_nodes: usize, edges: impl Iterator<Item = (u32, u32, u64)>) -> Self {
        let mut pairs: Vec<(u32, u32, u64)> = Vec::new();
        let mut loops = vec![0; n_nodes];
        for (a, b, weight) in edges {
            if a == b {
                loops[a as usize] += weight;
            } else {
                pairs.push((a, b, weight));
                pairs.push((b, a, weight));
            }
        }
        let mut rows = Rows::new(n_nodes, &pairs, |(a, _, _)| *a);
        rows.sort_each_by_key(|(_, b, _)| *b);
        let mut pairs = rows.into_entries();
        pairs.dedup_by(|next, kept| {
            let same = (next.0, next.1) == (kept.0, kept.1);
            if same {
                kept.2 += next.2;
            }
            same
        });
        let mut network = Network {
            offsets: vec![0; n_nodes + 1],
            strengths: loops.iter().map(|weight| 2 * weight).collect(),
            loops,
            ..Network::default()
        };
        for (a, b, weight) in pairs {
            network.offsets[a as usize + 1] += 1;
            network.targets.push(b);
            network.weights.push(weight);
            network.strengths[a as usize] += weight;
        }
        for node in 0..n_nodes {
            network.offsets[node + 1] += network.offsets[node];
        }
        network
    }

    pub fn len(&self) -> usize {
        self.loops.len()
    }

    pub fn neighbors(&self, node: u32) -> impl Iterator<Item = (u32, u64)> + '_ {
        let range = self.offsets[node as usize] as usize..self.offsets[node as usize + 1] as usize;
        let weights = &self.weights[range.clone()];
        self.targets[range]
            .iter()
            .copied()
            .zip(weights.iter().copied())
    }

    pub fn strength(&self, node: u32) -> u64 {
        self.strengths[node as usize]
    }

    /// The network whose nodes are the groups of this one.
    pub fn aggregate(&self, group_of: &[u32], n_groups: usize) -> Network {
        let mut between = Vec::new();
        for node in 0..self.len() as u32 {
            let group = group_of[node as usize];
            if self.loops[node as usize] > 0 {
                between.push((group, group, self.loops[node as usize]));
            }
            for (other, weight) in self.neighbors(node).filter(|(other, _)| *other > node) {
                between.push((group, group_of[other as usize], weight));
            }
        }
        Network::new(n_groups, between.into_iter())
    }
}

/// Sums by group; clearing takes as long as adding.
pub(super) struct Tally {
    sums: Vec<u64>,
    pub touched: Vec<u32>,
}

impl Tally {
    pub fn new(n_groups: usize) -> Self {
        Tally {
            sums: vec![0; n_groups],
            touched: Vec::new(),
        }
    }

    pub fn add(&mut self, group: u32, weight: u64) {
        let sum = &mut self.sums[group as usize];
        if *sum == 0 {
            self.touched.push(group);
        }
        *sum += weight;
    }

    pub fn of(&self, group: u32) -> u64 {
        self.sums[group as usize]
    }

    pub fn clear(&mut self) {
        for group in self.touched.drain(..) {
            self.sums[group as usize] = 0;
        }
    }
}
