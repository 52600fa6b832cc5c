//! Groups that are too small join the group to which most of their weight leads.
//!
//! The smallest goes first, so two small neighbours become one before either is swallowed by a large group. A group whose
//! members are bound to one another more than to any neighbour stays as it is; one symbol alone always joins.

use std::collections::{BTreeMap, BTreeSet};

use super::network::Network;

/// The group of each node after the groups of fewer than `least` nodes have joined their neighbours. About O(edges of small
/// groups).
pub(super) fn absorbed(network: &Network, mut groups: Vec<u32>, least: usize) -> Vec<u32> {
    let mut small = Small::new(network, &groups, least);
    while let Some((size, group)) = small.waiting.pop_first() {
        small.join(group, size, least);
    }
    for group in &mut groups {
        *group = small.joined(*group);
    }
    groups
}

/// The small groups while they join others.
struct Small {
    sizes: Vec<usize>,
    /// Weight between a small group and each of its neighbours; with itself twice the weight of its inner edges.
    weights: BTreeMap<u32, BTreeMap<u32, u64>>,
    /// Small groups by size.
    waiting: BTreeSet<(usize, u32)>,
    /// The group that a group has joined; itself if none.
    into: Vec<u32>,
}

impl Small {
    fn new(network: &Network, groups: &[u32], least: usize) -> Self {
        let n_groups = groups.iter().max().map_or(0, |most| *most + 1);
        let mut sizes = vec![0; n_groups as usize];
        for group in groups {
            sizes[*group as usize] += 1;
        }
        let mut small = Small {
            weights: BTreeMap::new(),
            waiting: (0..n_groups)
                .map(|group| (sizes[group as usize], group))
                .filter(|(size, _)| *size < least)
                .collect(),
            into: (0..n_groups).collect(),
            sizes,
        };
        for (node, group) in (0..).zip(groups) {
            if small.sizes[*group as usize] >= least {
                continue;
            }
            let row = small.weights.entry(*group).or_default();
            for (other, weight) in network.neighbors(node) {
                *row.entry(groups[other as usize]).or_default() += weight;
            }
        }
        small
    }

    /// Lets a group join the neighbour that it is bound to most, of equals the first.
    fn join(&mut self, group: u32, size: usize, least: usize) {
        let mut row = self.weights.remove(&group).unwrap_or_default();
        let inner = row.remove(&group).unwrap_or(0);
        let nearest = row
            .iter()
            .max_by_key(|(other, weight)| (**weight, std::cmp::Reverse(**other)));
        let Some((&nearest, &between)) = nearest.filter(|(_, weight)| **weight >= inner / 2) else {
            return;
        };
        self.into[group as usize] = nearest;
        for (other, weight) in row.into_iter().filter(|(other, _)| *other != nearest) {
            if let Some(row) = self.weights.get_mut(&nearest) {
                *row.entry(other).or_default() += weight;
            }
            if let Some(row) = self.weights.get_mut(&other) {
                row.remove(&group);
                *row.entry(nearest).or_default() += weight;
            }
        }
        if let Some(row) = self.weights.get_mut(&nearest) {
            row.remove(&group);
            *row.entry(nearest).or_default() += inner + 2 * between;
        }
        let before = self.sizes[nearest as usize];
        self.sizes[nearest as usize] = before + size;
        // A group that waits has a row of weights, and waits on with its new size if that is still too small.
        if self.waiting.remove(&(before, nearest)) && before + size < least {
            self.waiting.insert((before + size, nearest));
        }
    }

    fn joined(&self, mut group: u32) -> u32 {
        // A group joins once and only a group that has not joined yet, so this ends.
        while self.into[group as usize] != group {
            group = self.into[group as usize];
        }
        group
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(edges: &[(u32, u32, u64)], groups: &[u32], expected: &[u32]) {
        let network = Network::new(groups.len(), edges.iter().copied());
        assert_eq!(absorbed(&network, groups.to_vec(), 3), expected);
    }

    #[test]
    fn the_closest_neighbour_is_joined() {
        let edges = [
            (0, 3, 1),
            (0, 6, 2),
            (1, 2, 1),
            (3, 4, 1),
            (4, 5, 1),
            (6, 7, 1),
            (7, 8, 1),
        ];
        check(
            &edges,
            &[0, 1, 1, 2, 2, 2, 3, 3, 3],
            &[3, 1, 1, 2, 2, 2, 3, 3, 3],
        );
    }

    #[test]
    fn small_neighbours_become_one_group() {
        // Either pair is bound to the other more than to the large group.
        let edges = [
            (0, 1, 2),
            (2, 3, 2),
            (1, 2, 3),
            (3, 4, 1),
            (4, 5, 9),
            (5, 6, 9),
        ];
        check(&edges, &[0, 0, 1, 1, 2, 2, 2], &[1, 1, 1, 1, 2, 2, 2]);
    }

    #[test]
    fn weights_follow_what_has_joined() {
        // Two loners become a pair, which goes where both together are bound most.
        let edges = [(0, 1, 5), (0, 3, 4), (1, 3, 3), (1, 6, 3), (2, 6, 3)];
        let groups = [0, 1, 2, 3, 3, 3, 4, 4, 4];
        check(&edges, &groups, &[3, 3, 4, 3, 3, 3, 4, 4, 4]);
    }

    #[test]
    fn a_tight_group_stays() {
        let edges = [(0, 1, 9), (1, 2, 3), (2, 3, 9), (3, 4, 9)];
        check(&edges, &[0, 0, 1, 1, 1], &[0, 0, 1, 1, 1]);
    }
}
