//! Commits, authors and names of one file, and how often each file changes.

use super::{AuthorShare, CommitInfo, History};

/// Maximum number of commits that are listed for one file.
const MAX_COMMITS: usize = 200;
/// Seconds of 90 days: changes since then, counted from the newest commit, are recent.
pub(super) const RECENT: i64 = 90 * 24 * 60 * 60;

/// The history of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct FileHistory {
    /// Its path.
    pub path: String,
    /// Number of commits that changed it, merges not counted.
    pub n_commits: usize,
    /// Number of those within 90 days before the newest commit.
    pub n_recent: usize,
    /// Those commits, newest first.
    pub commits: Vec<CommitInfo>,
    /// When it was added, seconds since 1970; `None` if that is older than the history.
    pub added: Option<i64>,
    /// Its authors, by number of commits.
    pub authors: Vec<AuthorShare>,
    /// Paths that it had before, in order.
    pub earlier_paths: Vec<String>,
}

/// How often a file changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Churn<'a> {
    /// Its path.
    pub path: &'a str,
    /// Number of commits that changed it.
    pub n_commits: usize,
    /// Number of those within 90 days before the newest commit.
    pub n_recent: usize,
    /// Number of people who changed it.
    pub n_authors: usize,
    /// When it was changed last and first within the history, seconds since 1970; 0 if unknown.
    pub last: i64,
    /// See `last`.
    pub first: i64,
}

impl History {
    /// Returns the history of a file of the newest commit, with its newest commits (`limit`, at most 200); `None` if there is no such file.
    #[must_use]
    pub fn file(&self, path: &str, limit: usize) -> Option<FileHistory> {
        let file = self.file_number(path)?;
        let commits = self.columns.commits_of(file);
        let shown = commits.iter().take(limit.min(MAX_COMMITS));
        let earlier = &self.columns.earlier;
        let start = earlier.partition_point(|(of, _)| *of < file);
        let earlier = earlier[start..].iter().take_while(|(of, _)| *of == file);
        let added = self
            .columns
            .added
            .get(file as usize)
            .map(|nth| *nth as usize);
        let added = added.and_then(|nth| self.log.commits.get(nth));
        Some(FileHistory {
            path: path.to_owned(),
            n_commits: commits.len(),
            n_recent: self.n_recent(commits),
            commits: shown.map(|nth| self.commit_info(*nth as usize)).collect(),
            added: added.map(|commit| commit.committed),
            authors: self.shares(commits.iter().copied()),
            earlier_paths: earlier
                .map(|(_, path)| self.log.paths.get(*path as usize).to_owned())
                .collect(),
        })
    }

    /// Returns how often each file of the newest commit changes, by path.
    pub fn churn(&self) -> impl Iterator<Item = Churn<'_>> {
        let mut people = Vec::new();
        self.log.files.iter().map(move |&file| {
            let commits = self.columns.commits_of(file);
            people.clear();
            people.extend(commits.iter().map(|nth| self.person_of(*nth)));
            people.sort_unstable();
            people.dedup();
            let time = |nth: Option<&u32>| nth.map_or(0, |nth| self.committed(*nth));
            Churn {
                path: self.log.paths.get(file as usize),
                n_commits: commits.len(),
                n_recent: self.n_recent(commits),
                n_authors: people.len(),
                last: time(commits.first()),
                first: time(commits.last()),
            }
        })
    }

    fn n_recent(&self, commits: &[u32]) -> usize {
        let since = self.newest() - RECENT;
        let is_recent = |nth: &&u32| self.committed(**nth) >= since;
        commits.iter().filter(is_recent).count()
    }

    pub(super) fn committed(&self, nth: u32) -> i64 {
        let commit = self.log.commits.get(nth as usize);
        commit.map_or(0, |commit| commit.committed)
    }
}
