//! Importance of nodes: PageRank (Brin and Page 1998) over calls, references and imports.

use crate::frozen::Edges;
use crate::kinds::EdgeKind;

/// Probability that the walker follows an edge rather than starting again at a random node.
const DAMPING: f32 = 0.85;
/// Enough for three correct digits at this damping (0.85^30 < 0.01).
const N_ROUNDS: usize = 30;

/// One value for each node, scaled so that the highest is 1; all 0 where there are no such edges. O(rounds × edges).
pub(crate) fn centrality(edges: &Edges, n_nodes: usize) -> Vec<f32> {
    // A list of them would take as much memory as all edges.
    let links = || links(edges, n_nodes);
    if n_nodes == 0 || links().all(|(_, _, weight)| weight == 0.0) {
        return vec![0.0; n_nodes];
    }
    let mut weight_out = vec![0.0f32; n_nodes];
    for (source, _, weight) in links() {
        weight_out[source as usize] += weight;
    }
    let mut rank = vec![1.0 / n_nodes as f32; n_nodes];
    for _ in 0..N_ROUNDS {
        let dangling: f32 = rank
            .iter()
            .zip(&weight_out)
            .filter(|(_, out)| **out == 0.0)
            .map(|(rank, _)| rank)
            .sum();
        let base = (1.0 - DAMPING + DAMPING * dangling) / n_nodes as f32;
        let mut next = vec![base; n_nodes];
        for (source, target, weight) in links() {
            next[target as usize] +=
                DAMPING * rank[source as usize] * weight / weight_out[source as usize];
        }
        rank = next;
    }
    let least = rank.iter().copied().fold(f32::INFINITY, f32::min);
    let most = rank.iter().copied().fold(0.0f32, f32::max);
    let range = (most - least).max(f32::MIN_POSITIVE);
    rank.iter().map(|value| (value - least) / range).collect()
}

/// Source, target and weight of the edges a walker follows: the surer an edge, the likelier.
fn links(edges: &Edges, n_nodes: usize) -> impl Iterator<Item = (u32, u32, f32)> + '_ {
    const FOLLOWED: [u8; 3] = [
        EdgeKind::Calls as u8,
        EdgeKind::References as u8,
        EdgeKind::Imports as u8,
    ];
    let mut place = (0, 0);
    std::iter::from_fn(move || {
        let (source, at) = next_place(edges, n_nodes, &FOLLOWED, &mut place)?;
        let weight = f32::from(edges.confidences[at]) / 100.0;
        Some((source, edges.targets[at], weight))
    })
}

/// Source and place of the next edge of these kinds between two nodes. `place` has those of the edge to begin with.
#[inline(never)]
fn next_place(
    edges: &Edges,
    n_nodes: usize,
    kinds: &[u8],
    (source, at): &mut (usize, usize),
) -> Option<(u32, usize)> {
    while *source < n_nodes {
        while *at < edges.out_offsets[*source + 1] as usize {
            let place = *at;
            *at += 1;
            if kinds.contains(&edges.kinds[place]) && edges.targets[place] as usize != *source {
                return Some((*source as u32, place));
            }
        }
        *source += 1;
    }
    None
}
