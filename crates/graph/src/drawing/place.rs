//! Heights of boxes and bends: as near to their neighbours as the order allows.
//!
//! Each rank in turn moves to the places with the smallest sum of squared distances from the means of its neighbours:
//! an isotonic regression, solved by pooling adjacent violators (Ayer et al., 1955). It is exact for one rank, linear, and
//! shorter than the four alignments of Brandes and Köpf (2001).

use super::order::Layers;
use super::{BOX_HEIGHT, MARGIN};

const N_SWEEPS: usize = 12;
/// Space between two boxes, and between a bend and its neighbours.
const BOX_GAP: f64 = 14.0;
const BEND_GAP: f64 = 10.0;
/// Weight of a link between two bends, so that long arrows are straight.
const STRAIGHT: f64 = 8.0;

/// Middle of each vertex, in pixels.
pub(super) fn middles(layers: &Layers) -> Vec<i32> {
    let mut middle = vec![0.0; layers.rank.len()];
    for layer in &layers.layers {
        let offsets = offsets(layers, layer);
        // Ranks are centred on one line at first.
        let centre = offsets.last().copied().unwrap_or(0.0) / 2.0;
        for (vertex, offset) in layer.iter().zip(&offsets) {
            middle[*vertex as usize] = offset - centre;
        }
    }
    let n_layers = layers.layers.len();
    for pass in 0..N_SWEEPS {
        let sides: &[bool] = match pass % 3 {
            0 => &[true],
            1 => &[false],
            _ => &[true, false],
        };
        for step in 0..n_layers {
            let at = if pass % 3 == 1 {
                n_layers - 1 - step
            } else {
                step
            };
            settle(layers, &layers.layers[at], sides, &mut middle);
        }
    }
    let top = |vertex: usize| middle[vertex] - height(layers, vertex as u32) / 2.0;
    let least = (0..middle.len()).map(top).fold(f64::INFINITY, f64::min);
    middle
        .iter()
        .map(|middle| (middle - least).round() as i32 + MARGIN)
        .collect()
}

fn height(layers: &Layers, vertex: u32) -> f64 {
    if (vertex as usize) < layers.n_boxes {
        f64::from(BOX_HEIGHT)
    } else {
        0.0
    }
}

/// Least distance of each vertex of a rank from the first one.
fn offsets(layers: &Layers, layer: &[u32]) -> Vec<f64> {
    let mut offset = 0.0;
    let mut before: Option<u32> = None;
    let next = |vertex: &u32| {
        if let Some(before) = before {
            let is_box = |vertex: u32| (vertex as usize) < layers.n_boxes;
            let gap = if is_box(before) && is_box(*vertex) {
                BOX_GAP
            } else {
                BEND_GAP
            };
            offset += (height(layers, before) + height(layers, *vertex)) / 2.0 + gap;
        }
        before = Some(*vertex);
        offset
    };
    layer.iter().map(next).collect()
}

/// A run of vertices that move together.
struct Pool {
    mean: f64,
    weight: f64,
    n: usize,
}

/// Moves the vertices of a rank towards their neighbours on these sides.
fn settle(layers: &Layers, layer: &[u32], sides: &[bool], middle: &mut [f64]) {
    let offsets = offsets(layers, layer);
    let mut pools: Vec<Pool> = Vec::with_capacity(layer.len());
    for (vertex, offset) in layer.iter().zip(&offsets) {
        let (wanted, weight) = wanted(layers, *vertex, sides, middle);
        let mut pool = Pool {
            mean: wanted - offset,
            weight,
            n: 1,
        };
        while let Some(above) = pools.pop_if(|above| above.mean > pool.mean) {
            let weight = above.weight + pool.weight;
            pool.mean = (above.mean * above.weight + pool.mean * pool.weight) / weight;
            pool.weight = weight;
            pool.n += above.n;
        }
        pools.push(pool);
    }
    let means = pools
        .iter()
        .flat_map(|pool| std::iter::repeat_n(pool.mean, pool.n));
    for ((vertex, offset), mean) in layer.iter().zip(&offsets).zip(means) {
        middle[*vertex as usize] = mean + offset;
    }
}

/// Weighted mean of the neighbours' middles, and the weight; where there are none the vertex gives way to others.
fn wanted(layers: &Layers, vertex: u32, sides: &[bool], middle: &[f64]) -> (f64, f64) {
    let is_bend = |vertex: u32| vertex as usize >= layers.n_boxes;
    let (mut sum, mut weight) = (0.0, 0.0);
    for side in sides {
        for other in layers.beside(vertex, *side) {
            let share = if is_bend(vertex) && is_bend(other) {
                STRAIGHT
            } else {
                1.0
            };
            sum += middle[other as usize] * share;
            weight += share;
        }
    }
    if weight > 0.0 {
        (sum / weight, weight)
    } else {
        (middle[vertex as usize], 0.01)
    }
}
