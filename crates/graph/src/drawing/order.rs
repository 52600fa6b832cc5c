//! Order of the boxes within each rank, with few crossings of arrows.
//!
//! Barycentres: each rank in turn is sorted by the mean position of its neighbours in the rank before (then after).
//! Crossings are counted as inversions with a binary indexed tree (Barth, Jünger and Mutzel, "Simple and efficient
//! bilayer cross counting", 2002).

use std::cmp::Ordering;
use syntax::order::InOrder;

use super::rank::{Ranks, exist};
use crate::rows::Rows;

/// Passes over all ranks, alternately from left to right and back.
const N_SWEEPS: usize = 16;
/// Maximum number of bends; an arrow over many ranks that would need more is drawn straight.
const MAX_BENDS: usize = 10_000;

/// Boxes and bends by rank. Boxes keep their numbers; bends come after them.
pub(super) struct Layers {
    /// The vertices of each rank, from top to bottom.
    pub layers: Vec<Vec<u32>>,
    /// Rank of each vertex.
    pub rank: Vec<u32>,
    /// Vertices that each arrow passes through, from the lower rank to the higher; empty where it is not drawn.
    pub chains: Vec<Vec<u32>>,
    /// Number of boxes.
    pub n_boxes: usize,
    /// Neighbours of each vertex in the rank before, and in the rank after.
    pub before: Rows<(u32, u32)>,
    pub after: Rows<(u32, u32)>,
}

impl Layers {
    /// Neighbours of a vertex in the rank before or after.
    pub fn beside(&self, vertex: u32, is_before: bool) -> impl Iterator<Item = u32> + '_ {
        let rows = if is_before { &self.before } else { &self.after };
        rows.of(vertex)
            .iter()
            .map(move |&(left, right)| if is_before { left } else { right })
    }
}

/// Adds the bends and orders every rank.
pub(super) fn layers(n_boxes: usize, arrows: &[(u32, u32)], ranks: &Ranks) -> Layers {
    let mut rank = ranks.rank.clone();
    let mut links: Vec<(u32, u32)> = Vec::new();
    let mut chains = Vec::with_capacity(arrows.len());
    for (&(source, target), is_reversed) in arrows.iter().zip(&ranks.is_reversed) {
        if source == target || !exist(n_boxes, source, target) {
            chains.push(Vec::new());
            continue;
        }
        let (from, to) = if *is_reversed {
            (target, source)
        } else {
            (source, target)
        };
        let mut chain = vec![from];
        let n_bends = rank[to as usize] - rank[from as usize] - 1;
        if rank.len() - n_boxes + n_bends as usize <= MAX_BENDS {
            for step in 1..=n_bends {
                chain.push(rank.len() as u32);
                rank.push(rank[from as usize] + step);
            }
            chain.push(to);
            links.extend(chain.windows(2).map(|pair| (pair[0], pair[1])));
        } else {
            chain.push(to);
        }
        chains.push(chain);
    }
    let mut layers = vec![Vec::new(); rank.iter().max().map_or(0, |most| *most as usize + 1)];
    for (vertex, rank) in (0u32..).zip(&rank) {
        layers[*rank as usize].push(vertex);
    }
    let mut layers = Layers {
        layers,
        before: Rows::new(rank.len(), &links, |(_, right)| *right),
        after: Rows::new(rank.len(), &links, |(left, _)| *left),
        rank,
        chains,
        n_boxes,
    };
    sweep(&mut layers);
    layers
}

/// Sorts the ranks by barycentres and keeps the order with the fewest crossings.
fn sweep(layers: &mut Layers) {
    let mut position = positions(layers);
    let mut best = layers.layers.clone();
    let mut fewest = n_crossings(layers, &position);
    for pass in 0..N_SWEEPS {
        if fewest == 0 {
            break;
        }
        let is_forwards = pass % 2 == 0;
        let n_layers = layers.layers.len();
        for step in 1..n_layers {
            let at = if is_forwards {
                step
            } else {
                n_layers - 1 - step
            };
            let mut layer = std::mem::take(&mut layers.layers[at]);
            let mut keyed: Vec<(f64, u32)> = layer
                .iter()
                .map(|vertex| (barycentre(layers, *vertex, is_forwards, &position), *vertex))
                .collect();
            // A stable sort: vertices with equal barycentres keep their order.
            keyed.order_by(|a, b| a.0.partial_cmp(&b.0).unwrap_or(Ordering::Equal));
            layer.clear();
            for (place, (_, vertex)) in (0u32..).zip(keyed) {
                position[vertex as usize] = place;
                layer.push(vertex);
            }
            layers.layers[at] = layer;
        }
        let n = n_crossings(layers, &position);
        if n < fewest {
            fewest = n;
            best.clone_from(&layers.layers);
        }
    }
    layers.layers = best;
}

fn positions(layers: &Layers) -> Vec<u32> {
    let mut position = vec![0; layers.rank.len()];
    for layer in &layers.layers {
        for (place, vertex) in (0u32..).zip(layer) {
            position[*vertex as usize] = place;
        }
    }
    position
}

/// Mean position of the neighbours on one side; its own position where there are none.
fn barycentre(layers: &Layers, vertex: u32, is_before: bool, position: &[u32]) -> f64 {
    let (mut sum, mut n) = (0u64, 0u32);
    for other in layers.beside(vertex, is_before) {
        sum += u64::from(position[other as usize]);
        n += 1;
    }
    if n == 0 {
        return f64::from(position[vertex as usize]);
    }
    sum as f64 / f64::from(n)
}

/// Crossings between all pairs of neighbouring ranks.
fn n_crossings(layers: &Layers, position: &[u32]) -> u64 {
    let mut n = 0;
    let mut ends: Vec<u32> = Vec::new();
    for pair in layers.layers.windows(2) {
        ends.clear();
        for vertex in &pair[0] {
            let first = ends.len();
            ends.extend(
                layers
                    .beside(*vertex, false)
                    .map(|other| position[other as usize]),
            );
            ends[first..].order_by(Ord::cmp);
        }
        n += n_inversions(&ends, pair[1].len());
    }
    n
}

/// Number of pairs that are in descending order, among values below `n_values`.
fn n_inversions(values: &[u32], n_values: usize) -> u64 {
    let mut tree = vec![0u64; n_values + 1];
    let mut n = 0;
    for (n_earlier, value) in (0u64..).zip(values) {
        let mut at = *value as usize + 1;
        let mut n_not_above = 0;
        while at > 0 {
            n_not_above += tree[at];
            at &= at - 1;
        }
        n += n_earlier - n_not_above;
        let mut at = *value as usize + 1;
        while at <= n_values {
            tree[at] += 1;
            at += at & at.wrapping_neg();
        }
    }
    n
}

#[cfg(test)]
mod tests {
    use super::super::rank::ranks;
    use super::*;

    #[test]
    fn inversions_are_counted() {
        assert_eq!(n_inversions(&[0, 1, 1, 2], 3), 0);
        assert_eq!(n_inversions(&[2, 1, 0], 3), 3);
        assert_eq!(n_inversions(&[], 0), 0);
    }

    #[test]
    fn two_crossed_arrows_are_uncrossed() {
        let arrows = [(0, 3), (1, 2)];
        let layers = layers(4, &arrows, &ranks(4, &arrows));
        assert_eq!(n_crossings(&layers, &positions(&layers)), 0);
    }

    #[test]
    fn an_arrow_over_ranks_passes_through_bends() {
        let arrows = [(0, 1), (1, 2), (2, 3), (0, 3)];
        let layers = layers(4, &arrows, &ranks(4, &arrows));
        assert_eq!(layers.chains[3], [0, 4, 5, 3]);
        assert_eq!(layers.rank, [0, 1, 2, 3, 1, 2]);
    }
}
