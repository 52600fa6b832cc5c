//! Packs circles, so that those with bonds are near each other.
//!
//! Front-chain packing (Wang et al., "Visualization of large hierarchical data by circle packing", 2006, as in d3): each
//! circle touches two neighbours of the outline. Here circles come in the order of their bonds to those that are placed,
//! and each goes to the part of the outline that is nearest to them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use syntax::order::InOrder;

use crate::rows::Rows;

/// How far circles are drawn towards their partners, from 0 (the middle) to 1.
const PULL: f64 = 0.7;

/// Circles around the origin.
pub(super) struct Packed {
    /// Centre of each circle.
    pub places: Vec<(f64, f64)>,
    /// Radius of a circle around the origin with all of them in it.
    pub radius: f64,
}

/// The bonds within each group, group by group. Linear.
pub(super) fn by_group(
    bonds: &[(u32, u32, u32)],
    group_of: &[u32],
    n_groups: usize,
) -> Vec<Vec<(u32, u32, u32)>> {
    let mut groups = vec![Vec::new(); n_groups];
    for bond in bonds {
        let (a, b) = (group_of[bond.0 as usize], group_of[bond.1 as usize]);
        if a == b {
            groups[a as usize].push(*bond);
        }
    }
    groups
}

/// The bonds between groups.
pub(super) fn between_groups(bonds: &[(u32, u32, u32)], group_of: &[u32]) -> Vec<(u32, u32, u32)> {
    let mut between: Vec<(u32, u32, u32)> = bonds
        .iter()
        .map(|(a, b, weight)| (group_of[*a as usize], group_of[*b as usize], *weight))
        .filter(|(a, b, _)| a != b)
        .map(|(a, b, weight)| (a.min(b), a.max(b), weight))
        .collect();
    between.order_by(Ord::cmp);
    between.dedup_by(|next, sum| {
        let is_same = (next.0, next.1) == (sum.0, sum.1);
        if is_same {
            sum.2 = sum.2.saturating_add(next.2);
        }
        is_same
    });
    between
}

/// Packs circles of these radii; `bonds` are pairs of circles with weights.
pub(super) fn pack(radii: &[f64], bonds: &[(u32, u32, u32)]) -> Packed {
    let both: Vec<(u32, u32, u32)> = bonds
        .iter()
        .flat_map(|&(a, b, weight)| [(a, b, weight), (b, a, weight)])
        .collect();
    let bonds = Rows::new(radii.len(), &both, |(a, ..)| *a);
    let mut front = Front::of(radii);
    for circle in order(radii, &bonds) {
        let (mut x, mut y, mut sum) = (0.0, 0.0, 0.0);
        for &(_, other, weight) in bonds.of(circle) {
            if let Some(place) = front.places[other as usize] {
                let weight = f64::from(weight);
                x += place.0 * weight;
                y += place.1 * weight;
                sum += weight;
            }
        }
        let wish = if sum > 0.0 {
            (x / sum * PULL, y / sum * PULL)
        } else {
            (0.0, 0.0)
        };
        front.add(circle, wish);
    }
    front.finish()
}

/// The largest circle, then always the one with the strongest bond to those before; the larger of equals.
fn order(radii: &[f64], bonds: &Rows<(u32, u32, u32)>) -> Vec<u32> {
    // Radii are positive, so their bits sort like them.
    let entry = |bond: u64, circle: u32| (bond, radii[circle as usize].to_bits(), Reverse(circle));
    let mut bond = vec![0u64; radii.len()];
    let mut is_placed = vec![false; radii.len()];
    let mut heap: BinaryHeap<_> = (0..radii.len() as u32)
        .map(|circle| entry(0, circle))
        .collect();
    let mut order = Vec::with_capacity(radii.len());
    while let Some((of, _, Reverse(circle))) = heap.pop() {
        let at = circle as usize;
        if is_placed[at] || of != bond[at] {
            continue;
        }
        is_placed[at] = true;
        order.push(circle);
        for &(_, other, weight) in bonds.of(circle) {
            if !is_placed[other as usize] {
                bond[other as usize] += u64::from(weight);
                heap.push(entry(bond[other as usize], other));
            }
        }
    }
    order
}

/// The circles placed so far, and those on their outline as a ring.
struct Front<'a> {
    radii: &'a [f64],
    places: Vec<Option<(f64, f64)>>,
    next: Vec<u32>,
    previous: Vec<u32>,
    /// Some circle of the outline.
    some: u32,
    n_placed: usize,
}

impl<'a> Front<'a> {
    fn of(radii: &'a [f64]) -> Self {
        Front {
            radii,
            places: vec![None; radii.len()],
            next: vec![0; radii.len()],
            previous: vec![0; radii.len()],
            some: 0,
            n_placed: 0,
        }
    }

    fn place(&self, circle: u32) -> (f64, f64) {
        self.places[circle as usize].unwrap_or_default()
    }

    fn radius(&self, circle: u32) -> f64 {
        self.radii[circle as usize]
    }

    fn join(&mut self, a: u32, b: u32) {
        self.next[a as usize] = b;
        self.previous[b as usize] = a;
    }

    /// Adds a circle to the outline, near to a place.
    fn add(&mut self, circle: u32, wish: (f64, f64)) {
        match self.n_placed {
            0 => {
                self.places[circle as usize] = Some((0.0, 0.0));
                self.join(circle, circle);
            }
            1 => {
                let away = self.radius(self.some) + self.radius(circle);
                self.places[circle as usize] = Some((away, 0.0));
                self.join(self.some, circle);
                self.join(circle, self.some);
            }
            _ => self.add_beside(circle, wish),
        }
        self.some = circle;
        self.n_placed += 1;
    }

    fn add_beside(&mut self, circle: u32, wish: (f64, f64)) {
        let mut a = self.nearest(wish);
        let mut b = self.next[a as usize];
        // Each turn takes a circle from the outline, which has fewer than were placed.
        for _ in 0..self.n_placed {
            let place = self.beside(a, b, circle);
            self.places[circle as usize] = Some(place);
            match self.overlapped(a, b, circle) {
                Some((other, true)) => b = other,
                Some((other, false)) => a = other,
                None => break,
            }
            self.join(a, b);
        }
        self.join(a, circle);
        self.join(circle, b);
    }

    /// The circle of the outline at whose touch with the next one is the nearest place.
    fn nearest(&self, (x, y): (f64, f64)) -> u32 {
        let distance = |a: u32| {
            let b = self.next[a as usize];
            let ((ax, ay), (bx, by)) = (self.place(a), self.place(b));
            let (ra, rb) = (self.radius(a), self.radius(b));
            let dx = (ax * rb + bx * ra) / (ra + rb) - x;
            let dy = (ay * rb + by * ra) / (ra + rb) - y;
            dx * dx + dy * dy
        };
        let (mut nearest, mut least) = (self.some, distance(self.some));
        let mut at = self.next[self.some as usize];
        while at != self.some {
            let d = distance(at);
            if d < least {
                (nearest, least) = (at, d);
            }
            at = self.next[at as usize];
        }
        nearest
    }

    /// The centre of a circle that touches two others, outside of the outline.
    fn beside(&self, a: u32, b: u32, circle: u32) -> (f64, f64) {
        let ((ax, ay), (bx, by), r) = (self.place(a), self.place(b), self.radius(circle));
        let (dx, dy) = (ax - bx, ay - by);
        let d2 = dx * dx + dy * dy;
        if d2 == 0.0 {
            return (ax + self.radius(a) + r, ay);
        }
        let a2 = (self.radius(a) + r) * (self.radius(a) + r);
        let b2 = (self.radius(b) + r) * (self.radius(b) + r);
        let along = (d2 + a2 - b2) / (2.0 * d2);
        let across = (a2 / d2 - along * along).max(0.0).sqrt();
        (ax - along * dx - across * dy, ay - along * dy + across * dx)
    }

    /// The nearest circle along the outline that overlaps; true if it comes after `b`, false if before `a`.
    fn overlapped(&self, a: u32, b: u32, circle: u32) -> Option<(u32, bool)> {
        let (x, y) = self.place(circle);
        let overlaps = |other: u32| {
            let (ox, oy) = self.place(other);
            let (dx, dy) = (ox - x, oy - y);
            let touch = self.radius(other) + self.radius(circle) - 1e-6;
            touch > 0.0 && touch * touch > dx * dx + dy * dy
        };
        let (mut after, mut before) = (self.next[b as usize], self.previous[a as usize]);
        let (mut way_after, mut way_before) = (self.radius(b), self.radius(a));
        for _ in 0..self.n_placed {
            if way_after <= way_before {
                if after != a && after != b && overlaps(after) {
                    return Some((after, true));
                }
                way_after += self.radius(after);
                after = self.next[after as usize];
            } else {
                if before != a && before != b && overlaps(before) {
                    return Some((before, false));
                }
                way_before += self.radius(before);
                before = self.previous[before as usize];
            }
            if after == self.next[before as usize] {
                return None;
            }
        }
        None
    }

    /// Moves the middle of all circles to the origin.
    fn finish(self) -> Packed {
        let (mut left, mut right, mut top, mut bottom) = (0.0f64, 0.0f64, 0.0f64, 0.0f64);
        let circles: Vec<(f64, f64)> = self
            .places
            .into_iter()
            .map(Option::unwrap_or_default)
            .collect();
        for ((x, y), r) in circles.iter().zip(self.radii) {
            (left, right) = (left.min(x - r), right.max(x + r));
            (top, bottom) = (top.min(y - r), bottom.max(y + r));
        }
        let middle = ((left + right) / 2.0, (top + bottom) / 2.0);
        let places: Vec<(f64, f64)> = circles
            .iter()
            .map(|(x, y)| (x - middle.0, y - middle.1))
            .collect();
        let away = places
            .iter()
            .zip(self.radii)
            .map(|((x, y), r)| (x * x + y * y).sqrt() + r);
        Packed {
            radius: away.fold(0.0, f64::max),
            places,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn distance(packed: &Packed, a: usize, b: usize) -> f64 {
        let ((ax, ay), (bx, by)) = (packed.places[a], packed.places[b]);
        ((ax - bx) * (ax - bx) + (ay - by) * (ay - by)).sqrt()
    }

    #[test]
    fn nothing_takes_no_room() {
        assert!(pack(&[], &[]).radius == 0.0);
        assert_eq!(pack(&[3.0], &[]).places, [(0.0, 0.0)]);
    }

    #[test]
    fn bonds_bring_circles_together() {
        // Forty equal circles, of which the first and the last use each other.
        let radii = vec![1.0; 40];
        let apart = distance(&pack(&radii, &[]), 0, 39);
        let near = distance(&pack(&radii, &[(0, 39, 5)]), 0, 39);
        assert!(near < 2.1 && apart > 4.0, "{near} {apart}");
    }

    proptest! {
        #[test]
        fn circles_never_overlap(
            radii in prop::collection::vec(0.5f64..20.0, 1..60),
            bonds in prop::collection::vec((0u32..60, 0u32..60, 1u32..9), 0..60),
        ) {
            let n = radii.len() as u32;
            let bonds: Vec<_> = bonds.into_iter().filter(|(a, b, _)| a != b && *a < n && *b < n).collect();
            let packed = pack(&radii, &bonds);
            for a in 0..radii.len() {
                let (x, y) = packed.places[a];
                prop_assert!((x * x + y * y).sqrt() + radii[a] <= packed.radius + 1e-6);
                for b in 0..a {
                    prop_assert!(distance(&packed, a, b) >= radii[a] + radii[b] - 1e-3, "{a} {b}");
                }
            }
        }
    }
}
