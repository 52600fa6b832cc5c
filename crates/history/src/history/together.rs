//! Files that change together. A commit of many files says nothing about any two of them, and two files are related only if that happened
//! several times.
//!
//! Support is the number of commits that changed both, confidence the part of one file's commits that changed the other, too.

use std::cmp::Reverse;

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
        let Some(file) = self.file_number(path) else {
            return Vec::new();
        };
        let mut counts = Counts::new(self);
        let others = counts.of(self, file);
        let n_own = self.n_counted(file);
        let mut others: Vec<(u32, u32, f64)> = others
            .into_iter()
            .map(|(other, support)| (other, support, share(support, self.n_counted(other))))
            .collect();
        // Of two as frequent ones the one that seldom changes without this file, as it is the more particular.
        others.sort_by(|a, b| {
            let order = b.1.cmp(&a.1).then_with(|| b.2.total_cmp(&a.2));
            order.then_with(|| a.0.cmp(&b.0))
        });
        let change = |(other, support, reverse): (u32, u32, f64)| CoChange {
            path: self.log.paths.get(other as usize).to_owned(),
            support,
            confidence: share(support, n_own),
            reverse,
            last: self.last_together(file, other),
        };
        others.into_iter().take(limit).map(change).collect()
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
        let edge = |(a, b, support): (u32, u32, u32)| CoChangeEdge {
            a: self.log.paths.get(a as usize),
            b: self.log.paths.get(b as usize),
            support,
            a_to_b: share(support, self.n_counted(a)),
            b_to_a: share(support, self.n_counted(b)),
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
