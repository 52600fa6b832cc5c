//! A sort with little code, for short slices and rare calls.
//!
//! A sort of the standard library is some 7 KB of code for each type and key that it is used with, and a page downloads
//! the engine. Here one sort of numbers serves all types; only the comparison and the exchange of two elements are
//! compiled for each. It is half as fast, so hot loops use the standard library's sort.

use std::cmp::Ordering;

/// Stable sorts that are small.
pub trait InOrder<T> {
    /// As `sort_by`.
    fn order_by(&mut self, compare: impl Fn(&T, &T) -> Ordering);

    /// As `sort_by_key`.
    fn order_by_key<K: Ord>(&mut self, key: impl Fn(&T) -> K);

    /// As `sort_by_cached_key`.
    fn order_by_cached_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K);
}

impl<T> InOrder<T> for [T] {
    fn order_by(&mut self, compare: impl Fn(&T, &T) -> Ordering) {
        let of = |one: usize, other: usize| match (self.get(one), self.get(other)) {
            (Some(one), Some(other)) => compare(one, other),
            _ => Ordering::Equal,
        };
        let mut places = sorted(self.len(), &of);
        move_to(&mut places, &mut |one, other| self.swap(one, other));
    }

    fn order_by_key<K: Ord>(&mut self, key: impl Fn(&T) -> K) {
        self.order_by(|one, other| key(one).cmp(&key(other)));
    }

    fn order_by_cached_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K) {
        let keys: Vec<K> = self.iter().map(key).collect();
        let mut places = sorted(keys.len(), &|one, other| {
            keys.get(one).cmp(&keys.get(other))
        });
        move_to(&mut places, &mut |one, other| self.swap(one, other));
    }
}

/// For each position the number of the element that belongs there.
fn sorted(n: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..n).collect();
    places.sort_by(|one, other| compare(*one, *other));
    places
}

/// Moves elements to their positions, along the cycles of the permutation.
fn move_to(places: &mut [usize], swap: &mut dyn FnMut(usize, usize)) {
    for start in 0..places.len() {
        let mut at = start;
        while let Some(place) = places.get_mut(at) {
            let from = std::mem::replace(place, at);
            if from == start {
                break;
            }
            swap(at, from);
            at = from;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sorts_as_the_standard_library_does(list in prop::collection::vec((0u8..6, any::<u16>()), 0..60)) {
            let (mut ours, mut theirs) = (list.clone(), list);
            ours.order_by_key(|(key, _)| *key);
            theirs.sort_by_key(|(key, _)| *key);
            prop_assert_eq!(&ours, &theirs);
            ours.order_by(|a, b| b.1.cmp(&a.1));
            theirs.sort_by_key(|pair| std::cmp::Reverse(pair.1));
            prop_assert_eq!(&ours, &theirs);
            ours.order_by_cached_key(|(key, _)| key.to_string());
            theirs.sort_by_cached_key(|(key, _)| key.to_string());
            prop_assert_eq!(ours, theirs);
        }
    }
}
