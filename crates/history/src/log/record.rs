//! One commit while a log grows, and a log from many.

use super::{Cut, How, Log, Logged, Paths, Strings};
use crate::{Limits, Oid};

/// A commit with the files that it changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Record {
    pub id: Oid,
    pub parents: Vec<Oid>,
    pub is_shallow: bool,
    pub author: (String, String),
    pub authored: i64,
    pub committed: i64,
    pub subject: String,
    pub files: Files,
    /// Changes by [`How::of`], in the order of paths.
    pub changes: Vec<u32>,
    pub renames: Vec<(u32, u32)>,
}

/// Whether the files of a commit are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Files {
    /// All of them.
    Listed,
    /// It is a merge: its changes are those of the commits that it merges.
    Merge,
    /// There are more than the limit.
    Many,
    /// Its parents were not fetched, so its files are unknown.
    Unknown,
}

impl Files {
    /// The reverse of `as u8`.
    pub fn from_number(number: u8) -> Self {
        match number {
            0 => Self::Listed,
            1 => Self::Merge,
            2 => Self::Many,
            _ => Self::Unknown,
        }
    }
}

/// Puts records together. Paths and people are numbered in their order, so the same commits give the same log however they were met.
pub(crate) fn assemble(
    records: &[Record],
    paths: &Paths,
    files: &[u32],
    head_tree: Oid,
    cuts: u32,
    limits: &Limits,
) -> Log {
    let (numbers, in_order) = renumbered(records, paths, files);
    let mut people: Vec<&(String, String)> = records.iter().map(|record| &record.author).collect();
    people.sort_unstable();
    people.dedup();
    let path = |number: u32| numbers[number as usize];
    let mut log = Log {
        head_tree: head_tree.0,
        names: people.iter().map(|(name, _)| name.as_str()).collect(),
        addresses: people.iter().map(|(_, address)| address.as_str()).collect(),
        paths: in_order,
        files: files.iter().map(|file| path(*file)).collect(),
        cuts,
        limits: (limits.commits as u32, limits.files_per_commit as u32),
        ..Log::default()
    };
    log.files.sort_unstable();
    for record in records {
        log.parents
            .extend(record.parents.iter().map(|parent| parent.0));
        log.subjects.push(&record.subject);
        let start = log.changes.len();
        log.changes.extend(record.changes.iter().map(|change| {
            let (number, how) = How::split(*change);
            how.of(path(number))
        }));
        log.changes[start..].sort_unstable();
        let start = log.renames.len();
        log.renames.extend(
            record
                .renames
                .iter()
                .map(|(old, new)| (path(*old), path(*new))),
        );
        log.renames[start..].sort_unstable();
        let author = people.binary_search(&&record.author).unwrap_or(0);
        log.commits.push(Logged {
            id: record.id.0,
            authored: record.authored,
            committed: record.committed,
            author: author as u32,
            parents_end: log.parents.len() as u32,
            changes_end: log.changes.len() as u32,
            renames_end: log.renames.len() as u32,
            files: record.files as u8,
            is_shallow: record.is_shallow,
        });
        if record.files == Files::Unknown {
            log.cuts |= Cut::TREES.0;
        }
    }
    log
}

/// Returns the new number of each path that is used, and those paths in order.
fn renumbered(records: &[Record], paths: &Paths, files: &[u32]) -> (Vec<u32>, Strings) {
    let mut is_used = vec![false; paths.len()];
    let changed = records.iter().flat_map(|record| &record.changes);
    let renamed = records.iter().flat_map(|record| &record.renames);
    let used = changed
        .map(|change| How::split(*change).0)
        .chain(renamed.flat_map(|(old, new)| [*old, *new]))
        .chain(files.iter().copied());
    used.for_each(|number| is_used[number as usize] = true);
    let mut order: Vec<u32> = (0..paths.len() as u32)
        .filter(|number| is_used[*number as usize])
        .collect();
    order.sort_unstable_by_key(|number| paths.get(*number));
    let mut numbers = vec![0; paths.len()];
    for (new, old) in order.iter().enumerate() {
        numbers[*old as usize] = new as u32;
    }
    let strings = order.iter().map(|number| paths.get(*number)).collect();
    (numbers, strings)
}

impl Log {
    /// Takes a log apart again, for an update.
    pub fn records(&self, paths: &mut Paths) -> Vec<Record> {
        let numbers: Vec<u32> = self.paths.iter().map(|path| paths.number(path)).collect();
        let number = |path: u32| numbers.get(path as usize).copied().unwrap_or(0);
        let record = |(nth, commit): (usize, &Logged)| {
            let changes = self.changes(nth).iter().map(|change| {
                let (path, how) = How::split(*change);
                how.of(number(path))
            });
            let renames = self.renames(nth).iter();
            let author = commit.author as usize;
            Record {
                id: Oid(commit.id),
                parents: self
                    .parents(nth)
                    .iter()
                    .map(|parent| Oid(*parent))
                    .collect(),
                is_shallow: commit.is_shallow,
                author: (
                    self.names.get(author).to_owned(),
                    self.addresses.get(author).to_owned(),
                ),
                authored: commit.authored,
                committed: commit.committed,
                subject: self.subjects.get(nth).to_owned(),
                files: Files::from_number(commit.files),
                changes: changes.collect(),
                renames: renames
                    .map(|(old, new)| (number(*old), number(*new)))
                    .collect(),
            }
        };
        self.commits.iter().enumerate().map(record).collect()
    }
}
