//! Ranks files and functions by weighed clues, and says how sure that is.

use graph::NodeId;
use rustc_hash::FxHashMap;
use source::FileId;
use syntax::order::InOrder;

use super::beside::{Beside, placed};
use super::clues::{Clue, LocateWeights, N_CLUES};
use super::functions::FunctionFound;

/// Everything found for a text, before it is weighed: ranking it is cheap and can be repeated with other weights.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LocateEvidence {
    pub(crate) files: Vec<FileFound>,
    pub(crate) functions: Vec<FunctionFound>,
    /// Files beside the likeliest ones.
    pub(crate) beside: Vec<Beside>,
    /// The share of the text's words, by rarity, that the best file has.
    pub(crate) coverage: f32,
}

/// A file and what speaks for it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FileFound {
    pub(crate) file: FileId,
    pub(crate) values: [f32; N_CLUES],
    pub(crate) details: Vec<(Clue, f32, String)>,
    /// By its class: see `locate_factor`.
    pub(crate) factor: f32,
    /// Number of its area: see [`area_of`]; none for files near the root.
    pub(crate) area: Option<u32>,
}

/// Places of files and functions in the ranking, best first, as indices with scores.
pub(crate) struct Ranked {
    pub(crate) files: Vec<(usize, f32)>,
    pub(crate) functions: Vec<(usize, f32)>,
}

impl LocateEvidence {
    /// Files with their scores, best first.
    #[must_use]
    pub fn files(&self, weights: &LocateWeights) -> Vec<(FileId, f32)> {
        let ranked = self.rank_files(weights);
        ranked
            .into_iter()
            .map(|(idx, score)| (self.files[idx].file, score))
            .collect()
    }

    /// Signs of how sure an answer is, each from 0 to about 1: the best score, its lead over the sixth, and the share of the text's words that
    /// the best file has.
    #[must_use]
    pub fn signs(&self, weights: &LocateWeights) -> [f32; N_SIGNS] {
        self.signs_of(&self.rank_files(weights))
    }

    pub(crate) fn signs_of(&self, ranked: &[(usize, f32)]) -> [f32; N_SIGNS] {
        let score = |place: usize| ranked.get(place).map_or(0.0, |(_, score)| *score);
        let best = score(0);
        let lead = if best > 0.0 {
            (best - score(5)) / best
        } else {
            0.0
        };
        [best / FULL, lead, self.coverage]
    }

    /// The value of each clue for a file, 0 to 1; none for a file without any.
    #[must_use]
    pub fn values_of(&self, file: FileId) -> Option<[f32; N_CLUES]> {
        let found = self.files.iter().find(|found| found.file == file)?;
        Some(found.values)
    }

    /// Functions with their scores, best first.
    #[must_use]
    pub fn functions(&self, weights: &LocateWeights) -> Vec<(NodeId, f32)> {
        let ranked = self.rank(weights).functions;
        ranked
            .into_iter()
            .map(|(idx, score)| (self.functions[idx].node, score))
            .collect()
    }

    pub(crate) fn rank(&self, weights: &LocateWeights) -> Ranked {
        let by_score = self.by_score(weights);
        let mut of_files: Vec<(FileId, f32)> = by_score
            .iter()
            .map(|(idx, score)| (self.files[*idx].file, *score))
            .collect();
        of_files.order_by_key(|(file, _)| *file);
        let file_score =
            |file: FileId| match of_files.binary_search_by_key(&file, |(file, _)| *file) {
                Ok(at) => of_files[at].1,
                Err(_) => 0.0,
            };
        let score = |function: &FunctionFound| {
            weights.of_file * file_score(function.file)
                + sum(&function.found.values, &weights.functions)
        };
        Ranked {
            functions: sorted(self.functions.iter().map(score)),
            files: placed(&by_score, &self.beside, weights),
        }
    }

    fn rank_files(&self, weights: &LocateWeights) -> Vec<(usize, f32)> {
        placed(&self.by_score(weights), &self.beside, weights)
    }

    fn by_score(&self, weights: &LocateWeights) -> Vec<(usize, f32)> {
        let score = |file: &FileFound| file.factor * sum(&file.values, &weights.files);
        let mut rows = sorted(self.files.iter().map(score));
        let mut n_of_area: FxHashMap<u32, i32> = FxHashMap::default();
        for (idx, score) in &mut rows {
            if let Some(area) = self.files.get(*idx).and_then(|file| file.area) {
                let n = n_of_area.entry(area).or_default();
                *score *= FURTHER_OF_AREA.powi((*n - N_OF_AREA).clamp(0, MOST_STEPS));
                *n += 1;
            }
        }
        rows.order_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        rows
    }
}

/// Factor of each file of an area behind the first ones, and their number less one: the providers, checks or dialects of a project are
/// many, alike, and beside the code that they share.
const FURTHER_OF_AREA: f32 = 0.7;
const N_OF_AREA: i32 = 2;
/// Files after which the factor stays: a small project is one area, and its code still comes before its documents.
const MOST_STEPS: i32 = 4;

/// The area of a file: the folder above its folder.
pub(crate) fn area_of(path: &str) -> Option<&str> {
    let (folder, _) = path.rsplit_once('/')?;
    let (area, _) = folder.rsplit_once('/')?;
    Some(area)
}

fn sum(values: &[f32; N_CLUES], weights: &[f32; N_CLUES]) -> f32 {
    values
        .iter()
        .zip(weights)
        .map(|(value, weight)| value * weight)
        .sum()
}

/// Indices with scores above 0, best first; of equal ones the first.
fn sorted(scores: impl Iterator<Item = f32>) -> Vec<(usize, f32)> {
    let mut rows: Vec<(usize, f32)> = scores
        .enumerate()
        .filter(|(_, score)| *score > 0.0)
        .collect();
    rows.order_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    rows
}

/// Number of signs of how sure an answer is.
pub const N_SIGNS: usize = 3;
/// A score that says all.
const FULL: f32 = 3.0;
/// The logistic function that says how sure an answer is: its value at 0, then a coefficient for each sign. Fitted to whether all right
/// files are among the first five, and to texts about other repositories (`cargo xtask bench locate`).
const AT_ZERO: f32 = -4.6;
const OF_SIGNS: [f32; N_SIGNS] = [2.9, 3.2, 3.8];
/// Below this an answer says that it does not know.
pub(crate) const KNOWN_FROM: f32 = 0.5;

/// How sure it is that the right files are among the first five, 0 to 1.
pub(crate) fn sureness(signs: [f32; N_SIGNS]) -> f32 {
    if signs[0] <= 0.0 {
        return 0.0;
    }
    let sum: f32 = signs.iter().zip(OF_SIGNS).map(|(sign, of)| sign * of).sum();
    logistic(AT_ZERO + sum)
}

/// How sure it is that a file is right: that of the answer, by its share of the best score.
pub(crate) fn sureness_of(whole: f32, score: f32, best: f32) -> f32 {
    let share = if best > 0.0 { score / best } else { 0.0 };
    (whole * share * share).clamp(0.0, 1.0)
}

fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clear_answer_is_surer_than_a_flat_one() {
        assert_eq!(sureness([0.0; N_SIGNS]), 0.0);
        let (clear, flat) = (sureness([1.0, 0.7, 0.8]), sureness([0.6, 0.3, 0.3]));
        assert!(clear > 0.8 && flat < 0.4, "{clear} {flat}");
        assert!(sureness_of(clear, 3.0, 3.0) > sureness_of(clear, 1.0, 3.0));
    }

    #[test]
    fn an_area_gives_way_after_three_files() {
        let file = |n: u32, area| FileFound {
            file: FileId(n),
            values: [1.0 - 0.01 * n as f32; N_CLUES],
            details: Vec::new(),
            factor: 1.0,
            area,
        };
        let evidence = LocateEvidence {
            files: vec![
                file(0, Some(1)),
                file(1, Some(1)),
                file(2, Some(1)),
                file(3, Some(1)),
                file(4, None),
            ],
            ..LocateEvidence::default()
        };
        let ranked = evidence.files(&LocateWeights::default());
        let order: Vec<u32> = ranked.iter().map(|(file, _)| file.0).collect();
        assert_eq!(order, [0, 1, 2, 4, 3]);
        assert_eq!((area_of("a/b/c.py"), area_of("a/c.py")), (Some("a"), None));
    }

    #[test]
    fn equal_scores_keep_their_order() {
        assert_eq!(
            sorted([0.5, 0.0, 0.7, 0.5].into_iter()),
            [(2, 0.7), (0, 0.5), (3, 0.5)]
        );
    }
}
