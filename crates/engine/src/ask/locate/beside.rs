//! Files beside the likeliest ones: those that change together with them, and those to which the graph leads from them. A fix of
//! several files has its others there, and so has one that is elsewhere than where the text points: their own words rank them too
//! low, so the last places of the first ten are theirs.

use std::collections::BTreeMap;

use source::FileId;
use syntax::order::InOrder;

use super::Locating;
use super::clues::{Clue, LocateWeights};
use super::near::by_words;

/// A file that changes together with another one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Partner {
    /// The file.
    pub file: FileId,
    /// Part of the other one's commits that changed this one, too, 0 to 1.
    pub confidence: f32,
    /// Part of this one's commits that changed the other one, too, 0 to 1.
    pub reverse: f32,
}

impl Partner {
    /// Commits that changed both files, as a part of those that changed either: a file that changes with everything has little of it.
    #[must_use]
    pub fn jaccard(self) -> f32 {
        if self.confidence <= 0.0 || self.reverse <= 0.0 {
            return 0.0;
        }
        1.0 / (1.0 / self.confidence + 1.0 / self.reverse - 1.0)
    }
}

/// Files whose partners in changes are beside them, and those whose neighbours in the graph are.
const MAX_CHANGED: usize = 3;
const MAX_LINKED: usize = 6;
/// Places of an answer, the last of which are for files beside the first ones.
const N_PLACES: usize = 10;
/// The weight of the graph beside the history, which names a habit: a file has neighbours by the dozen.
const OF_GRAPH: f32 = 0.2;

/// A file beside the likeliest ones, by its place in the evidence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Beside {
    pub(crate) idx: usize,
    /// How much it changes together with them, and how much the graph links them, 0 to 1.
    pub(crate) changed: f32,
    pub(crate) linked: f32,
}

impl Beside {
    fn value(&self, weights: &LocateWeights) -> f32 {
        let of = |clue: Clue, value: f32| {
            if weights.files[clue as usize] > 0.0 {
                value
            } else {
                0.0
            }
        };
        of(Clue::Together, self.changed) + OF_GRAPH * of(Clue::Near, self.linked)
    }
}

/// Gives the last places of the first ten to the files beside the first ones. Scores stay where they are, so that they fall with the places.
pub(crate) fn placed(
    rows: &[(usize, f32)],
    beside: &[Beside],
    weights: &LocateWeights,
) -> Vec<(usize, f32)> {
    let (first, rest) = rows.split_at(rows.len().min(N_PLACES.saturating_sub(weights.n_beside)));
    let has = |rows: &[(usize, f32)], idx: usize| rows.iter().any(|(known, _)| *known == idx);
    let values = beside.iter().map(|one| (one.value(weights), one.idx));
    let mut order: Vec<(f32, usize)> = values.filter(|(value, _)| *value > 0.0).collect();
    order.order_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let order = order.into_iter().map(|(_, idx)| idx);
    // Looked for in the rows only until there are enough.
    let chosen: Vec<usize> = order
        .filter(|idx| has(rest, *idx))
        .take(weights.n_beside)
        .collect();
    let others = rest.iter().map(|(idx, _)| *idx);
    let others = others.filter(|idx| !chosen.contains(idx));
    let first = first.iter().map(|(idx, _)| *idx);
    let places = first.chain(chosen.iter().copied()).chain(others);
    places.zip(rows.iter().map(|(_, score)| *score)).collect()
}

impl Locating<'_> {
    /// The files beside the likeliest ones, with what links them; words of the text count, too.
    pub(super) fn files_beside(&self, weights: &LocateWeights) -> BTreeMap<FileId, (f32, f32)> {
        let ranked = self.ranked_files(weights);
        let best = ranked.first().map_or(0.0, |(_, score)| *score);
        let mut beside: BTreeMap<FileId, (f32, f32)> = BTreeMap::new();
        for (place, (file, score)) in ranked.into_iter().take(MAX_LINKED).enumerate() {
            let share = score / best;
            let partners = self.partners.get(&file).filter(|_| place < MAX_CHANGED);
            for partner in partners.into_iter().flatten() {
                let (changed, _) = beside.entry(partner.file).or_default();
                *changed = changed.max(share * partner.jaccard());
            }
            for (other, value) in self.files_around(file, share) {
                let (_, linked) = beside.entry(other).or_default();
                *linked = linked.max(value);
            }
        }
        for (file, (changed, linked)) in &mut beside {
            let found = self.evidence.files.get(file);
            let factor = self.factor(*file) * found.map_or(0.0, by_words);
            *changed *= factor;
            *linked *= factor;
        }
        beside
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn beside(idx: usize, changed: f32, linked: f32) -> Beside {
        Beside {
            idx,
            changed,
            linked,
        }
    }

    fn order(n: usize, beside: &[Beside], weights: &LocateWeights) -> Vec<usize> {
        let rows: Vec<(usize, f32)> = (0..n).map(|idx| (idx, 1.0 - 0.01 * idx as f32)).collect();
        let placed = placed(&rows, beside, weights);
        assert!(
            placed.windows(2).all(|pair| pair[0].1 > pair[1].1),
            "{placed:?}"
        );
        placed.into_iter().map(|(idx, _)| idx).collect()
    }

    #[test]
    fn the_last_places_are_for_files_beside_the_first() {
        let weights = LocateWeights::default();
        let all = [
            beside(2, 1.0, 1.0),
            beside(11, 0.1, 0.0),
            beside(12, 0.0, 0.9),
            beside(10, 0.5, 0.0),
            beside(13, 0.0, 0.1),
        ];
        assert_eq!(
            order(14, &all, &weights),
            [0, 1, 2, 3, 4, 5, 6, 10, 12, 11, 7, 8, 9, 13]
        );
        assert_eq!(order(3, &all, &weights), [0, 1, 2]);
        assert_eq!(order(9, &[], &weights), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    }

    #[test]
    fn a_clue_that_is_off_gives_no_places() {
        let mut weights = LocateWeights::default();
        weights.files[Clue::Together as usize] = 0.0;
        let all = [beside(9, 0.9, 0.0), beside(8, 0.0, 0.1)];
        assert_eq!(order(10, &all, &weights)[7..], [8, 7, 9]);
        weights.files[Clue::Near as usize] = 0.0;
        assert_eq!(order(10, &all, &weights)[7..], [7, 8, 9]);
        let weights = LocateWeights {
            n_beside: 0,
            ..LocateWeights::default()
        };
        assert_eq!(order(10, &all, &weights)[7..], [7, 8, 9]);
    }

    #[test]
    fn a_file_that_changes_with_everything_is_no_close_partner() {
        let partner = |confidence, reverse| Partner {
            file: FileId(0),
            confidence,
            reverse,
        };
        assert_eq!(partner(0.5, 0.0).jaccard(), 0.0);
        assert!((partner(1.0, 1.0).jaccard() - 1.0).abs() < 1e-6);
        assert!(partner(0.8, 0.05).jaccard() < partner(0.3, 0.6).jaccard());
    }
}
