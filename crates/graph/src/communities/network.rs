//! The weighted graph in which communities are found.

/// An undirected graph with whole weights. Neighbours of node `n` are `links[offsets[n]..offsets[n + 1]]`.
#[derive(Debug, Clone, Default)]
pub(super) struct Network {
    offsets: Vec<u32>,
    links: Vec<Link>,
    /// Weight of a node with itself, counted once.
    pub loops: Vec<u64>,
    /// Weight of all edges of a node; a loop counts twice.
    pub strengths: Vec<u64>,
}

/// A neighbour of a node. Nodes are visited in no order of their numbers, so that a row is read at once.
#[derive(Debug, Clone, Copy, Default)]
struct Link {
    target: u32,
    /// Sums that are larger than its type are its largest value.
    weight: u32,
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
        network.links = vec![Link::default(); n_pairs];
        for (a, b, weight) in edges.filter(|(a, b, _)| a != b) {
            let weight = u32::try_from(weight).unwrap_or(u32::MAX);
            network.place(a, b, weight);
            network.place(b, a, weight);
        }
        network.offsets.truncate(n_nodes + 1);
        network.merge();
        network
    }

    /// Puts a neighbour at the next place of a node, of which `offsets` has the one after it while pairs are placed.
    fn place(&mut self, node: u32, target: u32, weight: u32) {
        let next = &mut self.offsets[node as usize + 1];
        self.links[*next as usize] = Link { target, weight };
        *next += 1;
    }

    /// Sorts the neighbours of each node, and adds up those that are the same.
    fn merge(&mut self) {
        let (mut start, mut end) = (0, 0);
        self.strengths = Vec::with_capacity(self.len());
        for node in 0..self.len() {
            let next = self.offsets[node + 1] as usize;
            self.links[start..next].sort_unstable_by_key(|link| link.target);
            let first = end;
            for place in start..next {
                let link = self.links[place];
                if end > first && self.links[end - 1].target == link.target {
                    let sum = &mut self.links[end - 1].weight;
                    *sum = sum.saturating_add(link.weight);
                } else {
                    self.links[end] = link;
                    end += 1;
                }
            }
            let weights = self.links[first..end]
                .iter()
                .map(|link| u64::from(link.weight));
            self.strengths
                .push(2 * self.loops[node] + weights.sum::<u64>());
            start = next;
            self.offsets[node + 1] = end as u32;
        }
        self.links.truncate(end);
        self.links.shrink_to_fit();
    }

    pub fn len(&self) -> usize {
        self.loops.len()
    }

    pub fn neighbors(&self, node: u32) -> impl Iterator<Item = (u32, u64)> + Clone + '_ {
        let range = self.offsets[node as usize] as usize..self.offsets[node as usize + 1] as usize;
        let row = self.links[range].iter();
        row.map(|link| (link.target, u64::from(link.weight)))
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
