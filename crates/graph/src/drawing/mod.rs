//! Layered drawing of a directed graph, from left to right, after Sugiyama, Tagawa and Toda ("Methods for visual
//! understanding of hierarchical system structures", 1981): ranks, an order within each rank, coordinates.
//!
//! 1. [`rank`]: a depth-first walk finds the edges that close cycles, which are drawn backwards; longest paths give ranks.
//! 2. [`order`]: edges over several ranks pass through bends; barycentres order each rank, the order with the fewest
//!    crossings wins.
//! 3. [`place`]: each box moves towards its neighbours as far as the boxes beside it allow.
//!
//! Only additions, divisions and comparisons in a fixed order: the same graph has the same drawing on every machine.

mod order;
mod place;
mod rank;

/// Height of a box.
pub(crate) const BOX_HEIGHT: i32 = 38;
/// Space around the drawing, in which a loop at the last rank fits.
const MARGIN: i32 = 16;
/// Space between two ranks, where arrows bend.
const RANK_GAP: i32 = 56;

/// Boxes and arrows with their places, in pixels.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Drawing {
    /// Left edge and middle of each box.
    pub boxes: Vec<(i32, i32)>,
    /// Points that each arrow passes through, from its source to its target; empty where both are one box.
    pub routes: Vec<Vec<(i32, i32)>>,
    /// Width of the whole drawing.
    pub width: i32,
    /// Height of the whole drawing.
    pub height: i32,
}

/// Places boxes of these widths and the arrows between them. Arrows to boxes that do not exist have no route.
/// O(sweeps × (boxes + arrows + bends)), with a bound on the number of bends.
pub(crate) fn draw(widths: &[i32], arrows: &[(u32, u32)]) -> Drawing {
    let ranks = rank::ranks(widths.len(), arrows);
    let layers = order::layers(widths.len(), arrows, &ranks);
    let middles = place::middles(&layers);
    let columns = columns(widths, &layers);
    let boxes: Vec<(i32, i32)> = (0..widths.len())
        .map(|at| (columns[layers.rank[at] as usize].0, middles[at]))
        .collect();
    let routes = layers
        .chains
        .iter()
        .zip(&ranks.is_reversed)
        .map(|(chain, is_reversed)| {
            let mut route = route(chain, widths, &layers, &middles, &columns);
            if *is_reversed {
                route.reverse();
            }
            route
        })
        .collect();
    let right = columns.last().map_or(0, |(left, width)| left + width);
    let bottom = boxes.iter().map(|(_, middle)| middle + BOX_HEIGHT / 2);
    Drawing {
        width: right + MARGIN,
        height: bottom.chain(middles.iter().copied()).max().unwrap_or(0) + MARGIN,
        boxes,
        routes,
    }
}

/// Left edge and width of each rank.
fn columns(widths: &[i32], layers: &order::Layers) -> Vec<(i32, i32)> {
    let mut left = MARGIN;
    let column = |layer: &Vec<u32>| {
        let width = layer.iter().filter_map(|at| widths.get(*at as usize)).max();
        let column = (left, width.copied().unwrap_or(0));
        left += column.1 + RANK_GAP;
        column
    };
    layers.layers.iter().map(column).collect()
}

/// From the right side of the first box through both sides of each bend's rank to the left side of the last box.
fn route(
    chain: &[u32],
    widths: &[i32],
    layers: &order::Layers,
    middles: &[i32],
    columns: &[(i32, i32)],
) -> Vec<(i32, i32)> {
    let mut points = Vec::with_capacity(chain.len() * 2);
    for (place, vertex) in chain.iter().enumerate() {
        let at = *vertex as usize;
        let (left, width) = columns[layers.rank[at] as usize];
        let right = left + widths.get(at).copied().unwrap_or(width);
        if place > 0 {
            points.push((left, middles[at]));
        }
        if place + 1 < chain.len() {
            points.push((right, middles[at]));
            // A box narrower than its rank: straight on to where bends begin.
            if right < left + width {
                points.push((left + width, middles[at]));
            }
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn nothing_has_an_empty_drawing() {
        let drawing = draw(&[], &[(0, 1)]);
        assert!(drawing.boxes.is_empty() && drawing.routes == [Vec::new()]);
    }

    #[test]
    fn a_chain_is_a_straight_line() {
        let drawing = draw(&[80, 100, 60], &[(0, 1), (1, 2)]);
        let middles: Vec<i32> = drawing.boxes.iter().map(|(_, middle)| *middle).collect();
        assert_eq!(middles, [MARGIN + BOX_HEIGHT / 2; 3]);
        assert_eq!(drawing.boxes[1].0, MARGIN + 80 + RANK_GAP);
        assert_eq!(
            drawing.routes[0],
            [(MARGIN + 80, middles[0]), (drawing.boxes[1].0, middles[1])]
        );
    }

    #[test]
    fn an_arrow_back_ends_at_its_target() {
        let drawing = draw(&[80, 80], &[(0, 1), (1, 0), (1, 1)]);
        let (there, back) = (&drawing.routes[0], &drawing.routes[1]);
        assert_eq!(there.first(), back.last());
        assert!(drawing.routes[2].is_empty());
    }

    #[test]
    fn callers_are_beside_the_function_that_they_call() {
        // 4 is called by a chain of three, and by 3 alone, which is drawn next to it.
        let drawing = draw(&[50; 5], &[(0, 1), (1, 2), (2, 4), (3, 4)]);
        assert_eq!(drawing.boxes[3].0, drawing.boxes[2].0);
    }

    proptest! {
        #[test]
        fn boxes_of_a_rank_never_overlap(
            widths in prop::collection::vec(20i32..200, 1..30),
            arrows in prop::collection::vec((0u32..32, 0u32..32), 0..80),
        ) {
            let drawing = draw(&widths, &arrows);
            prop_assert_eq!(&drawing, &draw(&widths, &arrows));
            let mut boxes = drawing.boxes.clone();
            boxes.sort_unstable();
            for pair in boxes.windows(2) {
                let apart = pair[1].1 - pair[0].1 >= BOX_HEIGHT;
                prop_assert!(pair[0].0 != pair[1].0 || apart, "{pair:?}");
            }
            for (left, middle) in &drawing.boxes {
                prop_assert!(*left >= MARGIN && *middle >= MARGIN + BOX_HEIGHT / 2);
                prop_assert!(middle + BOX_HEIGHT / 2 + MARGIN <= drawing.height);
            }
            for (route, (source, target)) in drawing.routes.iter().zip(&arrows) {
                let exist = (*source.max(target) as usize) < widths.len() && source != target;
                prop_assert_eq!(exist, route.len() >= 2);
            }
        }
    }
}
