//! Columns derived from a log: which file each change is of, renames followed, and the commits of each file.
//!
//! A path is not a file. Walking from new to old, a rename gives all older changes of the old path to the file that it became. A path that the
//! newest commit lacks belongs to the file that it became last, wherever it occurs: branches are walked interleaved, and older names appear
//! on them after the rename.

use rustc_hash::FxHashMap;

use crate::log::{Files, How, Log};

/// Renames in a row that are followed for a path that is gone.
const MAX_HOPS: usize = 64;

/// See the module.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Columns {
    /// Whether each path is a file of the newest commit.
    is_file: Vec<bool>,
    /// For each commit the end of its files in `files`.
    ends: Vec<u32>,
    /// The files of each commit, in order, each once.
    files: Vec<u32>,
    /// For each path the end of its commits in `commits`.
    file_ends: Vec<u32>,
    /// The commits of each file, newest first.
    commits: Vec<u32>,
    /// The person behind each author: the number of the first author with the same address.
    pub person: Vec<u32>,
    /// Earlier names of files: file and path, in order.
    pub earlier: Vec<(u32, u32)>,
    /// The commit in which each path was added first, counted from the newest; `u32::MAX` if no commit added it.
    pub added: Vec<u32>,
}

impl Columns {
    /// Derives all columns. Takes some milliseconds for 20,000 commits.
    pub fn of(log: &Log) -> Self {
        let n_paths = log.paths.len();
        let mut columns = Self {
            is_file: vec![false; n_paths],
            added: vec![u32::MAX; n_paths],
            person: people(log),
            ..Self::default()
        };
        for &file in &log.files {
            columns.is_file[file as usize] = true;
        }
        columns.follow(log);
        columns.turn(n_paths);
        columns.earlier.sort_unstable();
        columns.earlier.dedup();
        columns
    }

    /// Whether a path is a file of the newest commit.
    pub fn is_file(&self, path: u32) -> bool {
        self.is_file.get(path as usize).copied().unwrap_or(false)
    }

    /// Returns the files that a commit changed.
    pub fn files_of(&self, commit: usize) -> &[u32] {
        rows(&self.ends, &self.files, commit)
    }

    /// Returns the commits that changed a file, newest first.
    pub fn commits_of(&self, file: u32) -> &[u32] {
        rows(&self.file_ends, &self.commits, file as usize)
    }

    /// Walks from new to old and gives each change to a file.
    fn follow(&mut self, log: &Log) {
        let mut file_of = self.gone(log);
        for nth in 0..log.commits.len() {
            let start = self.files.len();
            let mut renamed: Vec<u32> = log.renames(nth).iter().map(|(_, new)| *new).collect();
            renamed.sort_unstable();
            for &change in log.changes(nth) {
                let (path, how) = How::split(change);
                let file = file_of.get(&path).copied().unwrap_or(path);
                self.files.push(file);
                if how == How::Added
                    && renamed.binary_search(&path).is_err()
                    && let Some(added) = self.added.get_mut(file as usize)
                {
                    *added = nth as u32;
                }
            }
            for &(old, new) in log.renames(nth) {
                let file = file_of.get(&new).copied().unwrap_or(new);
                if file != old {
                    file_of.insert(old, file);
                    self.earlier.push((file, old));
                }
            }
            // The old path of a rename is the same file now.
            for at in start..self.files.len() {
                let file = self.files[at];
                let is_old = log
                    .renames(nth)
                    .binary_search_by_key(&file, |(old, _)| *old);
                if is_old.is_ok() {
                    self.files[at] = file_of.get(&file).copied().unwrap_or(file);
                }
            }
            self.files[start..].sort_unstable();
            let mut kept = start;
            for at in start..self.files.len() {
                if kept == start || self.files[at] != self.files[kept - 1] {
                    self.files[kept] = self.files[at];
                    kept += 1;
                }
            }
            self.files.truncate(kept);
            self.ends.push(kept as u32);
        }
    }

    /// Returns the file that each path became which the newest commit lacks.
    fn gone(&self, log: &Log) -> FxHashMap<u32, u32> {
        let mut newest: FxHashMap<u32, u32> = FxHashMap::default();
        for &(old, new) in (0..log.commits.len()).flat_map(|nth| log.renames(nth)) {
            if !self.is_file(old) {
                newest.entry(old).or_insert(new);
            }
        }
        let became = |path: u32| {
            let mut at = path;
            for _ in 0..MAX_HOPS {
                match newest.get(&at) {
                    Some(next) => at = *next,
                    None => return Some(at),
                }
            }
            None
        };
        let paths = newest.keys();
        let pairs = paths.filter_map(|path| Some((*path, became(*path)?)));
        pairs.collect()
    }

    /// Makes the commits of each file from the files of each commit.
    fn turn(&mut self, n_paths: usize) {
        let mut ends = vec![0_u32; n_paths];
        for &file in &self.files {
            ends[file as usize] += 1;
        }
        let mut sum = 0;
        for end in &mut ends {
            // The start of each file's rows for now.
            (*end, sum) = (sum, sum + *end);
        }
        self.commits = vec![0; self.files.len()];
        for commit in 0..self.ends.len() {
            for &file in rows(&self.ends, &self.files, commit) {
                let at = &mut ends[file as usize];
                self.commits[*at as usize] = commit as u32;
                *at += 1;
            }
        }
        self.file_ends = ends;
    }
}

/// Rows of a column between the end before and the own.
fn rows<'a>(ends: &[u32], column: &'a [u32], nth: usize) -> &'a [u32] {
    let start = nth.checked_sub(1).and_then(|before| ends.get(before));
    let start = start.copied().unwrap_or(0) as usize;
    let end = ends.get(nth).map_or(start, |end| *end as usize);
    column.get(start..end).unwrap_or_default()
}

/// Authors with the same address, whatever its case, are one person.
fn people(log: &Log) -> Vec<u32> {
    let mut first: FxHashMap<String, u32> = FxHashMap::default();
    let person = |(nth, address): (usize, &str)| {
        let address = address.to_ascii_lowercase();
        *first.entry(address).or_insert(nth as u32)
    };
    log.addresses.iter().enumerate().map(person).collect()
}

impl Log {
    /// Whether a commit's files are known and its own.
    pub(crate) fn is_listed(&self, commit: usize) -> bool {
        let files = self
            .commits
            .get(commit)
            .map(|commit| Files::from_number(commit.files));
        files == Some(Files::Listed)
    }
}
