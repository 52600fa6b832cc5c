//! Large groups in parts: modularity sees no group that is small beside the whole network (Fortunato and Barthélemy 2007), so in a
//! large repository subjects that share little end in one group.

use super::leiden::leiden;
use super::network::Network;

/// A group of more nodes is looked at for groups within it: a module of a large repository has fewer definitions.
const MANY: usize = 300;
/// Few parts: at 1 a large repository has twice as many communities, which are details of its modules.
const RESOLUTION: f64 = 0.3;

/// Finds the groups within each group of more than [`MANY`] nodes, once. Linear in the edges of these groups a level of Leiden, times the
/// logarithm of their nodes.
pub(super) fn split_large(network: &Network, keys: &[u64], mut groups: Vec<u32>) -> Vec<u32> {
    let n_groups = groups.iter().max().map_or(0, |most| *most + 1);
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); n_groups as usize];
    for (node, group) in (0..).zip(&groups) {
        members[*group as usize].push(node);
    }
    let mut next = n_groups;
    for members in members.iter().filter(|members| members.len() > MANY) {
        let found = within(network, keys, members);
        for (node, part) in members.iter().zip(&found) {
            groups[*node as usize] = next + part;
        }
        next += found.iter().max().map_or(0, |most| *most + 1);
    }
    groups
}

/// The groups of some nodes, in ascending order, by the edges between them.
fn within(network: &Network, keys: &[u64], members: &[u32]) -> Vec<u32> {
    let own = |node: u32| members.binary_search(&node).ok().map(|own| own as u32);
    let edges = (0..).zip(members).flat_map(|(number, node)| {
        let neighbors = network.neighbors(*node).filter(|(other, _)| other > node);
        neighbors.filter_map(move |(other, weight)| Some((number, own(other)?, weight)))
    });
    let keys: Vec<u64> = members.iter().map(|node| keys[*node as usize]).collect();
    leiden(&Network::new(members.len(), edges), &keys, RESOLUTION)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pairs of bound nodes: cliques of five, each bound to the next one.
    fn cliques(n: u32) -> Network {
        let inner = (0..n).flat_map(|clique| {
            let nodes = 5 * clique..5 * clique + 5;
            nodes
                .clone()
                .flat_map(move |a| (a + 1..5 * clique + 5).map(move |b| (a, b, 1)))
        });
        let between = (0..n - 1).map(|clique| (5 * clique + 4, 5 * clique + 5, 1));
        Network::new(5 * n as usize, inner.chain(between))
    }

    fn split(n_cliques: u32) -> Vec<u32> {
        let n = 5 * u64::from(n_cliques);
        let keys: Vec<u64> = (0..n).collect();
        split_large(&cliques(n_cliques), &keys, vec![0; n as usize])
    }

    #[test]
    fn a_large_group_falls_into_the_groups_within_it_and_a_small_one_stays() {
        let groups = split(70);
        assert!(groups.iter().max().unwrap() > &3, "{groups:?}");
        for clique in groups.chunks(5) {
            assert!(clique.iter().all(|group| group == &clique[0]), "{groups:?}");
        }
        assert_eq!(split(60), vec![0; 300]);
    }
}
