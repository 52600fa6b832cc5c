//! Importance of nodes: PageRank (Brin and Page 1998) over calls, references and imports.

use crate::frozen::Edges;
use crate::kinds::EdgeKind;

/// Probability that the walker follows an edge rather than starting again at a random node.
const DAMPING: f32 = 0.85;
/// Enough for three correct digits at this damping (0.85^30 < 0.01).
const N_ROUNDS: usize = 30;

/// One value for each node, scaled so that the highest is 1; all 0 where there are no such edges. O(rounds × edges).
pub(crate) fn centrality(edges: &Edges, n_nodes: usize) -> Vec<f32> {
    let links = links(edges, n_nodes);
    if n_nodes == 0 || links.iter().all(|(_, _, weight)| *weight == 0.0) {
        return vec![0.0; n_nodes];
    }
    let mut weight_out = vec![0.0f32; n_nodes];
    for &(source, _, weight) in &links {
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
        for &(source, target, weight) in &links {
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
fn links(edges: &Edges, n_nodes: usize) -> Vec<(u32, u32, f32)> {
    const FOLLOWED: [u8; 3] = [
        EdgeKind::Calls as u8,
        EdgeKind::References as u8,
        EdgeKind::Imports as u8,
    ];
    let is_followed = |kind: &&u8| FOLLOWED.contains(kind);
    // A list that grows would be there twice.
    let mut links = Vec::with_capacity(edges.kinds.iter().filter(is_followed).count());
    for source in 0..n_nodes {
        for index in edges.out_offsets[source] as usize..edges.out_offsets[source + 1] as usize {
            if FOLLOWED.contains(&edges.kinds[index]) && edges.targets[index] as usize != source {
                links.push((
                    source as u32,
                    edges.targets[index],
                    f32::from(edges.confidences[index]) / 100.0,
                ));
            }
        }
    }
    links
}
