//! Groups of densely connected nodes: the Leiden algorithm (Traag, Waltman, van Eck 2019) for modularity.
//!
//! Each level moves nodes to the group that gains most, refines the groups into connected parts, and goes on with the
//! parts as nodes, until every group is one part. Groups are connected, so none is held together by a node that has
//! left. Weights are whole numbers and the order of visits depends on the keys only, so the same graph gives the same
//! groups on every machine, and a change in one place does not shuffle all others. Ties go to the group with the lowest
//! number; refinement takes the best part rather than a random good one.

use std::borrow::Cow;
use std::collections::VecDeque;

use super::network::{Network, Tally};

/// Seeds of the orders in which nodes are moved and refined. Any two different numbers give groups as good.
const MOVING: u64 = 1;
const REFINING: u64 = 2;
/// Maximum number of levels. On real graphs each level at least halves the number of nodes.
const MAX_LEVELS: usize = 32;

/// Group of each node, numbered from 0 in the order of their first nodes. `keys` identify nodes independently of their
/// numbers. `resolution` 1 is plain modularity; higher gives more and smaller groups. About O(edges) a level.
pub(super) fn leiden(network: &Network, keys: &[u64], resolution: f64) -> Vec<u32> {
    let mut node_of: Vec<u32> = (0..network.len() as u32).collect();
    let mut level = Cow::Borrowed(network);
    let mut groups: Vec<u32> = node_of.clone();
    let mut keys = keys.to_vec();
    for _ in 0..MAX_LEVELS {
        let mut state = State::new(&level, groups, resolution);
        state.move_nodes(&keys);
        let coarse = renumbered(&state.group_of);
        let parts = renumbered(&refine(&level, &coarse, &keys, resolution));
        let n_parts = count(&parts);
        for node in &mut node_of {
            *node = parts[*node as usize];
        }
        groups = vec![0; n_parts];
        for (part, group) in parts.iter().zip(&coarse) {
            groups[*part as usize] = *group;
        }
        // No nodes were merged: the next level would be the same.
        if n_parts == level.len() {
            break;
        }
        level = Cow::Owned(level.aggregate(&parts, n_parts));
        keys = least_keys(&keys, &parts, n_parts);
    }
    let found: Vec<u32> = node_of.iter().map(|node| groups[*node as usize]).collect();
    renumbered(&connected(network, &found))
}

/// The key of each part: the smallest key of its nodes.
fn least_keys(keys: &[u64], part_of: &[u32], n_parts: usize) -> Vec<u64> {
    let mut least = vec![u64::MAX; n_parts];
    for (key, part) in keys.iter().zip(part_of) {
        let known = &mut least[*part as usize];
        *known = (*known).min(*key);
    }
    least
}

/// The groups while nodes move between them.
struct State<'a> {
    network: &'a Network,
    group_of: Vec<u32>,
    /// Strength of all nodes of a group.
    totals: Vec<u64>,
    /// Resolution over twice the weight of the network.
    scale: f64,
    weights: Tally,
}

impl<'a> State<'a> {
    fn new(network: &'a Network, group_of: Vec<u32>, resolution: f64) -> Self {
        let mut totals = vec![0; network.len()];
        for (node, group) in group_of.iter().enumerate() {
            totals[*group as usize] += network.strengths[node];
        }
        State {
            network,
            group_of,
            totals,
            scale: scale(network, resolution),
            weights: Tally::new(network.len()),
        }
    }

    /// Moves nodes to the group that gains most until none gains. A node is looked at again when a neighbour has moved.
    fn move_nodes(&mut self, keys: &[u64]) {
        let mut queue: VecDeque<u32> = order(keys, MOVING).into();
        let mut is_queued = vec![true; self.network.len()];
        while let Some(node) = queue.pop_front() {
            is_queued[node as usize] = false;
            let from = self.group_of[node as usize];
            let to = self.best_group(node);
            if to == from {
                continue;
            }
            let strength = self.network.strength(node);
            self.totals[from as usize] -= strength;
            self.totals[to as usize] += strength;
            self.group_of[node as usize] = to;
            for (other, _) in self.network.neighbors(node) {
                if self.group_of[other as usize] != to && !is_queued[other as usize] {
                    is_queued[other as usize] = true;
                    queue.push_back(other);
                }
            }
        }
    }

    fn best_group(&mut self, node: u32) -> u32 {
        let from = self.group_of[node as usize];
        let strength = self.network.strength(node) as f64 * self.scale;
        self.weights.clear();
        for (other, weight) in self.network.neighbors(node) {
            self.weights.add(self.group_of[other as usize], weight);
        }
        let gain = |group: u32, weight: u64| {
            let own = if group == from {
                self.network.strength(node)
            } else {
                0
            };
            weight as f64 - strength * (self.totals[group as usize] - own) as f64
        };
        let mut best = (gain(from, self.weights.of(from)), from);
        for &group in &self.weights.touched {
            let gained = gain(group, self.weights.of(group));
            let is_better = gained > best.0 + f64::EPSILON
                || (best.1 != from && gained >= best.0 && group < best.1);
            if group != from && is_better {
                best = (gained, group);
            }
        }
        best.1
    }
}

/// Splits each group into parts that are connected and hold together: every node starts alone and may join the best
/// part of its group, if it and the part are well connected to the rest of the group.
fn refine(network: &Network, coarse: &[u32], keys: &[u64], resolution: f64) -> Vec<u32> {
    let n_nodes = network.len();
    let scale = scale(network, resolution);
    let mut group_totals = vec![0u64; n_nodes];
    for (node, group) in coarse.iter().enumerate() {
        group_totals[*group as usize] += network.strengths[node];
    }
    let mut part_of: Vec<u32> = (0..n_nodes as u32).collect();
    let mut part_totals = network.strengths.clone();
    let mut part_sizes = vec![1u32; n_nodes];
    // Weight of the edges from a part to the rest of its group.
    let mut outside: Vec<u64> = (0..n_nodes as u32)
        .map(|node| {
            network
                .neighbors(node)
                .filter(|(other, _)| coarse[*other as usize] == coarse[node as usize])
                .map(|(_, weight)| weight)
                .sum()
        })
        .collect();
    let mut weights = Tally::new(n_nodes);
    for node in order(keys, REFINING) {
        let group = coarse[node as usize];
        let total = group_totals[group as usize];
        let is_well_connected = |weight: u64, part_total: u64| {
            weight as f64 >= part_total as f64 * total.saturating_sub(part_total) as f64 * scale
        };
        let own = part_of[node as usize];
        let strength = network.strength(node);
        if own != node
            || part_sizes[own as usize] > 1
            || !is_well_connected(outside[own as usize], strength)
        {
            continue;
        }
        weights.clear();
        for (other, weight) in network.neighbors(node) {
            if coarse[other as usize] == group {
                weights.add(part_of[other as usize], weight);
            }
        }
        let mut best: Option<(f64, u32)> = None;
        for &part in &weights.touched {
            let part_total = part_totals[part as usize];
            if !is_well_connected(outside[part as usize], part_total) {
                continue;
            }
            let gained = weights.of(part) as f64 - strength as f64 * scale * part_total as f64;
            if gained >= 0.0
                && best
                    .is_none_or(|(most, known)| gained > most || (gained >= most && part < known))
            {
                best = Some((gained, part));
            }
        }
        if let Some((_, part)) = best {
            let shared = weights.of(part);
            let outside_both = outside[own as usize] + outside[part as usize] - 2 * shared;
            outside[part as usize] = outside_both;
            part_totals[part as usize] += strength;
            part_sizes[part as usize] += 1;
            part_sizes[own as usize] = 0;
            part_of[node as usize] = part;
        }
    }
    part_of
}

/// Splits groups that are not connected.
fn connected(network: &Network, group_of: &[u32]) -> Vec<u32> {
    let mut found = vec![u32::MAX; network.len()];
    let mut open = Vec::new();
    for start in 0..network.len() as u32 {
        if found[start as usize] != u32::MAX {
            continue;
        }
        found[start as usize] = start;
        open.push(start);
        while let Some(node) = open.pop() {
            for (other, _) in network.neighbors(node) {
                let is_new = found[other as usize] == u32::MAX;
                if is_new && group_of[other as usize] == group_of[start as usize] {
                    found[other as usize] = start;
                    open.push(other);
                }
            }
        }
    }
    found
}

fn scale(network: &Network, resolution: f64) -> f64 {
    let twice: u64 = network.strengths.iter().sum();
    resolution / twice.max(1) as f64
}

/// The same groups, numbered from 0 in the order of their first nodes.
fn renumbered(group_of: &[u32]) -> Vec<u32> {
    let most = group_of
        .iter()
        .copied()
        .max()
        .map_or(0, |most| most as usize + 1);
    let mut number = vec![u32::MAX; most];
    let mut next = 0;
    group_of
        .iter()
        .map(|group| {
            let number = &mut number[*group as usize];
            if *number == u32::MAX {
                *number = next;
                next += 1;
            }
            *number
        })
        .collect()
}

/// Number of groups that are numbered from 0 without gaps.
fn count(group_of: &[u32]) -> usize {
    group_of.iter().max().map_or(0, |most| *most as usize + 1)
}

/// The nodes in a pseudo-random order that depends on their keys only, not on the other nodes.
fn order(keys: &[u64], salt: u64) -> Vec<u32> {
    let mut order: Vec<(u64, u32)> = keys.iter().map(|key| mixed(key ^ salt)).zip(0..).collect();
    order.sort_unstable();
    order.into_iter().map(|(_, node)| node).collect()
}

/// The finalizer of SplitMix64 (Steele, Lea, Flood 2014): every bit depends on every bit.
pub(super) fn mixed(key: u64) -> u64 {
    let z = key.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn grouped(network: &Network) -> Vec<u32> {
        let keys: Vec<u64> = (0..network.len() as u64).collect();
        leiden(network, &keys, 1.0)
    }

    /// Weight inside of groups over all weight, less what chance would give (Newman and Girvan 2004).
    fn modularity(network: &Network, group_of: &[u32]) -> f64 {
        let twice = network.strengths.iter().sum::<u64>().max(1) as f64;
        let mut inside = 0.0;
        let mut totals = vec![0.0; network.len()];
        for node in 0..network.len() as u32 {
            totals[group_of[node as usize] as usize] += network.strength(node) as f64;
            inside += 2.0 * network.loops[node as usize] as f64;
            for (other, weight) in network.neighbors(node) {
                if group_of[other as usize] == group_of[node as usize] {
                    inside += weight as f64;
                }
            }
        }
        inside / twice
            - totals
                .iter()
                .map(|t| (t / twice) * (t / twice))
                .sum::<f64>()
    }

    /// `n_cliques` cliques of `size` nodes in a ring, joined by single edges.
    fn ring(n_cliques: u32, size: u32) -> Network {
        let clique = move |c: u32| {
            (0..size).flat_map(move |a| (a + 1..size).map(move |b| (c * size + a, c * size + b, 1)))
        };
        let bridges = (0..n_cliques).map(move |c| (c * size, (c + 1) % n_cliques * size + 1, 1));
        Network::new(
            (n_cliques * size) as usize,
            (0..n_cliques).flat_map(clique).chain(bridges),
        )
    }

    #[test]
    fn cliques_are_groups() {
        let groups = grouped(&ring(12, 6));
        let expected: Vec<u32> = (0..72).map(|node| node / 6).collect();
        assert_eq!(groups, expected);
    }

    #[test]
    fn zachary_karate_club() {
        // Zachary 1977; the best modularity known is 0.4198 (four groups).
        const EDGES: [(u32, &[u32]); 32] = [
            (1, &[2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 18, 20, 22, 32]),
            (2, &[3, 4, 8, 14, 18, 20, 22, 31]),
            (3, &[4, 8, 28, 29, 33, 10, 9, 14]),
            (4, &[8, 13, 14]),
            (5, &[7, 11]),
            (6, &[7, 11, 17]),
            (7, &[17]),
            (8, &[]),
            (9, &[31, 33, 34]),
            (10, &[34]),
            (11, &[]),
            (12, &[]),
            (13, &[]),
            (14, &[34]),
            (15, &[33, 34]),
            (16, &[33, 34]),
            (17, &[]),
            (18, &[]),
            (19, &[33, 34]),
            (20, &[34]),
            (21, &[33, 34]),
            (22, &[]),
            (23, &[33, 34]),
            (24, &[26, 28, 30, 33, 34]),
            (25, &[26, 28, 32]),
            (26, &[32]),
            (27, &[30, 34]),
            (28, &[34]),
            (29, &[32, 34]),
            (30, &[33, 34]),
            (31, &[33, 34]),
            (32, &[33, 34]),
        ];
        let edges = EDGES
            .iter()
            .flat_map(|(a, others)| others.iter().map(move |b| (a - 1, b - 1, 1)))
            .chain([(32, 33, 1)]);
        let network = Network::new(34, edges);
        let groups = grouped(&network);
        assert_eq!(count(&groups), 4);
        assert!(
            modularity(&network, &groups) > 0.415,
            "{}",
            modularity(&network, &groups)
        );
    }

    #[test]
    fn nothing_and_loners() {
        assert!(grouped(&Network::new(0, std::iter::empty())).is_empty());
        assert_eq!(grouped(&Network::new(3, std::iter::empty())), [0, 1, 2]);
        assert_eq!(grouped(&Network::new(2, [(0, 0, 5)].into_iter())), [0, 1]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]

        #[test]
        fn groups_are_connected_and_better_than_loners(
            edges in prop::collection::vec((0..40u32, 0..40u32, 1..200u64), 0..160),
        ) {
            let network = Network::new(40, edges.into_iter());
            let groups = grouped(&network);
            prop_assert_eq!(&groups, &grouped(&network));
            prop_assert_eq!(&groups, &renumbered(&connected(&network, &groups)));
            let loners: Vec<u32> = (0..40).collect();
            prop_assert!(modularity(&network, &groups) >= modularity(&network, &loners) - 1e-9);
        }
    }
}
