//! Importance of nodes: PageRank (Brin and Page 1998) over calls, references and imports.

use crate::frozen::Edges;
use crate::kinds::EdgeKind;

/// Probability that the walker follows an edge rather than starting again at a random node.
const DAMPING: f32 = 0.85;
/// Enough for three correct digits at this damping (0.85^30 < 0.01).
const N_ROUNDS: usize = 30;

/// One value for each node, scaled so that the highest is 1; all 0 where there are no such edges. O(rounds × edges).
pub(crate) fn centrality(edges: &Edges, n_nodes: usize) -> Vec<f32> {
    let weights = weights(edges, n_nodes);
    if weights.iter().all(|weight| *weight == 0.0) {
        return vec![0.0; n_nodes];
    }
    let row = |node: usize| edges.out_offsets[node] as usize..edges.out_offsets[node + 1] as usize;
    let weight_out: Vec<f32> = (0..n_nodes)
        .map(|source| weights[row(source)].iter().sum())
        .collect();
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
        for (source, out) in weight_out.iter().enumerate().filter(|(_, out)| **out > 0.0) {
            let followed = DAMPING * rank[source];
            let links = edges.targets[row(source)].iter().zip(&weights[row(source)]);
            for (target, weight) in links.filter(|(_, weight)| **weight > 0.0) {
                next[*target as usize] += followed * weight / out;
            }
        }
        rank = next;
    }
    let least = rank.iter().copied().fold(f32::INFINITY, f32::min);
    let most = rank.iter().copied().fold(0.0f32, f32::max);
    let range = (most - least).max(f32::MIN_POSITIVE);
    rank.iter().map(|value| (value - least) / range).collect()
}

/// The weight of each edge for a walker, who follows an edge the likelier the surer it is; 0 for one that nobody follows. A list of
/// the edges that are followed would take several times the memory.
fn weights(edges: &Edges, n_nodes: usize) -> Vec<f32> {
    const FOLLOWED: [u8; 3] = [
        EdgeKind::Calls as u8,
        EdgeKind::References as u8,
        EdgeKind::Imports as u8,
    ];
    let mut weights = vec![0.0; edges.targets.len()];
    for source in 0..n_nodes {
        for at in edges.out_offsets[source] as usize..edges.out_offsets[source + 1] as usize {
            if FOLLOWED.contains(&edges.kinds[at]) && edges.targets[at] as usize != source {
                weights[at] = f32::from(edges.confidences[at]) / 100.0;
            }
        }
    }
    weights
}
