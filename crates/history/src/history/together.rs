//! Files that change together. A commit of many files says nothing about any two of them, and two files are related only if that happened
//! several times.
//!
//! Support is the number of commits that changed both, confidence the part of one file's commits that changed the other, too.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;

use super::History;

/// Commits of more files are not counted: renames of names, licences, formats.
const MAX_FILES: usize = 50;
/// Fewest commits that changed both.
const MIN_SUPPORT: u32 = 3;

/// A file that changed together with another one.
#[derive(Debug, Clone, PartialEq)]
pub struct CoChange {
    /// Its path.
    pub path: String,
    /// The file asked about.
    pub with: String,
    /// Number of commits that changed both.
    pub support: u32,
    /// Part of the commits of the file asked about that changed this one, too, 0 to 1.
    pub confidence: f64,
    /// Part of the commits of this file that changed the one asked about, 0 to 1.
    pub reverse: f64,
    /// When both were changed last, seconds since 1970.
    pub last: i64,
}

/// Two files that change together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CoChangeEdge<'a> {
    /// One path, before the other one in order.
    pub a: &'a str,
    /// The other path.
    pub b: &'a str,
    /// Number of commits that changed both.
    pub support: u32,
    /// Part of the commits of `a` that changed `b`, too, 0 to 1.
    pub a_to_b: f64,
    /// Part of the commits of `b` that changed `a`, too, 0 to 1.
    pub b_to_a: f64,
}

/// A file, the one asked about that it changes with, and how often.
#[derive(Debug, Clone, Copy, Default)]
struct Related {
    file: u32,
    other: u32,
    support: u32,
    confidence: f64,
    reverse: f64,
}

/// Counts of one file at a time: memory follows the number of files, not that of pairs.
struct Counts {
    n: Vec<u32>,
    touched: Vec<u32>,
}

impl History {
    /// Returns files of the newest commit that changed together with this one in three commits or more, by support, at most `limit`; none for a
    /// file that the newest commit lacks.
    #[must_use]
    pub fn co_changed(&self, path: &str, limit: usize) -> Vec<CoChange> {
        self.co_changed_with(&[path], limit)
    }

    /// Returns files of the newest commit that changed together with one of `paths`, without these themselves: each with the path that
    /// predicts it best, the most certain first, at most `limit`. Finds files that a change of `paths` may have forgotten.
    #[must_use]
    pub fn co_changed_with(&self, paths: &[&str], limit: usize) -> Vec<CoChange> {
        let mut files: Vec<u32> = paths
            .iter()
            .filter_map(|path| self.file_number(path))
            .collect();
        files.sort_unstable();
        files.dedup();
        let mut counts = Counts::new(self);
        let mut best: FxHashMap<u32, Related> = FxHashMap::default();
        for &file in &files {
            let n_own = self.n_counted(file);
            for (other, support) in counts.of(self, file) {
                let confidence = share(support, n_own);
                let related = best.entry(other).or_default();
                if files.binary_search(&other).is_err() && confidence > related.confidence {
                    *related = Related {
                        file,
                        other,
                        support,
                        confidence,
                        reverse: 0.0,
                    };
                }
            }
        }
        let mut best: Vec<Related> = best.into_values().filter(|one| one.support > 0).collect();
        for one in &mut best {
            one.reverse = share(one.support, self.n_counted(one.other));
        }
        // Of two as certain ones the one that seldom changes without this file, as it is the more particular.
        best.sort_by(|a, b| {
            let order = b.confidence.total_cmp(&a.confidence);
            let order = order.then_with(|| b.reverse.total_cmp(&a.reverse));
            order.then_with(|| a.other.cmp(&b.other))
        });
        let path = |file: u32| self.log.paths.get(file as usize).to_owned();
        let change = |one: Related| CoChange {
            path: path(one.other),
            with: path(one.file),
            support: one.support,
            confidence: one.confidence,
            reverse: one.reverse,
            last: self.last_together(one.file, one.other),
        };
        best.into_iter().take(limit).map(change).collect()
    }

    /// Returns pairs of files of the newest commit that changed together in three commits or more, by path; of each file those `per_file` that
    /// it changed with most often.
    #[must_use]
    pub fn co_changes(&self, per_file: usize) -> Vec<CoChangeEdge<'_>> {
        let mut counts = Counts::new(self);
        let mut pairs = Vec::new();
        for &file in &self.log.files {
            let mut others = counts.of(self, file);
            others.sort_by_key(|(other, support)| (Reverse(*support), *other));
            let others = others.into_iter().take(per_file);
            pairs.extend(others.map(|(other, n)| (file.min(other), file.max(other), n)));
        }
        pairs.sort_unstable();
        pairs.dedup();
        let mut n_counted = vec![0; self.log.paths.len()];
        for &file in &self.log.files {
            n_counted[file as usize] = self.n_counted(file);
        }
        let edge = |(a, b, support): (u32, u32, u32)| CoChangeEdge {
            a: self.log.paths.get(a as usize),
            b: self.log.paths.get(b as usize),
            support,
            a_to_b: share(support, n_counted[a as usize]),
            b_to_a: share(support, n_counted[b as usize]),
        };
        pairs.into_iter().map(edge).collect()
    }

    /// Commits of a file that are not too large to count.
    fn counted(&self, file: u32) -> impl Iterator<Item = u32> {
        let commits = self.columns.commits_of(file).iter().copied();
        commits.filter(|nth| self.columns.files_of(*nth as usize).len() <= MAX_FILES)
    }

    fn n_counted(&self, file: u32) -> u32 {
        self.counted(file).count() as u32
    }

    fn last_together(&self, file: u32, other: u32) -> i64 {
        let both = |nth: &u32| {
            let files = self.columns.files_of(*nth as usize);
            files.binary_search(&other).is_ok()
        };
        let last = self.counted(file).find(both);
        last.map_or(0, |nth| self.committed(nth))
    }
}

impl Counts {
    fn new(history: &History) -> Self {
        Self {
            n: vec![0; history.log.paths.len()],
            touched: Vec::new(),
        }
    }

    /// Returns the files that changed together with one often enough, and how often.
    fn of(&mut self, history: &History, file: u32) -> Vec<(u32, u32)> {
        for commit in history.counted(file) {
            for &other in history.columns.files_of(commit as usize) {
                let n = &mut self.n[other as usize];
                if *n == 0 {
                    self.touched.push(other);
                }
                *n += 1;
            }
        }
        let mut often = Vec::new();
        for other in self.touched.drain(..) {
            let n = std::mem::take(&mut self.n[other as usize]);
            if n >= MIN_SUPPORT && other != file && history.columns.is_file(other) {
                often.push((other, n));
            }
        }
        often
    }
}

fn share(support: u32, of: u32) -> f64 {
    f64::from(support) / f64::from(of.max(1))
}
