//! The weighted graph in which communities are found.

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
    pub fn new(n_nodes: usize, edges: impl Iterator<Item = (u32, u32, u64)> + Clone) -> Self {
        let mut network = Network {
            offsets: vec![0; n_nodes + 2],
            loops: vec![0; n_nodes],
            ..Network::default()
        };
        // Of large repositories all pairs at once take more memory than anything else, so they are counted, then placed.
        for (a, b, weight) in edges.clone() {
            if a == b {
                network.loops[a as usize] += weight;
            } else {
                network.offsets[a as usize + 2] += 1;
                network.offsets[b as usize + 2] += 1;
            }
        }
        for node in 2..network.offsets.len() {
            network.offsets[node] += network.offsets[node - 1];
        }
        let n_pairs = network.offsets[n_nodes + 1] as usize;
        network.targets = vec![0; n_pairs];
        network.weights = vec![0; n_pairs];
        for (a, b, weight) in edges.filter(|(a, b, _)| a != b) {
            network.place(a, b, weight);
            network.place(b, a, weight);
        }
        network.offsets.truncate(n_nodes + 1);
        network.merge();
        network
    }

    /// Puts a neighbour at the next place of a node, of which `offsets` has the one after it while pairs are placed.
    fn place(&mut self, node: u32, neighbor: u32, weight: u64) {
        let next = &mut self.offsets[node as usize + 1];
        self.targets[*next as usize] = neighbor;
        self.weights[*next as usize] = weight;
        *next += 1;
    }

    /// Sorts the neighbours of each node, and adds up those that are the same.
    fn merge(&mut self) {
        let mut row: Vec<(u32, u64)> = Vec::new();
        let (mut start, mut end) = (0, 0);
        self.strengths = Vec::with_capacity(self.len());
        for node in 0..self.len() {
            let next = self.offsets[node + 1] as usize;
            let targets = self.targets[start..next].iter().copied();
            row.clear();
            row.extend(targets.zip(self.weights[start..next].iter().copied()));
            row.sort_unstable_by_key(|(target, _)| *target);
            let first = end;
            for &(target, weight) in &row {
                if end > first && self.targets[end - 1] == target {
                    self.weights[end - 1] += weight;
                } else {
                    self.targets[end] = target;
                    self.weights[end] = weight;
                    end += 1;
                }
            }
            let strength: u64 = row.iter().map(|(_, weight)| weight).sum();
            self.strengths.push(2 * self.loops[node] + strength);
            start = next;
            self.offsets[node + 1] = end as u32;
        }
        self.targets.truncate(end);
        self.weights.truncate(end);
        self.targets.shrink_to_fit();
        self.weights.shrink_to_fit();
    }

    pub fn len(&self) -> usize {
        self.loops.len()
    }

    pub fn neighbors(&self, node: u32) -> impl Iterator<Item = (u32, u64)> + Clone + '_ {
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
        let between = (0..self.len() as u32).flat_map(|node| {
            let group = group_of[node as usize];
            let inner = std::iter::once((group, group, self.loops[node as usize]));
            let outer = self.neighbors(node).filter(move |(other, _)| *other > node);
            inner.chain(outer.map(move |(other, weight)| (group, group_of[other as usize], weight)))
        });
        Network::new(n_groups, between)
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
